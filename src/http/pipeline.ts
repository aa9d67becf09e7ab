/**
 * The one way of a request.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../observe.ts";
import { answer, refuse } from "./answer.ts";
import { type BodyLimits, readBody } from "./body.ts";
import { type Preconditions, readPreconditions } from "./conditional.ts";
import type { Cors } from "./cors.ts";
import type { Deadlines } from "./deadline.ts";
import type { Call, Reply } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { type Incoming, type IncomingLimits, openIncoming } from "./incoming.ts";
import { readInput, readParams, readQuery } from "./input.ts";
import { createJudge } from "./judge.ts";
import type { Admit, Admitted } from "./limits.ts";
import { negotiate } from "./negotiation.ts";
import { createEmptyResponse, type Fields, JSON_TYPE } from "./output.ts";
import { parseBody, type ParsedBody } from "./parsed_body.ts";
import { toAppError } from "./problem.ts";
import { readRange } from "./range.ts";
import type { RateLimiter } from "./rate_limit.ts";
import { type Access, authorize, type Gate, hiddenOn, type Route } from "./route.ts";
import type { RouteMatch, Router } from "./router.ts";

export interface Pipeline<S> {
  readonly admit: Admit;
  readonly router: Router<Route<S>>;
  readonly services: S;
  readonly gate: Gate;
  readonly rateLimiter: RateLimiter;
  readonly cors: Cors;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly limits: BodyLimits & IncomingLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the server is about to stop, so that connections should close. */
  readonly isDraining: () => boolean;
}

export type Handler = (request: Request) => Response | Promise<Response>;

/** What is known of a request so far; the log record is made of it whatever happens. */
interface Trace {
  readonly started: number;
  readonly method: string;
  requestId: string;
  origin: string | undefined;
  route: string | null;
  /** Whether it takes the time that it takes. */
  isUnbounded: boolean;
  access: Access | undefined;
  caller: Principal | undefined;
  fields: Fields;
}

// The global ones are looked up anew, and made on demand, each time that they are named.
const { crypto, performance } = globalThis;

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The server as a function: it answers every request and never throws. */
export function createHandler<S>(pipeline: Pipeline<S>): Handler {
  return (request) => serve(pipeline, request);
}

function serve<S>(pipeline: Pipeline<S>, request: Request): Response | Promise<Response> {
  const trace = newTrace(request.method);
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
  const refusal = toAppError(thrown);
  const response = refuse(refusal, { ...trace, fields: commonFields(pipeline, trace) });
  return finish(pipeline, trace, { response, refusal });
}

function newTrace(method: string): Trace {
  return {
    started: performance.now(),
    method,
    requestId: crypto.randomUUID(),
    origin: undefined,
    route: null,
    isUnbounded: false,
    access: undefined,
    caller: undefined,
    fields: [],
  };
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
  const admitted = pipeline.admit(request);
  identify(trace, admitted);
  const matched = matchPath(pipeline.router, admitted.path);
  trace.route = matched.entry.path;
  if (admitted.method === "OPTIONS") return options(pipeline, admitted, { matched, trace });
  const route = matchMethod(matched, admitted.method);
  trace.isUnbounded = route.endpoint.streams === true;
  const asked: Asked<S> = { request, trace, admitted, params: matched.params, route };
  return route.isPublic ? respondToAnyone(pipeline, asked) : respondToToken(pipeline, asked);
}

/** A request whose route is known. */
interface Asked<S> {
  readonly request: Request;
  readonly trace: Trace;
  readonly admitted: Admitted;
  readonly params: Readonly<Record<string, string>>;
  readonly route: Route<S>;
}

/** A public route takes any `Accept`, unless it has several forms to choose from. */
function respondToAnyone<S>(
  pipeline: Pipeline<S>,
  asked: Asked<S>,
): Response | Promise<Response> {
  const { admitted: { headers }, route: { endpoint: { alternatives } } } = asked;
  const mediaType = alternatives === undefined ? JSON_TYPE : negotiate(headers, alternatives);
  return respondTo(pipeline, asked, { caller: pipeline.gate.anonymous, mediaType });
}

async function respondToToken<S>(pipeline: Pipeline<S>, asked: Asked<S>): Promise<Response> {
  const { gate, rateLimiter, now } = pipeline;
  const { trace, admitted: { headers }, route } = asked;
  const known = gate.authenticate(headers.get("authorization") ?? null, now());
  // A caller that is known is not waited for: every wait is a turn of the microtask queue.
  const caller = known instanceof Promise ? await known : known;
  trace.caller = caller;
  trace.access = route.access(caller);
  authorize(gate, { caller, decision: trace.access.decision });
  trace.fields = rateLimiter.spend(rateKey(caller), trace.started);
  const mediaType = negotiate(headers, route.endpoint.alternatives);
  const enrolling = gate.enrol(caller);
  if (enrolling !== undefined) await enrolling;
  return respondTo(pipeline, asked, { caller, mediaType });
}

function respondTo<S>(
  pipeline: Pipeline<S>,
  asked: Asked<S>,
  { caller, mediaType }: Pick<Reader, "caller" | "mediaType">,
): Response | Promise<Response> {
  const { request, trace, admitted, route } = asked;
  const access = trace.access ??= route.access(caller);
  const conditions = readPreconditions(admitted.headers);
  const reader: Reader = { caller, access, conditions, mediaType };
  if (route.endpoint.streams) {
    return handle(pipeline, asked, {
      ...reader,
      incoming: openIncoming(request, admitted, pipeline.limits),
    });
  }
  return route.endpoint.body === undefined
    ? handle(pipeline, asked, reader)
    : readBody(request, admitted, pipeline.limits)
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
  { trace, admitted, route }: Asked<S>,
  { reply, reader: { access, conditions } }: { readonly reply: Reply; readonly reader: Reader },
): Response {
  return answer({
    reply,
    acceptEncoding: admitted.headers.get("accept-encoding"),
    hidden: hiddenOn(route, access),
    isGet: route.method === "GET",
    varies: route.endpoint.alternatives !== undefined,
    method: admitted.method,
    conditions,
    fields: commonFields(pipeline, trace),
  });
}

function identify(trace: Trace, { headers }: Admitted): void {
  const id = headers.get("x-request-id");
  if (id !== undefined && REQUEST_ID.test(id)) trace.requestId = id;
  trace.origin = headers.get("origin");
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

function options<S>(
  pipeline: Pipeline<S>,
  { headers }: Admitted,
  { matched: { entry }, trace }: { readonly matched: RouteMatch<Route<S>>; readonly trace: Trace },
): Response {
  const isPreflight = headers.has("access-control-request-method");
  const patch: Fields = entry.methods.has("PATCH")
    ? [["accept-patch", "application/json, application/merge-patch+json"]]
    : [];
  const fields: Fields = [
    ["allow", entry.allow],
    ...patch,
    ...commonFields(pipeline, trace),
    ...(isPreflight ? pipeline.cors.preflightFields(trace.origin, entry.allow) : []),
  ];
  return createEmptyResponse(204, { fields });
}

function rateKey({ workspace, userId }: Principal): string {
  return `${workspace}\n${userId}`;
}

function readCall<S>(
  { trace, admitted, params, route }: Asked<S>,
  { caller, access, conditions, mediaType, body, incoming }: Reader,
  now: number,
): Call<unknown, unknown, unknown> {
  const { endpoint } = route;
  const judge = createJudge({ route, access, conditions });
  return {
    params: readParams(endpoint.params, params),
    query: readQuery(endpoint.query, admitted.query),
    body: body && endpoint.body &&
      readInput(endpoint.body, body.json(), { size: body.bytes.length }),
    isLarge: body?.isLarge ?? false,
    caller,
    requestId: trace.requestId,
    now,
    idempotency: body && readIdempotencyKey(admitted, { caller, body: body.bytes }),
    requireMatch: judge.requireMatch,
    isHeld: judge.isHeld,
    // No other method knows ranges, HEAD neither (RFC 9110 section 14.2).
    rangeOf: (whole) => admitted.method === "GET" ? readRange(admitted.headers, whole) : undefined,
    incoming,
    mediaType,
    outlast: () => {
      trace.isUnbounded = true;
    },
  };
}

/** Fields that every answer to this request has, refusals too. */
function commonFields<S>({ cors, isDraining }: Pipeline<S>, trace: Trace): Fields {
  const fields: (readonly [string, string])[] = [["x-request-id", trace.requestId]];
  // One by one, since most requests have none of them, and to spread nothing takes a while too.
  for (const field of trace.fields) fields.push(field);
  for (const field of cors.fields(trace.origin)) fields.push(field);
  if (isDraining()) fields.push(["connection", "close"]);
  return fields;
}

interface Outcome {
  readonly response: Response;
  readonly refusal?: AppError;
}

/** Writes the request's one log record, and lets its answer go. */
function finish<S>(
  { log }: Pipeline<S>,
  trace: Trace,
  { response, refusal }: Outcome,
): Response {
  const { status } = response;
  const decision = trace.access?.decision;
  log.request({
    method: trace.method,
    route: trace.route,
    status,
    code: refusal?.code ?? null,
    duration: performance.now() - trace.started,
    requestId: trace.requestId,
    decision: decision === undefined ? null : decision.public ? "public" : decision.effect,
    missing: decision?.missing[0] ?? [],
    subject: trace.caller?.subjectHash || null,
    reason: refusal?.reason,
    error: status >= 500 ? refusal?.cause : undefined,
  });
  return response;
}
