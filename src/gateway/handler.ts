/**
 * The HTTP interface of the gateway: forward authentication for proxies, and probes for operators.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import type { Connection } from "../http/client_address.ts";
import { problemJson, toAppError } from "../http/problem.ts";
import { AppError } from "../shared/errors.ts";
import type { Log, RequestRecord } from "../shared/log.ts";
import type { ActiveGuard, Decide, DecisionTrace } from "./decide.ts";
import type { GuardedRoute } from "./guard.ts";
import { identityOf } from "./identity.ts";
import { CONTRACTS, type OriginalRequest, type ReadOriginal } from "./original_request.ts";

export interface GatewayOptions {
  readonly decide: Decide;
  /** Returns the policy that decides a request. */
  readonly guardOf: (host: string, path: string) => ActiveGuard | undefined;
  /** Returns whether a connection comes from a proxy that may describe requests of others. */
  readonly isTrusted: (connection: Connection) => boolean;
  /** Responses at other addresses, such as `/readyz`. */
  readonly pages: Readonly<Record<string, () => Response | Promise<Response>>>;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type GatewayHandler = (
  request: Request,
  connection?: Connection,
) => Response | Promise<Response>;

/** The facts about a request that the log shows. */
interface Trace extends DecisionTrace {
  readonly started: number;
  method: string;
  route: GuardedRoute | undefined;
}

const { performance, crypto } = globalThis;
const REQUEST_ID = /^[\w.-]{1,128}$/;

/**
 * Creates the handler: it responds to every request with 200, 401, 403, 404 or 503, and never
 * rejects.
 */
export function createGatewayHandler(options: GatewayOptions): GatewayHandler {
  const contracts = Object.entries(CONTRACTS);
  return (request, connection) => {
    const target = targetOf(request.url);
    const contract = contracts.find(([address]) => isAt(target, address));
    if (contract === undefined) return respondWithPage(options, target);
    const [address, read] = contract;
    return respond(options, { request, connection, read, rest: target.slice(address.length) });
  };
}

/** Returns the raw path and query. */
function targetOf(url: string): string {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  return slash < 0 ? "/" : url.slice(slash);
}

function isAt(target: string, address: string): boolean {
  if (!target.startsWith(address)) return false;
  const next = target[address.length];
  return next === undefined || next === "/" || next === "?";
}

function respondWithPage(
  { pages }: GatewayOptions,
  target: string,
): Response | Promise<Response> {
  const page = pages[target.split("?")[0] ?? ""];
  return page?.() ?? new Response(null, { status: 404 });
}

interface Asked {
  readonly request: Request;
  readonly connection: Connection | undefined;
  readonly read: ReadOriginal;
  /** The rest of the path after the address of the contract. */
  readonly rest: string;
}

function respond(
  options: GatewayOptions,
  { request, connection, read, rest }: Asked,
): Response | Promise<Response> {
  const { headers } = request;
  const trace = newTrace(request);
  try {
    if (connection !== undefined && !options.isTrusted(connection)) throw untrusted();
    const original = read(headers, { method: request.method, rest });
    if (original === undefined) throw undescribed();
    const deciding = decideOriginal(options, { original, headers, trace });
    return deciding === undefined
      ? allow(options, trace)
      : deciding.then(() => allow(options, trace), (error) => refuse(options, error, trace));
  } catch (error) {
    return refuse(options, error, trace);
  }
}

function newTrace({ method, headers }: Request): Trace {
  const sent = headers.get("x-request-id");
  return {
    requestId: sent !== null && REQUEST_ID.test(sent) ? sent : crypto.randomUUID(),
    started: performance.now(),
    method,
    route: undefined,
    caller: undefined,
    nonce: undefined,
  };
}

function decideOriginal(
  { decide, guardOf, now }: GatewayOptions,
  { original, headers, trace }: {
    readonly original: OriginalRequest;
    readonly headers: Headers;
    readonly trace: Trace;
  },
): undefined | Promise<void> {
  const { method, host, path } = original;
  trace.method = method;
  const active = guardOf(host, path);
  if (active === undefined) throw new AppError("forbidden", "No policy guards this address");
  const route = trace.route = active.guard.find(method, path);
  if (route === undefined) throw new AppError("forbidden", "No rule allows this call");
  return decide(active, { method, path, route, headers, trace, now: now() });
}

function untrusted(): AppError {
  return new AppError("forbidden", "Only trusted proxies may ask", {
    reason: "The peer is not in RECTO_TRUSTED_PROXIES",
  });
}

function undescribed(): AppError {
  return new AppError("forbidden", "The proxy does not describe the request", {
    reason: "The headers of the contract are missing, repeated or malformed: see docs/gateway.md",
  });
}

const identities = new WeakMap<Principal, Response>();
const NOBODY = toResponse(undefined);

/** Returns the answer for a caller. It has no body, so that it can be sent any number of times. */
function responseFor(caller: Principal | undefined): Response {
  return caller === undefined ? NOBODY : identities.getOrInsertComputed(caller, toResponse);
}

function toResponse(caller: Principal | undefined): Response {
  return new Response(null, { headers: identityOf(caller) });
}

function allow({ log }: GatewayOptions, trace: Trace): Response {
  const { caller, nonce } = trace;
  logRequest(log, trace, { status: 200 });
  if (nonce === undefined) return responseFor(caller);
  const response = toResponse(caller);
  response.headers.set("DPoP-Nonce", nonce);
  return response;
}

/** Proxies take no other refusals than 401 and 403, so a malformed header is a 401. */
function statusOf({ code, status }: AppError): number {
  return code === "invalid_request" ? 401 : status;
}

function refuse({ log }: GatewayOptions, thrown: unknown, trace: Trace): Response {
  const error = toAppError(thrown);
  const status = statusOf(error);
  logRequest(log, trace, { status, error });
  return new Response(problemJson(error, trace.requestId), {
    status,
    headers: [...Object.entries(error.headers), ["content-type", "application/problem+json"]],
  });
}

function logRequest(
  log: Log,
  trace: Trace,
  { status, error }: { readonly status: number; readonly error?: AppError },
): void {
  const { requestId, started, method, route, caller } = trace;
  const missing = error?.members["missing_scopes"];
  log.request({
    method,
    route: route?.logged ?? null,
    status,
    code: error?.code ?? null,
    duration: performance.now() - started,
    requestId,
    decision: decisionOf(trace, error),
    missing: Array.isArray(missing) ? missing : [],
    subject: caller?.subjectHash || null,
    reason: error?.reason,
    error: status >= 500 ? error?.cause : undefined,
  });
}

function decisionOf(
  { route, caller }: Trace,
  error: AppError | undefined,
): RequestRecord["decision"] {
  if (route?.isPublic) return "public";
  if (error === undefined) return "allow";
  return caller === undefined ? null : "deny";
}
