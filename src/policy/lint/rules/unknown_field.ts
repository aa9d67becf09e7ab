/**
 * `unknown-field`: a rule guards a field that no response has, or a statement names an unguarded one.
 *
 * @module
 */
import { didYouMean } from "../../../shared/did_you_mean.ts";
import { matching } from "../names.ts";
import type { PolicyRule } from "./rule.ts";

export const unknownField: PolicyRule = {
  code: "unknown-field",
  level: "error",
  on: "policy",
  find({ source, file: { policy, invariants }, api }) {
    const published = api?.fields;
    const guarded = [...policy.fields.keys()];
    const missing = guarded.filter((field) => published?.has(field) === false).map((field) => ({
      span: source.nameAt(["fields", field]),
      message: `No response has a field "${field}", so the rule guards nothing`,
      hint: didYouMean(field, published ?? []),
    }));
    const patterns = invariants.flatMap((invariant, index) =>
      (["canSee", "cannotSee"] as const).flatMap((member) =>
        (invariant[member] ?? []).map((pattern, at) => ({
          pattern,
          path: ["invariants", index, member, at],
        }))
      )
    );
    const unguarded = patterns.filter(({ pattern }) => matching(pattern, guarded).length === 0)
      .map(({ pattern, path }) => ({
        span: source.valueAt(path),
        message: `No field rule matches "${pattern}", so everyone sees it`,
        hint: didYouMean(pattern, guarded),
      }));
    return [...missing, ...unguarded];
  },
};
