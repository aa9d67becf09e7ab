/**
 * `broken-invariant`: a token refutes a statement. The finding shows the smallest one.
 *
 * @module
 */
import { describeRefutation, proveAll } from "../../analysis/invariants.ts";
import { count } from "../../report/text.ts";
import type { PolicyRule } from "./rule.ts";

export const brokenInvariant: PolicyRule = {
  code: "broken-invariant",
  summary: "A statement is false for some token",
  level: "error",
  on: "policy",
  find({ source, file }) {
    return proveAll(file).flatMap(({ invariant, counterexamples }, index) => {
      const [first, ...others] = counterexamples;
      if (first === undefined) return [];
      const more = others.length === 0 ? undefined : count(others.length, "more counterexample");
      return [{
        span: source.valueAt(["invariants", index, "name"]),
        message: describeRefutation(invariant, first),
        hint: more,
      }];
    });
  },
};
