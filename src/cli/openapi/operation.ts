/**
 * One endpoint as an operation of the document.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "../../content/values/limits.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { toRequirement } from "../../policy/document.ts";
import { LIMITS as REQUEST_LIMITS } from "../../http/request.ts";
import type { Rule } from "../../policy/schema.ts";
import { headerParameters, responseHeaders } from "./headers.ts";
import type { JsonObject } from "./json.ts";
import { LINES_TYPE, MARKDOWN_TYPE } from "../../http/body.ts";
import { errorResponsesOf, type ErrorTable } from "./responses.ts";

const MARKDOWN: JsonObject = { type: "string", maxLength: LIMITS.markdown };

/**
 * The member that describes the reply to JSON Lines. Among the types of `content`, it would be a
 * type that generated clients expect of every call.
 */
const LINES_CONTENT = "x-lines-content";
const LINES: JsonObject = { type: "string", maxLength: REQUEST_LIMITS.bodyBytes };

/** An endpoint with any services. */
export type AnyEndpoint = Endpoint<never>;

export interface OperationOptions {
  readonly rule: Rule;
  readonly errors: ErrorTable;
  /** The converted schema of each part of the endpoint, by {@linkcode partName}. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** The component schemas, by name. */
  readonly components: Readonly<Record<string, JsonObject>>;
}

const PARTS = ["params", "query", "body", "response"] as const;
type Part = typeof PARTS[number];

const PATH_PARAMETER = /:([a-z0-9_]+)/g;

/** `METHOD path`, the name of the endpoint in the policy. */
export function routeOf({ method, path }: AnyEndpoint): string {
  return `${method} ${path}`;
}

/** The schemas of an endpoint, by {@linkcode partName}. */
export function schemasOf(
  endpoint: AnyEndpoint,
): [name: string, schema: v.GenericSchema<unknown, unknown>][] {
  return PARTS.flatMap((part) => {
    const schema = endpoint[part];
    return schema === undefined ? [] : [[partName(endpoint, part), schema]];
  });
}

/** The path as OpenAPI writes it: `{page_id}` for `:page_id`. */
export function templateOf({ path }: AnyEndpoint): string {
  return path.replaceAll(PATH_PARAMETER, "{$1}");
}

/** Describes an endpoint. Throws if its parameters are not those of its path. */
export function createOperation(endpoint: AnyEndpoint, options: OperationOptions): JsonObject {
  const { rule } = options;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag.name],
    security: rule.alternatives.map(toRequirement),
    parameters: [
      ...createPathParameters(endpoint, options),
      ...createParameters(endpoint, { part: "query", schemas: options.schemas }),
      ...headerParameters(endpoint.method),
    ],
    ...createRequestBody(endpoint, options),
    responses: createResponses(endpoint, options),
  };
}

function partName(endpoint: AnyEndpoint, part: Part): string {
  return `${part} of ${routeOf(endpoint)}`;
}

function createPathParameters(endpoint: AnyEndpoint, options: OperationOptions): JsonObject[] {
  const parameters = createParameters(endpoint, { part: "params", schemas: options.schemas });
  const described = parameters.map(({ name }) => name).sort().join(", ");
  const declared = [...endpoint.path.matchAll(PATH_PARAMETER)].map(([, name]) => name).sort();
  if (described === declared.join(", ")) return parameters;
  throw new Error(`Path and params of ${routeOf(endpoint)} name different parameters`);
}

interface ParameterOptions {
  readonly part: "params" | "query";
  readonly schemas: OperationOptions["schemas"];
}

function createParameters(
  endpoint: AnyEndpoint,
  { part, schemas }: ParameterOptions,
): JsonObject[] {
  if (endpoint[part] === undefined) return [];
  const { properties, required } = schemas.get(partName(endpoint, part)) ?? {};
  if (typeof properties !== "object" || properties === null) {
    throw new Error(`Not an object schema of its own: ${partName(endpoint, part)}`);
  }
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(part === "params"
      ? { in: "path", required: true }
      : { in: "query", required: isRequired(name) }),
    ...createParameterSchema(schema),
  }));
}

/** Moves description and example up to the parameter, where tools look for them. */
function createParameterSchema({ description, examples, ...schema }: JsonObject): JsonObject {
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? unsentExample(schema) : { example }),
    ...(schema["type"] === "array" ? { style: "form", explode: true } : {}),
    schema,
  };
}

/**
 * Returns an example that is not sent. Without one, the requests of the API reference have the
 * first value of an optional choice. The name is that of the body's example, which it looks for.
 */
function unsentExample({ enum: values }: JsonObject): JsonObject {
  if (!Array.isArray(values)) return {};
  return { examples: { usual: { value: values[0], "x-disabled": true } } };
}

function createRequestBody(
  endpoint: AnyEndpoint,
  { schemas }: OperationOptions,
): JsonObject {
  if (endpoint.body === undefined) return {};
  // A missing body is read as {}.
  const required = !v.is(endpoint.body, {});
  return {
    requestBody: {
      required,
      content: {
        ...jsonOf(schemas.get(partName(endpoint, "body")), endpoint.example?.request),
        ...(endpoint.fromMarkdown && { [MARKDOWN_TYPE]: { schema: MARKDOWN } }),
        ...(endpoint.handleLines && { [LINES_TYPE]: { schema: LINES } }),
      },
    },
  };
}

function createResponses(
  endpoint: AnyEndpoint,
  { rule, errors, schemas, components }: OperationOptions,
): JsonObject {
  const { method, params, body } = endpoint;
  const response = schemas.get(partName(endpoint, "response"));
  const traits = {
    method,
    isPublic: rule.public,
    hasParams: params !== undefined,
    hasBody: body !== undefined,
  };
  const success = {
    description: describeResponse(response, components),
    headers: body === undefined
      ? responseHeaders("ETag")
      : responseHeaders("ETag", "Idempotency-Replayed"),
    content: {
      ...jsonOf(response, endpoint.example?.response),
      ...Object.fromEntries((endpoint.alternatives ?? []).map((type) => [type, TEXT])),
    },
    ...(endpoint.handleLines && { [LINES_CONTENT]: { [LINES_TYPE]: TEXT } }),
  };
  const notModified = {
    description: "The object has not changed since you read it.",
    headers: responseHeaders("ETag"),
  };
  return {
    200: success,
    ...(method === "GET" ? { 304: notModified } : {}),
    ...errorResponsesOf(traits, errors),
  };
}

/** The description of the schema of the response. */
function describeResponse(
  response: JsonObject | undefined,
  components: Readonly<Record<string, JsonObject>>,
): string {
  const name = String(response?.["$ref"] ?? "").split("/").at(-1) ?? "";
  return String((components[name] ?? response)?.["description"] ?? "Success.");
}

/** Text of any length. */
const TEXT = { schema: { type: "string", maxLength: 2 ** 31 - 1 } };

function jsonOf(schema: JsonObject | undefined, example: JsonObject | undefined): JsonObject {
  const examples = example === undefined ? {} : { examples: { usual: { value: example } } };
  return { "application/json": { schema, ...examples } };
}
