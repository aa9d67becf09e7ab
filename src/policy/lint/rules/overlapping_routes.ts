/**
 * `overlapping-routes`: two routes match the same call, so no single rule decides it.
 *
 * @module
 */
import { routeTableIssues } from "../../routes/route_table.ts";
import type { PolicyRule } from "./rule.ts";

export const overlappingRoutes: PolicyRule = {
  code: "overlapping-routes",
  summary: "Two routes match the same call, or matching them could take too long",
  level: "error",
  on: "policy",
  find({ source, file: { policy, service } }) {
    // The server compares the routes of Recto itself with its endpoints.
    if (service === undefined) return [];
    return routeTableIssues([...policy.routes.keys()]).map(({ route, detail }) => ({
      span: source.nameAt(["routes", route]),
      message: detail,
      hint: "Let one of them match less, for example with a regular expression",
    }));
  },
};
