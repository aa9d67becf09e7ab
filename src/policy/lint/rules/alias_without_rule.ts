/**
 * `alias-without-rule`: an alias names a route that has no rule.
 *
 * @module
 */
import { hasOwnRule } from "../../schema.ts";
import { createSuggester } from "../suggest.ts";
import type { PolicyRule } from "./rule.ts";

export const aliasWithoutRule: PolicyRule = {
  code: "alias-without-rule",
  summary: "An alias names a route that has no rule",
  level: "error",
  on: "policy",
  find({ source, file: { policy } }) {
    const ruled = [...policy.routes.keys()].filter((route) => hasOwnRule(policy, route));
    const suggest = createSuggester(ruled);
    return [...policy.aliases ?? []].flatMap(([name, targets]) =>
      targets.filter((target) => !ruled.includes(target)).map((target) => ({
        span: source.valueAt(["aliases", name]),
        message: `"${target}" has no rule, so nobody may call "${name}"`,
        hint: suggest(target),
      }))
    );
  },
};
