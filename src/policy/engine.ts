/**
 * Decides from a policy which calls a set of scopes opens: total, default deny, pure.
 *
 * @module
 */

/** One decision with its reasons: the 403 body, the log and every tool print it as it is. */
export interface Decision {
  readonly effect: "allow" | "deny";
  /** `METHOD path` as the policy names it. */
  readonly route: string;
  readonly public: boolean;
  /** The alternatives of the rule, each a list of scopes that must all be held; empty when public. */
  readonly required: readonly (readonly string[])[];
  /** What each alternative still lacks, smallest first; empty when allowed. */
  readonly missing: readonly (readonly string[])[];
}
