/**
 * An endpoint of `/v1`: the endpoint that handles it, behind the versions of the wire format.
 *
 * @module
 */
import { redact } from "../http/redact.ts";
import { redactLongText, redactText } from "../http/redact_text.ts";
import {
  type Call,
  type Endpoint,
  type EndpointSpec,
  type Method,
  type RawInput,
  type Reply,
  routeName,
} from "../http/endpoint.ts";
import { readInput, readParams, readQuery, removeUnknownNames } from "../http/input.ts";
import { endpoints as coreEndpoints } from "../api/endpoints.ts";
import { define, type Services } from "../api/shared/services.ts";
import { invalidUrl } from "./errors.ts";
import { AppError } from "../shared/errors.ts";
import { boundedJson } from "../shared/bounded_json.ts";
import { isText, joinTexts, LongText, type Text } from "../shared/long_text.ts";
import { createPartValidator } from "../shared/part_validator.ts";
import { createRest, type Rest, yieldToEventLoop } from "../shared/yield_to_event_loop.ts";
import { normalizeRequest } from "./any_version.ts";
import type { Json, NotionRequest, StepContext, VersionStep } from "./step.ts";
import { type Version, versionOf } from "./versions.ts";

/** The versions that have a route, by their dates; by default all. */
export interface Served {
  readonly since?: string;
  /** The last one. */
  readonly until?: string;
}

type AnyCall = Call<unknown, unknown, unknown>;

/** Declares a route of `/v1` that an endpoint of `/v2`, or one of `/v1` alone, handles. */
export function route(
  name: string,
  target: Endpoint<Services>,
  served: Served = {},
): Endpoint<Services> {
  const [method = "", path = ""] = name.split(" ");
  const { fromMarkdown: _, handleLines: __, alternatives: ___, example: ____, ...shared } = target;
  return {
    ...shared,
    // Sound because `createRouter()` and the policy's schema know these methods alone.
    method: method as Method,
    path,
    raw: true,
    handle: (call, services) => answer({ target, served }, call, services),
  };
}

/** Declares the route of an endpoint that only `/v1` has. */
export function ownRoute(
  endpoint: Endpoint<Services>,
  served: Served = {},
): Endpoint<Services> {
  return route(routeName(endpoint), endpoint, served);
}

type OwnSpec<Params, Query, Body> = Omit<
  EndpointSpec<Services, Params, Query, Body>,
  "tag" | "summary" | "description" | "example"
>;

const TAG = { name: "Notion", description: "" };

/**
 * Declares an endpoint that only `/v1` has, in the wire format of {@linkcode CORE}. Its schemas
 * check the input after the steps of older and newer versions.
 */
export function own<Params = unknown, Query = unknown, Body = unknown>(
  spec: OwnSpec<Params, Query, Body>,
): Endpoint<Services> {
  return define({ ...spec, tag: TAG, summary: "", description: "" });
}

interface Target {
  readonly target: Endpoint<Services>;
  readonly served: Served;
}

async function answer(
  { target, served }: Target,
  call: AnyCall,
  services: Services,
): Promise<Reply> {
  const { raw } = call;
  if (raw === undefined) throw new Error("The route is not declared as raw");
  const version = versionOf(raw.headers);
  requireServed(served, version);
  const { params, query, body } = raw;
  const request = { operation: target.operationId, params, query, body };
  const { userId } = call.caller;
  const sent = await normalizeRequest(request, { userId, rest: createRest() });
  if (version.steps.length > 0) return translated({ target, version, raw, sent }, call, services);
  const input = { ...sent, bodyBytes: raw.bodyBytes };
  const ready = await validated(call, { target, input });
  if (call.isLarge) await yieldToEventLoop();
  return await target.handle(ready, services);
}

/** Throws `invalid_request_url` if the version does not have the route. */
function requireServed({ since = "", until = "9" }: Served, { name }: Version): void {
  if (name < since || name > until) throw invalidUrl();
}

interface Validation {
  readonly target: Endpoint<Services>;
  readonly input: Pick<RawInput, "params" | "query" | "body"> & Partial<RawInput>;
  readonly ignoresUnknown?: boolean;
}

/** Returns the call with the input that the endpoint's schemas make of what was sent. */
async function validated(
  call: AnyCall,
  { target, input: { params, query, body, bodyBytes: size = 0 }, ignoresUnknown = false }:
    Validation,
): Promise<AnyCall> {
  const hasBody = target.body !== undefined && body !== undefined;
  const validator = hasBody && call.isLarge
    ? createPartValidator(ignoresUnknown ? { repair: removeUnknownNames } : {})
    : undefined;
  if (hasBody) await validator?.validateParts(target.body, body);
  return {
    ...call,
    params: readParams(target.params, params),
    query: readQuery(target.query, query, { ignoresUnknown }),
    body: hasBody ? readInput(target.body, body, { size, validator, ignoresUnknown }) : undefined,
  };
}

interface Translated {
  readonly target: Endpoint<Services>;
  readonly version: Version;
  readonly raw: RawInput;
  readonly sent: NotionRequest;
}

async function translated(
  { target, version, raw, sent }: Translated,
  call: AnyCall,
  services: Services,
): Promise<Reply> {
  const { steps, ignoresUnknown } = version;
  const context = contextOf({ sent, raw }, call, services);
  const { rest } = context;
  const handle = async (request: NotionRequest): Promise<Reply> => {
    const input = { ...request, bodyBytes: raw.bodyBytes };
    const ready = await validated(call, { target, input, ignoresUnknown });
    await rest();
    return await target.handle({ ...ready, isNotModified: () => false }, services);
  };
  let request: NotionRequest = sent;
  for (const step of steps) {
    request = await step.request?.(request, context) ?? request;
    await rest();
  }
  const reply = await handle(request).catch((thrown) => {
    throw translatedError(thrown, steps, context);
  });
  await rest();
  const core = await jsonOf(reply, raw);
  if (core === undefined) return reply;
  let json = core;
  for (const step of steps.toReversed()) {
    await rest();
    json = await step.reply?.(json, context) ?? json;
  }
  // A reply of another version has no entity tag, because its bytes are others.
  const { etag: _, constant: __, ...others } = reply;
  return { ...others, body: await writeJson(json, rest) };
}

async function writeJson(json: Json, rest: Rest): Promise<Text> {
  const pieces: string[] = [];
  for (const piece of boundedJson(json)) {
    pieces.push(piece);
    await rest();
  }
  return joinTexts(pieces);
}

function translatedError(
  thrown: unknown,
  steps: readonly VersionStep[],
  context: StepContext,
): unknown {
  return steps.toReversed().reduce<unknown>(
    (error, step) => error instanceof AppError ? step.error?.(error, context) ?? error : error,
    thrown,
  );
}

/** Returns the JSON of a reply without the hidden fields; undefined if it is none. */
async function jsonOf(
  { body, contentType }: Reply,
  { hidden }: Pick<RawInput, "hidden">,
): Promise<Json | undefined> {
  if (contentType !== undefined) return undefined;
  if (body instanceof Uint8Array || body instanceof ReadableStream) return undefined;
  // Sound because every reply in JSON is an object. Redacted first, since a field may move.
  if (!isText(body)) return redact(body, hidden) as Json;
  const shown = body instanceof LongText
    ? await redactLongText(body, hidden)
    : redactText(body, hidden);
  return JSON.parse(String(shown));
}

interface Sent {
  readonly sent: NotionRequest;
  readonly raw: RawInput;
}

const operations: ReadonlyMap<string, Endpoint<Services>> = new Map(
  coreEndpoints.map((endpoint) => [endpoint.operationId, endpoint]),
);

function contextOf({ sent, raw }: Sent, call: AnyCall, services: Services): StepContext {
  return {
    sent,
    services,
    workspace: call.caller.workspace,
    headers: raw.headers,
    rest: createRest(),
    read: async ({ operation, params }) => {
      const target = operations.get(operation);
      if (target === undefined) throw new Error(`No operation ${operation}`);
      const input = { params, query: "", body: undefined };
      const reply = await target.handle(await sideCall(call, { target, input }), services);
      return await jsonOf(reply, raw) ?? {};
    },
  };
}

/** A read beside the call itself: it has no preconditions of its own. */
async function sideCall(call: AnyCall, validation: Validation): Promise<AnyCall> {
  const none = { idempotency: undefined, requireMatch: () => {}, isNotModified: () => false };
  return { ...await validated(call, validation), ...none };
}
