/**
 * The request handler: every request passes these steps in this order.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { readDurably, type VisibleState, writeDurably } from "../shared/durable.ts";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { LongText } from "../shared/long_text.ts";
import { yieldToEventLoop } from "../shared/yield_to_event_loop.ts";
import type { AddressLimit } from "./address_limit.ts";
import { createErrorResponse, createReplyResponse } from "./response.ts";
import type { AuditLog } from "./audit_log.ts";
import {
  type BodyLimits,
  isOfType,
  LINES_TYPE,
  MARKDOWN_TYPE,
  parseBody,
  type ParsedBody,
  parseLines,
  readBody,
  readText,
} from "./body.ts";
import type { BodySlots } from "./body_slots.ts";
import type { Connection } from "./client_address.ts";
import { commonFields, respondToOptions } from "./common_fields.ts";
import type { Cors } from "./cors.ts";
import type { Deadlines } from "./deadline.ts";
import type { Call, Endpoint, RawInput, Reply } from "./endpoint.ts";
import { type ErrorFormat, formatFor } from "./error_format.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { type Incoming, type IncomingLimits, openIncoming } from "./incoming.ts";
import type { Drain } from "./drain.ts";
import { type Forwarder, isRead } from "./forwarder.ts";
import { readInput, readLines, readParams, readQuery } from "./input.ts";
import { createPreconditions, type Preconditions, readPreconditions } from "./preconditions.ts";
import { type HttpRequest, LIMITS, type ParsedRequest, type ParseRequest } from "./request.ts";
import { negotiate } from "./negotiation.ts";
import { isStreamed, JSON_TYPE, sentBodyOf } from "./response_writer.ts";
import { toAppError } from "./problem.ts";
import { readRange } from "./range.ts";
import type { RateLimiter } from "./rate_limit.ts";
import type { FieldPath } from "./redact.ts";
import { redactLongText } from "./redact_text.ts";
import { type Access, type AuthGate, authorize, hiddenOn, type Route } from "./route.ts";
import type { RouteMatch, Router } from "./router.ts";
import type { UnreadAnswers } from "./unread_answers.ts";
import { identify, newTrace, type Trace } from "./trace.ts";

export interface Pipeline<S> {
  readonly parseRequest: ParseRequest;
  readonly router: Router<Route<S>>;
  /** Returns the services for a caller from whom the policy hides these fields. */
  readonly servicesFor: (hidden: readonly FieldPath[]) => S;
  readonly gate: AuthGate;
  readonly rateLimiter: RateLimiter;
  readonly addressLimit: AddressLimit;
  readonly cors: Cors;
  /** The state that handlers see before it is on the disk. */
  readonly visible: VisibleState;
  readonly log: Log;
  /** How errors look where they are no problems (RFC 9457). */
  readonly errorFormats?: readonly ErrorFormat[];
  /** Undefined: calls are not audited. */
  readonly audit?: AuditLog;
  readonly deadlines: Deadlines;
  readonly limits: BodyLimits & IncomingLimits;
  readonly bodySlots: BodySlots;
  readonly unread: UnreadAnswers;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Tells whether the server is stopping. */
  readonly drain: Drain;
  /** Passes requests on that another process handles; undefined if there is none. */
  readonly forwarder?: Forwarder;
}

/** Handles a request; without a connection, as in tests, no client address is known. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>;

/** Handles a request that came to this process or to another. */
export type RequestHandler = (
  request: HttpRequest,
  connection?: Connection,
) => Promise<Response>;

// The getter of the global runs each time that it is named.
const { performance } = globalThis;

/** Creates the handler: it responds to every request, logs it once, and never rejects. */
export function createHandler<S>(pipeline: Pipeline<S>): RequestHandler {
  const { deadlines } = pipeline;
  return async (request, connection) => {
    const trace = newTrace(request.method, connection);
    try {
      const responding = respond(pipeline, request, trace);
      const response = await (trace.isUnbounded
        ? deadlines.track(responding)
        : deadlines.run(responding, trace.started, () =>
          trace.isUnbounded));
      if (!trace.isForwarded) logRequest(pipeline, trace, response);
      return response;
    } catch (thrown) {
      trace.hasFailed = true;
      const error = toAppError(thrown);
      const fields = commonFields(pipeline, trace);
      const format = formatFor(pipeline.errorFormats, request.url);
      const response = createErrorResponse(error, { ...trace, fields, format });
      logRequest(pipeline, trace, response, error);
      return response;
    }
  };
}

/**
 * INVARIANT: the order of the steps decides which error a client gets; nothing parses the path
 * again.
 */
async function respond<S>(
  pipeline: Pipeline<S>,
  request: HttpRequest,
  trace: Trace,
): Promise<Response> {
  const parsed = pipeline.parseRequest(request);
  identify(trace, parsed);
  const matched = matchPath(pipeline.router, parsed.path);
  trace.route = matched.entry.path;
  trace.params = matched.params;
  if (parsed.method === "OPTIONS") return respondToOptions(pipeline, parsed, { matched, trace });
  const route = matchMethod(matched, parsed.method);
  const { endpoint } = route;
  if (!endpoint.probe) pipeline.drain.assertOpen();
  if (pipeline.forwarder?.takes(endpoint)) {
    trace.isUnbounded = trace.isForwarded = true;
    return forward(pipeline.forwarder, pipeline.drain, { request, trace });
  }
  trace.isUnbounded = endpoint.streams === true;
  const caller =
    await (route.isPublic
      ? admitAnyone(pipeline, { trace, parsed, endpoint })
      : authenticate(pipeline, trace, parsed));
  const access = trace.access = route.access(caller, trace.requestId);
  authorize(pipeline.gate, { caller, decision: access.decision });
  if (!route.isPublic) {
    const fields = pipeline.rateLimiter.spend(rateKey(caller), trace.started);
    trace.fields = fields instanceof Promise ? await fields : fields;
  }
  const mediaType = mediaTypeFor(route, parsed);
  if (!route.isPublic) await pipeline.gate.ensureUser(caller);
  const conditions = readPreconditions(parsed.headers);
  const reader: RequestContext = { caller, access, conditions, mediaType };
  const content = await readContent(pipeline, request, { parsed, endpoint, caller });
  const call = readCall(
    { trace, parsed, params: matched.params, route },
    { ...reader, ...content },
    pipeline.now(),
  );
  // Validating a large body took long.
  if (call.isLarge) await yieldToEventLoop();
  const settle = isRead(endpoint) ? readDurably : writeDurably;
  const complete = await settle(
    pipeline.visible,
    () => replyTo(endpoint, call, pipeline.servicesFor(access.hidden)),
  );
  const reply = trace.reply = await redactLong(complete, hiddenOn(route, access));
  return toResponse(pipeline, { trace, parsed, route, reply, reader });
}

/** INVARIANT: a body is an array only if it is JSON Lines. */
function replyTo<S>(
  endpoint: Endpoint<S>,
  call: Call<unknown, unknown, unknown>,
  services: S,
): Promise<Reply> | Reply {
  const { body } = call;
  return Array.isArray(body) && endpoint.handleLines !== undefined
    ? endpoint.handleLines({ ...call, body }, services)
    : endpoint.handle(call, services);
}

/** Other replies are redacted at once, when the response is created. */
async function redactLong(reply: Reply, hidden: Access["hidden"] = []): Promise<Reply> {
  const { body } = reply;
  if (!(body instanceof LongText) || hidden.length === 0) return reply;
  return { ...reply, body: await redactLongText(body, hidden) };
}

interface ForwardedRequest {
  readonly request: HttpRequest;
  readonly trace: Trace;
}

/** The process that handles the request limits its time. */
async function forward(
  forwarder: Forwarder,
  drain: Drain,
  { request, trace: { connection } }: ForwardedRequest,
): Promise<Response> {
  const response = await forwarder.forward(request, connection);
  if (!drain.isDraining()) return response;
  const { status, body } = response;
  const headers = new Headers(response.headers);
  headers.set("connection", "close");
  return new Response(body, { status, headers });
}

interface Admission<S> {
  readonly trace: Trace;
  readonly parsed: ParsedRequest;
  readonly endpoint: Route<S>["endpoint"];
}

/** Returns the caller of a public route; charges the client address, unless it is a probe. */
async function admitAnyone<S>(
  { gate, addressLimit }: Pipeline<S>,
  { trace, parsed, endpoint }: Admission<S>,
): Promise<Principal> {
  if (!endpoint.probe) trace.fields = await addressLimit.spend(chargeOf(trace, parsed));
  return gate.anonymous;
}

/**
 * Returns the caller of a token. Verifying one is charged to the client address first and refunded
 * if the token is valid, so that a flood of invalid tokens is rejected before they are verified. A
 * bearer token in the cache is not charged; one that is bound to a key is, for its proof.
 */
async function authenticate<S>(
  { gate, addressLimit, now }: Pipeline<S>,
  trace: Trace,
  parsed: ParsedRequest,
): Promise<Principal> {
  const authorization = parsed.headers.get("authorization") ?? null;
  const cached = gate.findCached(authorization, now());
  if (cached !== undefined && cached.boundKey === undefined) return trace.caller = cached;
  const isCharged = !gate.isCached(authorization);
  const charge = chargeOf(trace, parsed);
  if (isCharged) trace.fields = await addressLimit.spend(charge);
  const caller = cached ?? await gate.authenticate(authorization, now());
  if (caller.boundKey !== undefined) {
    const { method, path, headers } = parsed;
    const request = { authorization, proof: headers.get("dpop"), method, path };
    trace.nonce = await gate.checkProof(caller, request, now());
  }
  if (isCharged) addressLimit.refund(charge);
  trace.fields = [];
  return trace.caller = caller;
}

function chargeOf({ connection, started: time }: Trace, { headers }: ParsedRequest) {
  return { connection, headers, time };
}

/** A public route accepts any `Accept`, unless it has alternative media types; a raw one always. */
function mediaTypeFor<S>({ isPublic, endpoint }: Route<S>, parsed: ParsedRequest): string {
  const { headers } = parsed;
  if (sendsLines(endpoint, parsed)) return negotiate(headers, [LINES_TYPE]);
  const { alternatives = [] } = endpoint;
  const isJson = (isPublic && alternatives.length === 0) || endpoint.raw === true;
  return isJson ? JSON_TYPE : negotiate(headers, [JSON_TYPE, ...alternatives]);
}

function sendsLines<S>(
  { handleLines }: Endpoint<S>,
  parsed: Pick<ParsedRequest, "headers">,
): boolean {
  return handleLines !== undefined && isOfType(parsed, LINES_TYPE);
}

interface ContentSource<S> extends Pick<Admission<S>, "parsed" | "endpoint"> {
  readonly caller: Principal;
}

/** Reads the body: whole, as a stream, or not at all, depending on the endpoint. */
async function readContent<S>(
  { limits, bodySlots }: Pipeline<S>,
  request: HttpRequest,
  { parsed, endpoint, caller }: ContentSource<S>,
): Promise<Pick<RequestContext, "body" | "incoming" | "markdown">> {
  if (endpoint.streams) return { incoming: openIncoming(request, parsed, limits) };
  if (endpoint.body === undefined) return {};
  const takesMarkdown = endpoint.fromMarkdown !== undefined;
  const others = [
    ...(endpoint.handleLines === undefined ? [] : [LINES_TYPE]),
    ...(takesMarkdown ? [MARKDOWN_TYPE] : []),
  ];
  const bytes = await readBody(request, parsed, {
    limits,
    others,
    slot: bodySlots(rateKey(caller)),
  });
  if (sendsLines(endpoint, parsed)) return { body: await parseLines(bytes, endpoint.body) };
  const isMarkdown = takesMarkdown && isOfType(parsed, MARKDOWN_TYPE);
  // A raw body is not what the schema describes.
  const schema = endpoint.raw === true ? undefined : endpoint.body;
  if (!isMarkdown) return { body: await parseBody(bytes, schema) };
  const isLarge = bytes.length > LIMITS.explainedBytes;
  return { body: { bytes, isLarge, json: () => ({}) }, markdown: readText(bytes) };
}

/** A request and its route. */
interface MatchedRequest<S> {
  readonly trace: Trace;
  readonly parsed: ParsedRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly route: Route<S>;
}

/** The caller of a request, its preconditions, and its body. */
interface RequestContext {
  readonly caller: Principal;
  readonly access: Access;
  readonly conditions: Preconditions;
  readonly mediaType: string;
  /** The body; undefined if the endpoint takes none. */
  readonly body?: ParsedBody;
  /** The text of the body, if it is Markdown. */
  readonly markdown?: string;
  /** The body of an endpoint that streams it. */
  readonly incoming?: Incoming;
}

interface RepliedRequest<S> extends Omit<MatchedRequest<S>, "params"> {
  readonly reply: Reply;
  readonly reader: RequestContext;
}

function toResponse<S>(
  pipeline: Pipeline<S>,
  { trace, parsed, route, reply, reader: { caller, access, conditions } }: RepliedRequest<S>,
): Response {
  const response = createReplyResponse({
    reply,
    acceptEncoding: parsed.headers.get("accept-encoding"),
    hidden: hiddenOn(route, access),
    isGet: route.method === "GET",
    varies: route.endpoint.alternatives !== undefined,
    method: parsed.method,
    conditions,
    fields: commonFields(pipeline, trace),
  });
  // A streamed response is in flight until the client has received or cancelled it.
  if (trace.connection !== undefined && isStreamed(response)) {
    const completed = trace.connection.completed.catch(() => {});
    const body = sentBodyOf(response);
    // All that is public is shared by its answers, so those of nobody would only crowd out others'.
    if (body !== undefined && !route.isPublic) {
      const isReading = isRead(route.endpoint);
      pipeline.unread.hold({ caller: rateKey(caller), body, isRead: isReading, completed });
    }
    pipeline.deadlines.track(completed);
  }
  return response;
}

function matchPath<S>(router: Router<Route<S>>, path: string): RouteMatch<Route<S>> {
  const matched = router.match(path);
  if (matched === undefined) throw new AppError("route_not_found", "No route matches this path");
  return matched;
}

function matchMethod<S>({ entry }: RouteMatch<Route<S>>, method: string): Route<S> {
  const route = entry.methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    throw new AppError("method_not_allowed", `Method ${method} is not allowed on this path`, {
      headers: { allow: entry.allow },
    });
  }
  return route;
}

function rateKey({ workspace, userId }: Principal): string {
  return `${workspace}\n${userId}`;
}

function readCall<S>(
  { trace, parsed, params, route }: MatchedRequest<S>,
  { caller, access, conditions, mediaType, body, markdown, incoming }: RequestContext,
  now: number,
): Call<unknown, unknown, unknown> {
  const preconditions = createPreconditions({ route, access, conditions });
  const isRaw = route.endpoint.raw === true;
  const input = isRaw
    ? NO_INPUT
    : readEndpointInput(route.endpoint, { params, parsed, body, markdown });
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    raw: isRaw ? rawInput({ parsed, params, body, hidden: access.hidden }) : undefined,
    isLarge: body?.isLarge ?? false,
    caller,
    hidden: access.hidden,
    isRedacted: (hiddenOn(route, access) ?? []).length > 0,
    requestId: trace.requestId,
    now,
    idempotency: body && readIdempotencyKey(parsed, { caller, body: body.bytes }),
    requireMatch: preconditions.requireMatch,
    isNotModified: preconditions.isNotModified,
    // Ranges are defined for GET only, not even for HEAD (RFC 9110 section 14.2).
    rangeOf: (whole) => parsed.method === "GET" ? readRange(parsed.headers, whole) : undefined,
    incoming,
    mediaType,
    liftTimeLimit: () => {
      trace.isUnbounded = true;
    },
    requireAwaited: () => {
      if (trace.hasFailed) throw new AppError("gateway_timeout", "Request took too long");
    },
  };
}

interface SentInput {
  readonly body: ParsedBody | undefined;
  readonly markdown?: string | undefined;
  readonly parsed: ParsedRequest;
  readonly params: Readonly<Record<string, string>>;
}

type Input = Pick<Call<unknown, unknown, unknown>, "params" | "query" | "body">;

const NO_INPUT: Input = { params: undefined, query: undefined, body: undefined };

/** Validates path, query and body against the schemas of the endpoint. */
function readEndpointInput<S>(
  endpoint: Endpoint<S>,
  { parsed, params: sentParams, body, markdown }: SentInput,
): Input {
  const params = readParams(endpoint.params, sentParams);
  const isForMarkdown = endpoint.fromMarkdown !== undefined;
  const query = readQuery(
    isForMarkdown && markdown === undefined ? undefined : endpoint.query,
    parsed.query,
  );
  return { params, query, body: readBodyInput(endpoint, query, { body, markdown, parsed }) };
}

function readBodyInput<S>(
  endpoint: Endpoint<S>,
  query: unknown,
  { parsed, body, markdown }: Omit<SentInput, "params">,
): unknown {
  if (body === undefined || endpoint.body === undefined) return undefined;
  const { validator } = body;
  const size = body.bytes.length;
  if (sendsLines(endpoint, parsed)) {
    return readLines(endpoint.body, body.json(), { size, validator });
  }
  const sent = markdown === undefined ? body.json() : endpoint.fromMarkdown?.(markdown, query);
  return readInput(endpoint.body, sent, { size, validator });
}

function rawInput(
  { parsed: { headers, query }, params, body, hidden }: SentInput & Pick<RawInput, "hidden">,
): RawInput {
  const bodyBytes = body?.bytes.length ?? 0;
  return { headers, params, query, body: body?.json(), bodyBytes, hidden };
}

function logRequest(
  { log, audit }: Pick<Pipeline<unknown>, "log" | "audit">,
  trace: Trace,
  { status }: Response,
  error?: AppError,
): void {
  audit?.record(trace, { status, code: error?.code ?? null });
  const decision = trace.access?.decision;
  log.request({
    method: trace.method,
    route: trace.route,
    status,
    code: error?.code ?? null,
    duration: performance.now() - trace.started,
    requestId: trace.requestId,
    decision: decision === undefined ? null : decision.public ? "public" : decision.effect,
    missing: decision?.missing[0] ?? [],
    subject: trace.caller?.subjectHash || null,
    reason: error?.reason,
    error: status >= 500 ? error?.cause : undefined,
    traceparent: trace.traceparent,
  });
}
