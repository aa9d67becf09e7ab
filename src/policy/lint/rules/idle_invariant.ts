/**
 * `idle-invariant`: a statement about no token, or about no call and no field, which always holds.
 *
 * @module
 */
import { proveAll } from "../../analysis/invariants.ts";
import type { PolicyRule } from "./rule.ts";

export const idleInvariant: PolicyRule = {
  code: "idle-invariant",
  level: "error",
  on: "policy",
  find({ source, file }) {
    return proveAll(file).flatMap(({ idle }, index) =>
      idle
        ? [{
          span: source.valueAt(["invariants", index, "name"]),
          message:
            "The statement is about no token, or about no call and no field: it says nothing",
        }]
        : []
    );
  },
};
