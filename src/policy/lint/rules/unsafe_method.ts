/**
 * `unsafe-method`: `safe` lists a call that is not a POST.
 *
 * @module
 */
import type { PolicyRule } from "./rule.ts";

export const unsafeMethod: PolicyRule = {
  code: "unsafe-method",
  summary: "The list safe names a call that is not a POST",
  level: "error",
  on: "policy",
  find({ source, file: { safe } }) {
    return [...safe].map((route, index) => ({ route, index }))
      .filter(({ route }) => !route.startsWith("POST ") && /^[A-Z]+ /.test(route))
      .map(({ route, index }) => {
        const [method = ""] = route.split(" ");
        return {
          span: source.valueAt(["safe", index]),
          message:
            `${method} is not a safe method here: only a POST can be listed as a call that reads`,
          hint: method === "GET" ? "A GET always only reads" : undefined,
        };
      });
  },
};
