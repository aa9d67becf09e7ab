/**
 * The one way of a request.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../observe.ts";
import type { Decision } from "../policy/engine.ts";
import { answer, refuse } from "./answer.ts";
import { readBody } from "./body.ts";
import { type Preconditions, readPreconditions, requireMatch } from "./conditional.ts";
import type { Cors } from "./cors.ts";
import type { Deadlines } from "./deadline.ts";
import type { AnySchema, Call, Endpoint } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { readInput, readParams, readQuery } from "./input.ts";
import { parseJson } from "./json.ts";
import { admit, type Admitted } from "./limits.ts";
import { negotiate } from "./negotiation.ts";
import { createEmptyResponse, type Fields } from "./output.ts";
import { toAppError } from "./problem.ts";
import type { RateLimiter } from "./rate_limit.ts";
import type { FieldPath } from "./redact.ts";
import type { RouteMatch, Router } from "./router.ts";

/** What the policy says about one route to one caller. */
export interface Access {
  readonly decision: Decision;
  /** Fields that this caller may not see. */
  readonly hidden: readonly FieldPath[];
}

/** An endpoint with what boot could find out about it. */
export interface Route<S> {
  readonly method: Endpoint<S>["method"];
  readonly path: string;
  readonly endpoint: Endpoint<S>;
  /** Open without a token. */
  readonly isPublic: boolean;
  /** Whether its answers can hold a field that the policy guards. */
  readonly holdsGuarded: boolean;
  access(caller: Principal): Access;
}

export interface Gate {
  /** The caller that an `Authorization` value names; throws `unauthorized` and its kin. */
  authenticate(authorization: string | null, now: number): Principal | Promise<Principal>;
  /** Value of `WWW-Authenticate` for a caller that lacks scopes (RFC 6750 section 3). */
  challenge(options: { readonly error: "insufficient_scope"; readonly scope: string }): string;
  /** The caller of a public route. */
  readonly anonymous: Principal;
  /** Called once an authorized caller is known, before its handler: makes its user. */
  enrol(caller: Principal): Promise<void> | undefined;
}

export interface Pipeline<S> {
  readonly router: Router<Route<S>>;
  readonly services: S;
  readonly gate: Gate;
  readonly rateLimiter: RateLimiter;
  readonly cors: Cors;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly limits: { readonly bodyBytes: number; readonly bodyTime: number };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the server is about to stop, so that connections should close. */
  readonly isDraining: () => boolean;
  /** What Deno puts into the URL of a request without a `Host`. */
  readonly fallbackAuthority: string | undefined;
}

export type Handler = (request: Request) => Promise<Response>;

/** What is known of a request so far; the log record is made of it whatever happens. */
interface Trace {
  readonly started: number;
  readonly method: string;
  requestId: string;
  origin: string | undefined;
  route: string | null;
  access: Access | undefined;
  caller: Principal | undefined;
  fields: Fields;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The server as a function: it answers every request and never throws. */
export function createHandler<S>(pipeline: Pipeline<S>): Handler {
  return (request) => serve(pipeline, request);
}

async function serve<S>(pipeline: Pipeline<S>, request: Request): Promise<Response> {
  const trace = newTrace(request.method);
  let response: Response;
  let refusal: AppError | undefined;
  try {
    response = await pipeline.deadlines.run(respond(pipeline, request, trace), trace.started);
  } catch (thrown) {
    refusal = toAppError(thrown);
    response = refuse(refusal, { ...trace, fields: commonFields(pipeline, trace) });
  }
  record(pipeline, trace, response.status, refusal);
  return response;
}

function newTrace(method: string): Trace {
  return {
    started: performance.now(),
    method,
    requestId: crypto.randomUUID(),
    origin: undefined,
    route: null,
    access: undefined,
    caller: undefined,
    fields: [],
  };
}

/** INVARIANT: the order of these steps is the order of refusals, and nothing re-parses the path. */
async function respond<S>(
  pipeline: Pipeline<S>,
  request: Request,
  trace: Trace,
): Promise<Response> {
  const admitted = admit(request, pipeline.fallbackAuthority);
  identify(trace, admitted);
  const matched = matchPath(pipeline.router, admitted.path);
  trace.route = matched.entry.path;
  if (admitted.method === "OPTIONS") return options(pipeline, admitted, { matched, trace });
  const route = matchMethod(matched, admitted.method);
  const caller = route.isPublic ? pipeline.gate.anonymous : await authenticate(pipeline, admitted);
  trace.caller = caller;
  trace.access = route.access(caller);
  authorize(pipeline.gate, trace.access.decision);
  if (!route.isPublic) {
    trace.fields = pipeline.rateLimiter.spend(rateKey(caller), trace.started);
    negotiate(admitted.headers);
    await pipeline.gate.enrol(caller);
  }
  const conditions = readPreconditions(admitted.headers);
  const bytes = route.endpoint.body && await readBody(request, admitted, pipeline.limits);
  const call = readCall(
    { trace, admitted, matched, route, caller, conditions, bytes },
    pipeline.now(),
  );
  const reply = await route.endpoint.handle(call, pipeline.services);
  return answer({
    reply,
    hidden: route.holdsGuarded ? trace.access.hidden : undefined,
    isGet: route.method === "GET",
    method: trace.method,
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
  return createEmptyResponse(204, [
    ["allow", entry.allow],
    ...patch,
    ...commonFields(pipeline, trace),
    ...(isPreflight ? pipeline.cors.preflightFields(trace.origin, entry.allow) : []),
  ]);
}

function authenticate<S>(
  { gate, now }: Pipeline<S>,
  { headers }: Admitted,
): Principal | Promise<Principal> {
  return gate.authenticate(headers.get("authorization") ?? null, now());
}

function authorize(gate: Gate, { effect, required, missing }: Decision): void {
  if (effect === "allow") return;
  // Of several alternatives the one that is nearest.
  const lacking = missing[0] ?? [];
  const wanted = required.find((scopes) => lacking.every((scope) => scopes.includes(scope))) ?? [];
  const challenge = gate.challenge({ error: "insufficient_scope", scope: wanted.join(" ") });
  throw new AppError("forbidden", `Token lacks scopes: ${lacking.join(", ")}`, {
    members: { required_scopes: wanted, missing_scopes: lacking },
    headers: { "www-authenticate": challenge },
  });
}

function rateKey({ workspace, userId }: Principal): string {
  return `${workspace}\n${userId}`;
}

interface Reading<S> {
  readonly trace: Trace;
  readonly admitted: Admitted;
  readonly matched: RouteMatch<Route<S>>;
  readonly route: Route<S>;
  readonly caller: Principal;
  readonly conditions: Preconditions;
  /** The body; undefined where the endpoint takes none. */
  readonly bytes: Uint8Array | undefined;
}

function readCall<S>(reading: Reading<S>, now: number): Call<unknown, unknown, unknown> {
  const { trace, admitted, matched, route, caller, conditions, bytes } = reading;
  const { endpoint } = route;
  const isRead = endpoint.method === "GET";
  return {
    params: readParams(endpoint.params, matched.params),
    query: readQuery(endpoint.query, admitted.query),
    body: bytes && endpoint.body && readJson(endpoint.body, bytes),
    caller,
    requestId: trace.requestId,
    now,
    idempotency: bytes && readIdempotencyKey(admitted, { caller, body: bytes }),
    requireMatch: (etag) => requireMatch(conditions, etag, isRead),
  };
}

/** A body that is not there is an empty object, as clients of the wire format send it. */
function readJson(schema: AnySchema, bytes: Uint8Array): unknown {
  return readInput(schema, bytes.length === 0 ? {} : parseJson(bytes), { size: bytes.length });
}

/** Fields that every answer to this request has, refusals too. */
function commonFields<S>(pipeline: Pipeline<S>, trace: Trace): Fields {
  const closing: Fields = pipeline.isDraining() ? [["connection", "close"]] : [];
  return [
    ["x-request-id", trace.requestId],
    ...trace.fields,
    ...pipeline.cors.fields(trace.origin),
    ...closing,
  ];
}

function record<S>(
  { log }: Pipeline<S>,
  trace: Trace,
  status: number,
  refusal: AppError | undefined,
): void {
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
    error: status >= 500 ? refusal?.cause : undefined,
  });
}
