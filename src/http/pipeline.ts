/**
 * The one way of a request.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { AddressLimit } from "./address_limit.ts";
import { createErrorResponse, createReplyResponse } from "./answer.ts";
import { type BodyLimits, readBody } from "./body.ts";
import type { Connection } from "./client_address.ts";
import { answerOptions, commonFields } from "./common_fields.ts";
import { type Preconditions, readPreconditions } from "./conditional.ts";
import type { Cors } from "./cors.ts";
import type { Deadlines } from "./deadline.ts";
import type { Call, Reply } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { type Incoming, type IncomingLimits, openIncoming } from "./incoming.ts";
import type { Drain } from "./drain.ts";
import { readInput, readParams, readQuery } from "./input.ts";
import { createPreconditions } from "./preconditions.ts";
import type { ParsedRequest, ParseRequest } from "./request.ts";
import { negotiate } from "./negotiation.ts";
import { isStreamed, JSON_TYPE } from "./output.ts";
import { parseBody, type ParsedBody } from "./parsed_body.ts";
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
export type Handler = (
  request: Request,
  connection?: Connection,
) => Response | Promise<Response>;

// The global one is looked up anew, and made on demand, each time that it is named.
const { performance } = globalThis;

/** The server as a function: it answers every request and never throws. */
export function createHandler<S>(pipeline: Pipeline<S>): Handler {
  return (request, connection) => serve(pipeline, request, connection);
}

function serve<S>(
  pipeline: Pipeline<S>,
  request: Request,
  connection: Connection | undefined,
): Response | Promise<Response> {
  const trace = newTrace(request.method, connection);
  try {
    const answered = respond(pipeline, request, trace);
    return answered instanceof Promise
      ? serveLater(pipeline, trace, answered)
      : finish(pipeline, trace, { response: answered });
  } catch (thrown) {
    return fail(pipeline, trace, thrown);
  }
}

async function serveLater<S>(
  pipeline: Pipeline<S>,
  trace: Trace,
  answered: Promise<Response>,
): Promise<Response> {
  try {
    const { deadlines } = pipeline;
    const response = await (trace.isUnbounded
      ? deadlines.follow(answered)
      : deadlines.run(answered, trace.started, () =>
        trace.isUnbounded));
    return finish(pipeline, trace, { response });
  } catch (thrown) {
    return fail(pipeline, trace, thrown);
  }
}

function fail<S>(pipeline: Pipeline<S>, trace: Trace, thrown: unknown): Response {
  const error = toAppError(thrown);
  const response = createErrorResponse(error, { ...trace, fields: commonFields(pipeline, trace) });
  return finish(pipeline, trace, { response, error });
}

/**
 * INVARIANT: the order of the steps of these three functions is the order of refusals, and nothing
 * re-parses the path. What has nothing to wait for is answered at once.
 */
function respond<S>(
  pipeline: Pipeline<S>,
  request: Request,
  trace: Trace,
): Response | Promise<Response> {
  const parsed = pipeline.parseRequest(request);
  identify(trace, parsed);
  const matched = matchPath(pipeline.router, parsed.path);
  trace.route = matched.entry.path;
  if (parsed.method === "OPTIONS") return answerOptions(pipeline, parsed, { matched, trace });
  const route = matchMethod(matched, parsed.method);
  if (!route.endpoint.probe) pipeline.drain.assertOpen();
  trace.isUnbounded = route.endpoint.streams === true;
  const asked: Asked<S> = { request, trace, parsed, params: matched.params, route };
  return route.isPublic ? respondToAnyone(pipeline, asked) : respondToToken(pipeline, asked);
}

/** A request whose route is known. */
interface Asked<S> {
  readonly request: Request;
  readonly trace: Trace;
  readonly parsed: ParsedRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly route: Route<S>;
}

/** A public route takes any `Accept`, unless it has several forms to choose from. */
function respondToAnyone<S>(
  pipeline: Pipeline<S>,
  asked: Asked<S>,
): Response | Promise<Response> {
  const { trace, parsed: { headers }, route: { endpoint: { alternatives, probe } } } = asked;
  if (!probe) trace.fields = pipeline.addressLimit.spend(chargeOf(asked));
  const mediaType = alternatives === undefined ? JSON_TYPE : negotiate(headers, alternatives);
  return respondTo(pipeline, asked, { caller: pipeline.gate.anonymous, mediaType });
}

async function respondToToken<S>(pipeline: Pipeline<S>, asked: Asked<S>): Promise<Response> {
  const { gate, rateLimiter, now } = pipeline;
  const { trace, parsed: { headers }, route } = asked;
  const authorization = headers.get("authorization") ?? null;
  // A caller that is known is not waited for: every wait is a turn of the microtask queue.
  const caller = gate.recall(authorization, now()) ??
    await authenticate(pipeline, asked, authorization);
  trace.caller = caller;
  trace.access = route.access(caller);
  authorize(gate, { caller, decision: trace.access.decision });
  trace.fields = rateLimiter.spend(rateKey(caller), trace.started);
  const mediaType = negotiate(headers, route.endpoint.alternatives);
  const enrolling = gate.ensureUser(caller);
  if (enrolling !== undefined) await enrolling;
  return respondTo(pipeline, asked, { caller, mediaType });
}

/**
 * Verifies a token. A check is charged beforehand, so that a storm of bad ones is refused before any is
 * looked at, and refunded if the token is good. One that was good before is not charged.
 */
async function authenticate<S>(
  { gate, addressLimit, now }: Pipeline<S>,
  asked: Asked<S>,
  authorization: string | null,
): Promise<Principal> {
  if (gate.wasGood(authorization)) return await gate.authenticate(authorization, now());
  const charge = chargeOf(asked);
  asked.trace.fields = addressLimit.spend(charge);
  const caller = await gate.authenticate(authorization, now());
  asked.trace.fields = [];
  addressLimit.refund(charge);
  return caller;
}

function chargeOf<S>({ trace: { connection, started: time }, parsed: { headers } }: Asked<S>) {
  return { connection, headers, time };
}

function respondTo<S>(
  pipeline: Pipeline<S>,
  asked: Asked<S>,
  { caller, mediaType }: Pick<Reader, "caller" | "mediaType">,
): Response | Promise<Response> {
  const { request, trace, parsed, route } = asked;
  const access = trace.access ??= route.access(caller);
  const conditions = readPreconditions(parsed.headers);
  const reader: Reader = { caller, access, conditions, mediaType };
  if (route.endpoint.streams) {
    return handle(pipeline, asked, {
      ...reader,
      incoming: openIncoming(request, parsed, pipeline.limits),
    });
  }
  return route.endpoint.body === undefined
    ? handle(pipeline, asked, reader)
    : readBody(request, parsed, pipeline.limits)
      .then(parseBody).then((body) => handle(pipeline, asked, { ...reader, body }));
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

function handle<S>(
  pipeline: Pipeline<S>,
  asked: Asked<S>,
  reader: Reader,
): Response | Promise<Response> {
  const { route: { endpoint } } = asked;
  const reply = endpoint.handle(readCall(asked, reader, pipeline.now()), pipeline.services);
  const toResponse = (reply: Reply) => answerWith(pipeline, asked, { reply, reader });
  return reply instanceof Promise ? reply.then(toResponse) : toResponse(reply);
}

function answerWith<S>(
  pipeline: Pipeline<S>,
  { trace, parsed, route }: Asked<S>,
  { reply, reader: { access, conditions } }: { readonly reply: Reply; readonly reader: Reader },
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

interface Outcome {
  readonly response: Response;
  readonly error?: AppError;
}

/** Writes the request's one log record, and lets its answer go. */
function finish<S>(
  { log }: Pipeline<S>,
  trace: Trace,
  { response, error }: Outcome,
): Response {
  const { status } = response;
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
  return response;
}
