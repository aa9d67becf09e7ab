/**
 * The form of an issuer's tokens: the types that it signs, and the names of its claims.
 */
export interface TokenRules {
  /** Accepted `typ` headers in lower case, without `application/`; `absent` for a missing one. */
  readonly types: readonly string[];
  /**
   * Conditions for a token of another type than `at+jwt`: it must meet one of each list. At
   * least one list holds only conditions that no ID token meets.
   */
  readonly markers: readonly (readonly ClaimCondition[])[];
  /** Values of `aud` that name this service. */
  readonly audiences: readonly string[];
  /** The claim that is compared with the audiences if a token has no `aud`. */
  readonly audienceClaim: string;
  /** Paths of claims with scopes; the first that a token has counts. */
  readonly scopeClaims: readonly string[];
  /** Only scopes with this prefix count, and it is removed; empty for none. */
  readonly scopePrefix: string;
  /** Paths of claims that say how the user signed in; the first that a token has counts. */
  readonly acrClaims: readonly string[];
  /** Paths of claims that name the client; the first that a token has counts. */
  readonly clientClaims: readonly string[];
  readonly nameClaim: string;
  readonly emailClaim: string;
}

/** Met by a claim that is present and, if a value is given, equal to it. */
export interface ClaimCondition {
  readonly claim: string;
  readonly value?: string;
}
