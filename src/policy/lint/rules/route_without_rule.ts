/**
 * `route-without-rule`: the server has a route that the policy does not name.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import type { PolicyRule } from "./rule.ts";

export const routeWithoutRule: PolicyRule = {
  code: "route-without-rule",
  summary: "The server has a route that the policy does not name",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api }) {
    const served = new Set(api?.routes.keys());
    const suggest = createSuggester(policy.routes.keys().filter((route) => !served.has(route)));
    return [...served].filter((route) => !policy.routes.has(route)).map((route) => ({
      span: source.nameAt(["routes"]),
      message: `The server has a route "${route}" without a rule`,
      hint: suggest(route) ?? `Add "${route}" to "routes"`,
    }));
  },
};
