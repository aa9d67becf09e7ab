/**
 * A route: an endpoint, and the policy decision on it for each caller.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../shared/errors.ts";
import type { Decision } from "../policy/engine.ts";
import type { Endpoint } from "./endpoint.ts";
import type { FieldPath } from "./redact.ts";

/** What one caller may do on one route. */
export interface Access {
  readonly decision: Decision;
  /** Fields that this caller may not see. */
  readonly hidden: readonly FieldPath[];
}

/** An endpoint with the properties that are computed once, when the policy is activated. */
export interface Route<S> {
  readonly method: Endpoint<S>["method"];
  readonly path: string;
  readonly endpoint: Endpoint<S>;
  /** Open without a token. */
  readonly isPublic: boolean;
  /** Whether its responses can contain a field that the policy guards. */
  readonly holdsGuarded: boolean;
  /** Decides a call; the ID of the request is only for the log of decisions. */
  access(caller: Principal, requestId: string): Access;
}

/** Returns the fields to hide; undefined if the responses of the route contain no guarded field. */
export function hiddenOn(
  { holdsGuarded }: Pick<Route<unknown>, "holdsGuarded">,
  { hidden }: Access,
): Access["hidden"] | undefined {
  return holdsGuarded ? hidden : undefined;
}

export interface AuthGate {
  /** Finds the caller of an `Authorization` value that was verified recently. */
  findCached(authorization: string | null, now: number): Principal | undefined;
  /** Whether a bearer token is in the cache of valid ones, even if it must be verified again. */
  isCached(authorization: string | null): boolean;
  /**
   * Verifies an `Authorization` value; throws `unauthorized`, `invalid_request` or
   * `service_unavailable`.
   */
  authenticate(authorization: string | null, now: number): Principal | Promise<Principal>;
  /**
   * Checks the `DPoP` header of a caller whose token is bound to a key (RFC 9449 section 7.1).
   * Returns the nonce for the next one if the client should use another; rejects with
   * `unauthorized` or `service_unavailable`.
   */
  checkProof(caller: Principal, request: ProvenRequest, now: number): Promise<string | undefined>;
  /** Value of `WWW-Authenticate` for a caller that lacks scopes (RFC 6750 section 3). */
  challenge(options: MissingScope): string;
  /** The caller of a public route. */
  readonly anonymous: Principal;
  /** Creates the user of an authorized caller if it does not exist yet. */
  ensureUser(caller: Principal): Promise<void> | undefined;
}

/** What a proof has to match. */
export interface ProvenRequest {
  readonly authorization: string | null;
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
}

export interface MissingScope {
  readonly error: "insufficient_scope";
  readonly scope: string;
  /** How the caller sent its token. */
  readonly scheme: "Bearer" | "DPoP";
}

export interface AuthorizationCheck {
  readonly caller: Principal;
  readonly decision: Decision;
}

/** Throws `forbidden` with the missing scopes unless the policy allows (RFC 6750 section 3.1). */
export function authorize(gate: AuthGate, { caller, decision }: AuthorizationCheck): void {
  const { effect, required, missing } = decision;
  if (effect === "allow") return;
  // Of several alternatives, report the one with the fewest missing scopes.
  const lacking = missing[0] ?? [];
  const wanted = required.find((scopes) => isLacking(caller, scopes, lacking)) ?? [];
  const challenge = gate.challenge({
    error: "insufficient_scope",
    scope: wanted.join(" "),
    scheme: caller.boundKey === undefined ? "Bearer" : "DPoP",
  });
  throw new AppError("forbidden", `Token lacks scopes: ${lacking.join(", ")}`, {
    members: { required_scopes: wanted, missing_scopes: lacking },
    headers: { "www-authenticate": challenge },
  });
}

/** Whether these are exactly the scopes of an alternative that the caller lacks. */
function isLacking(
  caller: Principal,
  scopes: readonly string[],
  lacking: readonly string[],
): boolean {
  const missing = new Set(scopes).difference(caller.scopes);
  return missing.size === lacking.length && lacking.every((scope) => missing.has(scope));
}
