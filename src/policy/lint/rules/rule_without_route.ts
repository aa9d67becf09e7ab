/**
 * `rule-without-route`: a rule for a route that the server does not have.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import { hasOwnRule } from "../../schema.ts";
import type { PolicyRule } from "./rule.ts";

export const ruleWithoutRoute: PolicyRule = {
  code: "rule-without-route",
  summary: "The policy names a route that the server does not have",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api }) {
    if (api === undefined) return [];
    const suggest = createSuggester(
      api.routes.keys().filter((route) => !policy.routes.has(route)),
    );
    return [...policy.routes.keys()].filter((route) =>
      hasOwnRule(policy, route) && !api.routes.has(route)
    ).map((route) => ({
      span: source.nameAt(["routes", route]),
      message: `The server has no route "${route}"`,
      hint: suggest(route),
    }));
  },
};
