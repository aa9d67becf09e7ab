/**
 * `broken-invariant`: some token refutes a statement; the smallest one is shown.
 *
 * @module
 */
import { proveAll } from "../../analysis/invariants.ts";
import { inWords } from "../names.ts";
import type { PolicyRule } from "./rule.ts";

export const brokenInvariant: PolicyRule = {
  code: "broken-invariant",
  level: "error",
  on: "policy",
  find({ source, file }) {
    return proveAll(file).flatMap(({ invariant, counterexamples }, index) => {
      const [first, ...others] = counterexamples;
      if (first === undefined) return [];
      const more = others.length === 0 ? undefined : `So do ${others.length} more`;
      return [{
        span: source.valueAt(["invariants", index, "name"]),
        message: `"${invariant.name}" is not so: a token of ${
          inWords(first.scopes)
        } ${first.effect} ${first.target}`,
        hint: more,
      }];
    });
  },
};
