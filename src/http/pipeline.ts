/**
 * The one way of a request.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { AddressLimit } from "./address_limit.ts";
import { createErrorResponse, createReplyResponse } from "./response.ts";
import { type BodyLimits, parseBody, type ParsedBody, readBody } from "./body.ts";
import type { Connection } from "./client_address.ts";
import { answerOptions, commonFields } from "./common_fields.ts";
import type { Cors } from "./cors.ts";
import type { Deadlines } from "./deadline.ts";
import type { Call, Reply } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { type Incoming, type IncomingLimits, openIncoming } from "./incoming.ts";
import type { Drain } from "./drain.ts";
import { readInput, readParams, readQuery } from "./input.ts";
import { createPreconditions, type Preconditions, readPreconditions } from "./preconditions.ts";
import type { ParsedRequest, ParseRequest } from "./request.ts";
import { negotiate } from "./negotiation.ts";
import { isStreamed, JSON_TYPE } from "./response_writer.ts";
import { toAppError } from "./problem.ts";
import { readRange } from "./range.ts";
import type { RateLimiter } from "./rate_limit.ts";
import { type Access, type AuthGate, authorize, hiddenOn, type Route } from "./route.ts";
import type { RouteMatch, Router } from "./router.ts";
import { identify, newTrace, type Trace } from "./trace.ts";

export interface Pipeline<S> {
  readonly parseRequest: ParseRequest;
  readonly router: Router<Route<S>>;
  readonly services: S;
  readonly gate: AuthGate;
  readonly rateLimiter: RateLimiter;
  readonly addressLimit: AddressLimit;
  readonly cors: Cors;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly limits: BodyLimits & IncomingLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the server is about to stop, so that connections should close. */
  readonly drain: Drain;
}

/** Without a connection there is no network to look at, as in tests. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>;

// The global one is looked up anew, and made on demand, each time that it is named.
const { performance } = globalThis;

/** The server as a function: it answers every request, logs it once, and never rejects. */
export function createHandler<S>(pipeline: Pipeline<S>): Handler {
  const { deadlines } = pipeline;
  return async (request, connection) => {
    const trace = newTrace(request.method, connection);
    try {
      const responding = respond(pipeline, request, trace);
      const response = await (trace.isUnbounded
        ? deadlines.follow(responding)
        : deadlines.run(responding, trace.started, () =>
          trace.isUnbounded));
      logRequest(pipeline.log, trace, response);
      return response;
    } catch (thrown) {
      const error = toAppError(thrown);
      const fields = commonFields(pipeline, trace);
      const response = createErrorResponse(error, { ...trace, fields });
      logRequest(pipeline.log, trace, response, error);
      return response;
    }
  };
}

/** INVARIANT: the order of the steps is the order of refusals, and nothing re-parses the path. */
async function respond<S>(
  pipeline: Pipeline<S>,
  request: Request,
  trace: Trace,
): Promise<Response> {
  const parsed = pipeline.parseRequest(request);
  identify(trace, parsed);
  const matched = matchPath(pipeline.router, parsed.path);
  trace.route = matched.entry.path;
  if (parsed.method === "OPTIONS") return answerOptions(pipeline, parsed, { matched, trace });
  const route = matchMethod(matched, parsed.method);
  const { endpoint } = route;
  if (!endpoint.probe) pipeline.drain.assertOpen();
  trace.isUnbounded = endpoint.streams === true;
  const caller =
    await (route.isPublic
      ? admitAnyone(pipeline, { trace, parsed, endpoint })
      : authenticate(pipeline, trace, parsed));
  const access = trace.access = route.access(caller);
  authorize(pipeline.gate, { caller, decision: access.decision });
  if (!route.isPublic) trace.fields = pipeline.rateLimiter.spend(rateKey(caller), trace.started);
  const mediaType = mediaTypeFor(route, parsed);
  if (!route.isPublic) await pipeline.gate.ensureUser(caller);
  const conditions = readPreconditions(parsed.headers);
  const reader: Reader = { caller, access, conditions, mediaType };
  const content = await readContent(pipeline, request, { parsed, endpoint });
  const call = readCall(
    { trace, parsed, params: matched.params, route },
    { ...reader, ...content },
    pipeline.now(),
  );
  const reply = await endpoint.handle(call, pipeline.services);
  return toResponse(pipeline, { trace, parsed, route, reply, reader });
}

interface Admission<S> {
  readonly trace: Trace;
  readonly parsed: ParsedRequest;
  readonly endpoint: Route<S>["endpoint"];
}

/** The caller of a public route, charged to the client's address unless it is a probe. */
function admitAnyone<S>(
  { gate, addressLimit }: Pipeline<S>,
  { trace, parsed, endpoint }: Admission<S>,
): Principal {
  if (!endpoint.probe) trace.fields = addressLimit.spend(chargeOf(trace, parsed));
  return gate.anonymous;
}

/**
 * The caller that a token names. Verifying one is charged beforehand, so that a storm of bad ones is
 * refused before any is looked at, and refunded if the token is good. One that was good before is not
 * charged.
 */
async function authenticate<S>(
  { gate, addressLimit, now }: Pipeline<S>,
  trace: Trace,
  parsed: ParsedRequest,
): Promise<Principal> {
  const authorization = parsed.headers.get("authorization") ?? null;
  const known = gate.recall(authorization, now());
  if (known !== undefined) return trace.caller = known;
  const isCharged = !gate.wasGood(authorization);
  const charge = chargeOf(trace, parsed);
  if (isCharged) trace.fields = addressLimit.spend(charge);
  trace.caller = await gate.authenticate(authorization, now());
  if (isCharged) addressLimit.refund(charge);
  trace.fields = [];
  return trace.caller;
}

function chargeOf({ connection, started: time }: Trace, { headers }: ParsedRequest) {
  return { connection, headers, time };
}

/** A public route takes any `Accept`, unless it has several forms to choose from. */
function mediaTypeFor<S>(
  { isPublic, endpoint: { alternatives } }: Route<S>,
  { headers }: ParsedRequest,
): string {
  return isPublic && alternatives === undefined ? JSON_TYPE : negotiate(headers, alternatives);
}

/** What the client sent: a body that is read whole, one that is taken as it comes, or none. */
async function readContent<S>(
  { limits }: Pipeline<S>,
  request: Request,
  { parsed, endpoint }: Pick<Admission<S>, "parsed" | "endpoint">,
): Promise<Pick<Reader, "body" | "incoming">> {
  if (endpoint.streams) return { incoming: openIncoming(request, parsed, limits) };
  if (endpoint.body === undefined) return {};
  return { body: await parseBody(await readBody(request, parsed, limits)) };
}

/** A request whose route is known. */
interface Asked<S> {
  readonly trace: Trace;
  readonly parsed: ParsedRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly route: Route<S>;
}

/** Who asks, what they hold already, and what they sent. */
interface Reader {
  readonly caller: Principal;
  readonly access: Access;
  readonly conditions: Preconditions;
  readonly mediaType: string;
  /** The body; undefined where the endpoint takes none. */
  readonly body?: ParsedBody;
  /** The body of an endpoint that takes it as it comes. */
  readonly incoming?: Incoming;
}

interface Replied<S> extends Omit<Asked<S>, "params"> {
  readonly reply: Reply;
  readonly reader: Reader;
}

function toResponse<S>(
  pipeline: Pipeline<S>,
  { trace, parsed, route, reply, reader: { access, conditions } }: Replied<S>,
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
  // It is in flight until its client has the answer, or takes no more of it.
  if (trace.connection !== undefined && isStreamed(response)) {
    pipeline.deadlines.follow(trace.connection.completed.catch(() => {}));
  }
  return response;
}

function matchPath<S>(router: Router<Route<S>>, path: string): RouteMatch<Route<S>> {
  const matched = router.match(path);
  if (matched === undefined) throw new AppError("route_not_found", "No route has this path");
  return matched;
}

function matchMethod<S>({ entry }: RouteMatch<Route<S>>, method: string): Route<S> {
  const route = entry.methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) {
    throw new AppError("method_not_allowed", `Method ${method} is not allowed here`, {
      headers: { allow: entry.allow },
    });
  }
  return route;
}

function rateKey({ workspace, userId }: Principal): string {
  return `${workspace}\n${userId}`;
}

function readCall<S>(
  { trace, parsed, params, route }: Asked<S>,
  { caller, access, conditions, mediaType, body, incoming }: Reader,
  now: number,
): Call<unknown, unknown, unknown> {
  const { endpoint } = route;
  const preconditions = createPreconditions({ route, access, conditions });
  return {
    params: readParams(endpoint.params, params),
    query: readQuery(endpoint.query, parsed.query),
    body: body && endpoint.body &&
      readInput(endpoint.body, body.json(), { size: body.bytes.length }),
    isLarge: body?.isLarge ?? false,
    caller,
    requestId: trace.requestId,
    now,
    idempotency: body && readIdempotencyKey(parsed, { caller, body: body.bytes }),
    requireMatch: preconditions.requireMatch,
    isHeld: preconditions.isHeld,
    // No other method knows ranges, HEAD neither (RFC 9110 section 14.2).
    rangeOf: (whole) => parsed.method === "GET" ? readRange(parsed.headers, whole) : undefined,
    incoming,
    mediaType,
    outlast: () => {
      trace.isUnbounded = true;
    },
  };
}

function logRequest(log: Log, trace: Trace, { status }: Response, error?: AppError): void {
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
  });
}
