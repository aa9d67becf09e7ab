/**
 * `unknown-scope`: a statement selects tokens by a scope that does not exist.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import { matchingGrants } from "../names.ts";
import type { PolicyRule } from "./rule.ts";

export const unknownScope: PolicyRule = {
  code: "unknown-scope",
  summary: "A statement selects tokens by a scope that does not exist",
  level: "error",
  on: "policy",
  find({ source, file: { policy, invariants } }) {
    const declared = [...policy.scopes.keys()];
    const suggest = createSuggester(declared);
    return invariants.flatMap(({ tokens }, index) =>
      (["with", "only", "without"] as const).flatMap((member) =>
        (tokens[member] ?? []).map((pattern, at) => ({ pattern, member, at }))
      ).filter(({ pattern }) => matchingGrants(pattern, declared).length === 0)
        .map(({ pattern, member, at }) => ({
          span: source.valueAt(["invariants", index, "tokens", member, at]),
          message: `No scope matches "${pattern}"`,
          hint: suggest(pattern),
        }))
    );
  },
};
