/**
 * Decides whether a request to a guarded service is allowed.
 *
 * @module
 */
import type { Authenticator } from "../auth/authenticator.ts";
import { ANONYMOUS, type Principal } from "../auth/principal.ts";
import { authorize } from "../http/route.ts";
import type { Decision } from "../policy/engine.ts";
import type { DecisionObserver } from "../policy_runtime/routes.ts";
import type { Guard, GuardedRoute } from "./guard.ts";
import type { OriginalRequest } from "./original_request.ts";

/** The policy of a guarded service, and who is told of its decisions. */
export interface ActiveGuard {
  readonly guard: Guard;
  readonly observers: readonly DecisionObserver[];
}

/** A request to a guarded service, with what identifies its caller. */
export interface GuardedRequest extends Pick<OriginalRequest, "method" | "path"> {
  readonly route: GuardedRoute;
  /** With the credentials of the caller. */
  readonly headers: Headers;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Filled with the facts about the request, also if it is refused. */
  readonly trace: DecisionTrace;
}

export interface DecisionTrace {
  readonly requestId: string;
  /** Undefined until a token is verified, and for public routes, which read none. */
  caller: Principal | undefined;
  /** A nonce for the next proof, if the client should use another. */
  nonce: string | undefined;
}

/**
 * Allows a call, or throws or rejects with `unauthorized`, `forbidden`,
 * `insufficient_user_authentication`, `invalid_request` or `service_unavailable`.
 */
export type Decide = (active: ActiveGuard, request: GuardedRequest) => undefined | Promise<void>;

/** Creates the decision over an authenticator. A cached token is decided synchronously. */
export function createDecide(authenticator: Authenticator): Decide {
  return (active, request) => {
    const { route, trace, headers, now } = request;
    if (route.isPublic) {
      tell(active, request, ANONYMOUS);
      return undefined;
    }
    const authorization = headers.get("authorization");
    const cached = authenticator.findCached(authorization, now);
    if (cached === undefined || cached.boundKey !== undefined) {
      return authenticate(authenticator, active, { ...request, authorization });
    }
    trace.caller = cached;
    authorize(authenticator, { caller: cached, decision: tell(active, request, cached) });
    return undefined;
  };
}

async function authenticate(
  authenticator: Authenticator,
  active: ActiveGuard,
  request: GuardedRequest & { readonly authorization: string | null },
): Promise<void> {
  const { authorization, headers, method, path, now, trace } = request;
  const proof = headers.get("dpop") ?? undefined;
  const caller = await authenticator.authenticate(authorization, now);
  if (caller.boundKey !== undefined) {
    const proven = { authorization, proof, method, path };
    trace.nonce = await authenticator.checkProof(caller, proven, now);
  }
  trace.caller = caller;
  authorize(authenticator, { caller, decision: tell(active, request, caller) });
}

/** Decides, and tells the observers. */
function tell(
  { observers }: ActiveGuard,
  { route, trace }: GuardedRequest,
  caller: Principal,
): Decision {
  const decision = route.decide(caller);
  for (const observe of observers) observe(decision, caller, trace.requestId);
  return decision;
}
