/**
 * `wrong-shape`: a member that the schema does not know, or a value of another kind.
 *
 * @module
 */
import { readShape } from "../schema.ts";
import type { TextRule } from "./rule.ts";

export const wrongShape: TextRule = {
  code: "wrong-shape",
  level: "error",
  on: "text",
  find(source) {
    if (source.fault !== undefined) return [];
    return readShape(source.value).issues.map(({ path, inName, detail }) => ({
      span: inName ? source.nameAt(path) : source.valueAt(path),
      message: detail,
    }));
  },
};
