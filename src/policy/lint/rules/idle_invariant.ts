/**
 * `idle-invariant`: a statement that matches no token, or no call and no field, and so always holds.
 *
 * @module
 */
import { proveAll } from "../../analysis/invariants.ts";
import type { PolicyRule } from "./rule.ts";

export const idleInvariant: PolicyRule = {
  code: "idle-invariant",
  summary: "A statement matches no token, or no call and no field, so it always holds",
  level: "error",
  on: "policy",
  find({ source, file }) {
    return proveAll(file).flatMap(({ idle }, index) =>
      idle
        ? [{
          span: source.valueAt(["invariants", index, "name"]),
          message: "The statement matches no token, or no call and no field, so it is always true",
        }]
        : []
    );
  },
};
