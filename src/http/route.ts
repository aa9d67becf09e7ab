/**
 * A route as the pipeline takes it: an endpoint, and what the policy says of it to each caller.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../shared/errors.ts";
import type { Decision } from "../policy/engine.ts";
import type { Endpoint } from "./endpoint.ts";
import type { FieldPath } from "./redact.ts";

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

/** The fields that a route hides from a caller; undefined where its answers hold none to hide. */
export function hiddenOn(
  { holdsGuarded }: Pick<Route<unknown>, "holdsGuarded">,
  { hidden }: Access,
): Access["hidden"] | undefined {
  return holdsGuarded ? hidden : undefined;
}

export interface AuthGate {
  /** The caller that an `Authorization` value names, where it was verified a moment ago. */
  recall(authorization: string | null, now: number): Principal | undefined;
  /** Whether the token was good when it was last verified. */
  wasGood(authorization: string | null): boolean;
  /** The caller that an `Authorization` value names; throws `unauthorized` and its kin. */
  authenticate(authorization: string | null, now: number): Principal | Promise<Principal>;
  /** Value of `WWW-Authenticate` for a caller that lacks scopes (RFC 6750 section 3). */
  challenge(options: { readonly error: "insufficient_scope"; readonly scope: string }): string;
  /** The caller of a public route. */
  readonly anonymous: Principal;
  /** Called once an authorized caller is known, before its handler: makes its user. */
  ensureUser(caller: Principal): Promise<void> | undefined;
}

export interface Authorization {
  readonly caller: Principal;
  readonly decision: Decision;
}

/** Lets a caller pass, or refuses it with the scopes it lacks (RFC 6750 section 3.1). */
export function authorize(gate: AuthGate, { caller, decision }: Authorization): void {
  const { effect, required, missing } = decision;
  if (effect === "allow") return;
  // Of several alternatives the one that is nearest.
  const lacking = missing[0] ?? [];
  const wanted = required.find((scopes) => isLacking(caller, scopes, lacking)) ?? [];
  const challenge = gate.challenge({ error: "insufficient_scope", scope: wanted.join(" ") });
  throw new AppError("forbidden", `Token lacks scopes: ${lacking.join(", ")}`, {
    members: { required_scopes: wanted, missing_scopes: lacking },
    headers: { "www-authenticate": challenge },
  });
}

/** Whether a caller lacks just these of an alternative's scopes. */
function isLacking(
  caller: Principal,
  scopes: readonly string[],
  lacking: readonly string[],
): boolean {
  const missing = new Set(scopes).difference(caller.scopes);
  return missing.size === lacking.length && lacking.every((scope) => missing.has(scope));
}
