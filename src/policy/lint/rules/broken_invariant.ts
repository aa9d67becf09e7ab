/**
 * `broken-invariant`: a token refutes a statement. The finding shows the smallest one.
 *
 * @module
 */
import { proveAll } from "../../analysis/invariants.ts";
import { inWords } from "../names.ts";
import { count } from "../../report/text.ts";
import type { PolicyRule } from "./rule.ts";

export const brokenInvariant: PolicyRule = {
  code: "broken-invariant",
  level: "error",
  on: "policy",
  find({ source, file }) {
    return proveAll(file).flatMap(({ invariant, counterexamples }, index) => {
      const [first, ...others] = counterexamples;
      if (first === undefined) return [];
      const more = others.length === 0 ? undefined : count(others.length, "more counterexample");
      return [{
        span: source.valueAt(["invariants", index, "name"]),
        message: `"${invariant.name}" is false: a token with ${
          inWords(first.scopes)
        } ${first.effect} ${first.target}`,
        hint: more,
      }];
    });
  },
};
