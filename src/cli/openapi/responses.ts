/**
 * Error responses as components, and which operation can respond with which.
 *
 * @module
 */
import * as v from "valibot";
import type { Method } from "../../http/endpoint.ts";
import { component } from "../../shared/component.ts";
import { type HeaderName, responseHeaders } from "./headers.ts";
import { createRef, type JsonObject } from "./json.ts";

/** Status and title of each error code. */
export type ErrorTable = Readonly<
  Record<string, { readonly status: number; readonly title: string }>
>;

/** The traits of an operation that decide which errors it can respond with. */
export interface Traits {
  readonly method: Method;
  readonly isPublic: boolean;
  readonly hasParams: boolean;
  readonly hasBody: boolean;
}

interface ErrorResponse {
  readonly name: string;
  readonly headers?: readonly HeaderName[];
  /** By default true for every operation. */
  readonly when?: (traits: Traits) => boolean;
}

/** The statuses of errors that occur in an operation. All others occur before one is chosen. */
const ERROR_RESPONSES: ReadonlyMap<number, ErrorResponse> = new Map<number, ErrorResponse>([
  [400, { name: "BadRequest" }],
  [401, { name: "Unauthorized", headers: ["WWW-Authenticate"], when: (it) => !it.isPublic }],
  [403, { name: "Forbidden", headers: ["WWW-Authenticate"], when: (it) => !it.isPublic }],
  [404, { name: "NotFound", when: (it) => it.hasParams || it.hasBody }],
  [406, { name: "NotAcceptable" }],
  [409, { name: "Conflict", when: (it) => it.method !== "GET" }],
  [412, { name: "PreconditionFailed", when: (it) => it.method !== "POST" }],
  [413, { name: "PayloadTooLarge", when: (it) => it.hasBody }],
  [415, { name: "UnsupportedMediaType", when: (it) => it.hasBody }],
  [422, { name: "UnprocessableContent", when: (it) => it.hasBody }],
  [429, { name: "TooManyRequests", headers: ["Retry-After"] }],
  [500, { name: "InternalServerError" }],
  [503, { name: "ServiceUnavailable", headers: ["Retry-After"] }],
  [504, { name: "GatewayTimeout" }],
]);

const OTHERWISE = "OtherError";

/**
 * References to the error responses of an operation, by status. `default` stands for errors that
 * occur before an operation is chosen.
 */
export function errorResponsesOf(traits: Traits, errors: ErrorTable): JsonObject {
  const known = statusesOf(errors).flatMap((status) => {
    const response = ERROR_RESPONSES.get(status);
    if (response === undefined || response.when?.(traits) === false) return [];
    return [[String(status), createRef("responses", response.name)] as const];
  });
  return { ...Object.fromEntries(known), default: createRef("responses", OTHERWISE) };
}

/** The response components, by name. */
export function errorResponses(errors: ErrorTable): JsonObject {
  const statuses = statusesOf(errors);
  const known = statuses.flatMap((status) => {
    const response = ERROR_RESPONSES.get(status);
    return response === undefined
      ? []
      : [[response.name, createResponse([status], errors)] as const];
  });
  const others = statuses.filter((status) => !ERROR_RESPONSES.has(status));
  const all = [...known, [OTHERWISE, createResponse(others, errors)] as const];
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The body of every error response: a problem (RFC 9457) that is also the wire format's error
 * object.
 */
export function createProblemSchema(errors: ErrorTable): v.GenericSchema<unknown, unknown> {
  const scopes = v.pipe(v.array(v.pipe(v.string(), v.maxLength(256))), v.maxLength(256));
  return component(
    v.object({
      object: v.literal("error"),
      type: text("URI of the kind of error."),
      title: text("Name of the kind of error."),
      status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
      detail: text("What is wrong with the request."),
      code: v.pipe(
        v.picklist(Object.keys(errors)),
        v.description("Error code, for programs to tell errors apart."),
      ),
      message: text("Same as `detail`."),
      request_id: text("ID of the request, as in `X-Request-Id`."),
      required_scopes: v.optional(v.pipe(scopes, v.description("Scopes that the call requires."))),
      missing_scopes: v.optional(
        v.pipe(scopes, v.description("Required scopes that the token lacks.")),
      ),
      acr_values: v.optional(
        v.pipe(scopes, v.description("Values of `acr`, any of which the token needs (RFC 9470).")),
      ),
      errors: v.optional(v.pipe(v.array(createIssueSchema()), v.maxLength(100))),
    }),
    "Problem",
    "An error, as problem details (RFC 9457).",
  );
}

function createIssueSchema(): v.GenericSchema<unknown, unknown> {
  return v.object({
    pointer: text("JSON Pointer (RFC 6901) to the invalid value."),
    detail: text("What is wrong with it."),
  });
}

// Up to 100 issues of a body of 64 KiB, or one of a larger body. An escape doubles a character.
const PROBLEM_TEXT = 2 ** 24;

function text(description: string): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.maxLength(PROBLEM_TEXT), v.description(description));
}

function createResponse(statuses: readonly number[], errors: ErrorTable): JsonObject {
  const entries = Object.entries(errors).filter(([, { status }]) => statuses.includes(status));
  const headers = statuses.flatMap((status) => ERROR_RESPONSES.get(status)?.headers ?? []);
  const examples = entries.map(([code, { status, title }]) => [
    code,
    { value: exampleOf({ code, status, title }) },
  ]);
  return {
    description: entries.map(([code, { title }]) => `${title} (\`${code}\`)`).join(", ") + ".",
    headers: responseHeaders(...headers),
    content: {
      "application/problem+json": {
        schema: createRef("schemas", "Problem"),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

interface ProblemKind {
  readonly code: string;
  readonly status: number;
  readonly title: string;
}

const REQUEST_ID = "7d2884ea-1cf2-44a0-bed5-84c4096a7556";

function exampleOf({ code, status, title }: ProblemKind): JsonObject {
  return {
    object: "error",
    type: `urn:recto:error:${code}`,
    title,
    status,
    detail: `${title}.`,
    code,
    message: `${title}.`,
    request_id: REQUEST_ID,
    ...MORE_OF.get(code),
  };
}

/** Additional members of the example of a code. */
const MORE_OF: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["insufficient_user_authentication", { acr_values: ["mfa"] }],
  ["forbidden", { required_scopes: ["pages.write"], missing_scopes: ["pages.write"] }],
  ["validation_error", {
    errors: [{
      pointer: "/parent",
      detail: "body failed validation: body.parent should be defined.",
    }],
  }],
]);

function statusesOf(errors: ErrorTable): number[] {
  return [...new Set(Object.values(errors).map(({ status }) => status))].sort((a, b) => a - b);
}
