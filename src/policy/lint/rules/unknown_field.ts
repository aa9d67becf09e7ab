/**
 * `unknown-field`: a rule guards a field that no response has, or a statement names an unguarded one.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import { matching } from "../names.ts";
import type { PolicyRule } from "./rule.ts";

export const unknownField: PolicyRule = {
  code: "unknown-field",
  summary:
    "A rule guards a field that no response has, or a statement names a field without a rule",
  level: "error",
  on: "policy",
  find({ source, file: { policy, invariants }, api }) {
    const published = api?.fields;
    const suggestField = createSuggester(api?.fields ?? []);
    const guarded = [...policy.fields.keys()];
    const missing = guarded.filter((field) => published?.has(field) === false).map((field) => ({
      span: source.nameAt(["fields", field]),
      message: `No response has a field "${field}", so the rule guards nothing`,
      hint: suggestField(field),
    }));
    const suggest = createSuggester(guarded);
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
        hint: suggest(pattern),
      }));
    return [...missing, ...unguarded];
  },
};
