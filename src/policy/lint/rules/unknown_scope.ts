/**
 * `unknown-scope`: a statement speaks of tokens by a scope that there is not.
 *
 * @module
 */
import { didYouMean } from "../../../shared/did_you_mean.ts";
import { matching } from "../names.ts";
import type { PolicyRule } from "./rule.ts";

export const unknownScope: PolicyRule = {
  code: "unknown-scope",
  level: "error",
  on: "policy",
  find({ source, file: { policy, invariants } }) {
    const known = [...policy.scopes.keys()];
    return invariants.flatMap(({ tokens }, index) =>
      (["with", "only", "without"] as const).flatMap((member) =>
        (tokens[member] ?? []).map((pattern, place) => ({ pattern, member, place }))
      ).filter(({ pattern }) => matching(pattern, known).length === 0)
        .map(({ pattern, member, place }) => ({
          span: source.valueAt(["invariants", index, "tokens", member, place]),
          message: `No scope is called "${pattern}"`,
          hint: didYouMean(pattern, known),
        }))
    );
  },
};
