/**
 * What the tokens of an issuer look like: which types it signs, and what its claims are called.
 */
export interface TokenRules {
  /** Accepted `typ` headers in lower case, without `application/`; `absent` for a missing one. */
  readonly types: readonly string[];
  /**
   * What a token of another type than `at+jwt` must show besides: one condition of each list. At
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
