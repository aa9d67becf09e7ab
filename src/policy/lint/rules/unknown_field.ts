/**
 * `unknown-field`: a rule guards, or a statement names, a field that no answer has.
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
    const answered = api?.fields;
    const guarded = [...policy.fields.keys()];
    const missing = guarded.filter((field) => answered?.has(field) === false).map((field) => ({
      span: source.nameAt(["fields", field]),
      message: `No answer has a field "${field}", so the rule guards nothing`,
      hint: didYouMean(field, answered ?? []),
    }));
    const named = invariants.flatMap((invariant, index) =>
      (["canSee", "cannotSee"] as const).flatMap((member) =>
        (invariant[member] ?? []).map((pattern, place) => ({
          pattern,
          path: ["invariants", index, member, place],
        }))
      )
    );
    const unguarded = named.filter(({ pattern }) => matching(pattern, guarded).length === 0)
      .map(({ pattern, path }) => ({
        span: source.valueAt(path),
        message: `"${pattern}" is no field with a rule, so everybody sees it`,
        hint: didYouMean(pattern, guarded),
      }));
    return [...missing, ...unguarded];
  },
};
