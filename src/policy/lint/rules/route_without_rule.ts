/**
 * `route-without-rule`: the server has a route that the policy does not name.
 *
 * @module
 */
import { didYouMean } from "../../../shared/did_you_mean.ts";
import type { PolicyRule } from "./rule.ts";

export const routeWithoutRule: PolicyRule = {
  code: "route-without-rule",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api }) {
    const served = [...api?.routes.keys() ?? []];
    const unserved = [...policy.routes.keys()].filter((route) => !served.includes(route));
    return served.filter((route) => !policy.routes.has(route)).map((route) => ({
      span: source.nameAt(["routes"]),
      message: `The server has a route "${route}" without a rule`,
      hint: didYouMean(route, unserved) ?? `Add "${route}" to "routes"`,
    }));
  },
};
