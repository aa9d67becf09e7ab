/**
 * `route-without-rule`: the server has a call that nobody may make.
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
    const idle = [...policy.routes.keys()].filter((route) => !served.includes(route));
    return served.filter((route) => !policy.routes.has(route)).map((route) => ({
      span: source.nameAt(["routes"]),
      message: `"${route}" is served and has no rule`,
      hint: didYouMean(route, idle) ?? `Add "${route}" to "routes"`,
    }));
  },
};
