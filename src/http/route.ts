/**
 * A route: an endpoint, and the policy decision on it for each caller.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { acrValuesIn, isAcr, scopesIn } from "../shared/acr.ts";
import { AppError } from "../shared/errors.ts";
import type { Decision } from "../policy/engine.ts";
import type { Endpoint } from "./endpoint.ts";
import type { FieldPath } from "./redact.ts";

/** The access of one caller to one route. */
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
  /**
   * Returns whether its responses can contain a field that the policy guards; looks when first
   * asked.
   */
  holdsGuarded(): boolean;
  /** Decides a call; the ID of the request is only for the log of decisions. */
  access(caller: Principal, requestId: string): Access;
}

/** Returns the fields to hide; undefined if the responses of the route contain no guarded field. */
export function hiddenOn(
  { holdsGuarded }: Pick<Route<unknown>, "holdsGuarded">,
  { hidden }: Access,
): Access["hidden"] | undefined {
  return holdsGuarded() ? hidden : undefined;
}

export interface AuthGate {
  /** Finds the caller of an `Authorization` value that was verified recently. */
  findCached(authorization: string | null, now: number): Principal | undefined;
  /**
   * Returns whether a bearer token is in the cache of valid ones, even if it must be verified
   * again.
   */
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
  /**
   * Value of `WWW-Authenticate` for a caller that lacks scopes (RFC 6750 section 3) or must sign in
   * in another way (RFC 9470 section 3).
   */
  challenge(options: MissingGrant): string;
  /** The caller of a public route. */
  readonly anonymous: Principal;
  /** Creates the user of an authorized caller if it does not exist yet. */
  ensureUser(caller: Principal): Promise<void> | undefined;
}

/** The parts of a request that a proof has to match. */
export interface ProvenRequest {
  readonly authorization: string | null;
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly method: string;
  /** The path as it was sent. */
  readonly path: string;
}

export interface MissingGrant {
  readonly error: "insufficient_scope" | "insufficient_user_authentication";
  readonly description?: string;
  readonly scope?: string;
  readonly acrValues?: string;
  /** How the caller sent its token. */
  readonly scheme: "Bearer" | "DPoP";
}

export interface AuthorizationCheck {
  readonly caller: Principal;
  readonly decision: Decision;
}

/**
 * Throws unless the policy allows the call: `forbidden` with the missing scopes (RFC 6750 section
 * 3.1), or `insufficient_user_authentication` if the caller only has to sign in in another way (RFC
 * 9470 section 3).
 */
export function authorize(
  gate: Pick<AuthGate, "challenge">,
  { caller, decision }: AuthorizationCheck,
): void {
  const { effect, required, missing } = decision;
  if (effect === "allow") return;
  const scheme = caller.boundKey === undefined ? "Bearer" : "DPoP";
  // Among several alternatives, report the one with the fewest missing scopes.
  const lacking = missing[0] ?? [];
  if (lacking.length > 0 && lacking.every(isAcr)) throw stepUp(gate, { missing, scheme });
  const wanted = required.find((scopes) => isLacking(caller, scopes, lacking)) ?? [];
  const acrValues = acrValuesIn(wanted);
  const challenge = gate.challenge({
    error: "insufficient_scope",
    scope: scopesIn(wanted).join(" "),
    ...(acrValues.length > 0 && { acrValues: acrValues.join(" ") }),
    scheme,
  });
  throw new AppError("forbidden", `Token lacks scopes: ${scopesIn(lacking).join(", ")}`, {
    members: {
      required_scopes: scopesIn(wanted),
      missing_scopes: scopesIn(lacking),
      ...(acrValues.length > 0 && { acr_values: acrValues }),
    },
    headers: { "www-authenticate": challenge },
  });
}

/** Names every value that is enough. If no single one is, names those of the first alternative. */
function stepUp(
  gate: Pick<AuthGate, "challenge">,
  { missing, scheme }: Pick<Decision, "missing"> & Pick<MissingGrant, "scheme">,
): AppError {
  const single = missing.filter((names) => names.length === 1 && names.every(isAcr));
  const values = [
    ...new Set(acrValuesIn((single.length > 0 ? single : missing.slice(0, 1)).flat())),
  ];
  const description = "A different authentication level is required.";
  return new AppError("insufficient_user_authentication", description, {
    members: { acr_values: values },
    headers: {
      "www-authenticate": gate.challenge({
        error: "insufficient_user_authentication",
        description,
        acrValues: values.join(" "),
        scheme,
      }),
    },
  });
}

/** Returns whether these are exactly the names of an alternative that the caller lacks. */
function isLacking(
  caller: Principal,
  scopes: readonly string[],
  lacking: readonly string[],
): boolean {
  const missing = new Set(scopes).difference(caller.scopes);
  return missing.size === lacking.length && lacking.every((scope) => missing.has(scope));
}
