/**
 * `document-differs`: the OpenAPI document and the rule require different scopes.
 *
 * @module
 */
import { diffPolicies } from "../../analysis/diff.ts";
import { inWords } from "../names.ts";
import type { Policy, Rule } from "../../schema.ts";
import { specCommand } from "../paths.ts";
import type { PolicyRule } from "./rule.ts";

export const documentDiffers: PolicyRule = {
  code: "document-differs",
  summary: "The OpenAPI document and the rule require different scopes",
  level: "error",
  on: "policy",
  find({ source, file: { policy, service }, api }) {
    const shared = new Map([...policy.routes].filter(([route]) => api?.routes.has(route)));
    const published = new Map([...shared.keys()].flatMap((route) => {
      const rule = api?.routes.get(route);
      return rule === undefined ? [] : [[route, rule]];
    }));
    return diffPolicies(routesOnly(published), routesOnly(shared)).map(
      ({ name, gains, losses }) => {
        const [token] = [...gains, ...losses].sort((a, b) => a.length - b.length);
        const isAllowed = token !== undefined && gains.includes(token);
        return {
          span: source.nameAt(["routes", name]),
          message: `A token with ${inWords(token ?? [])} ${
            isAllowed
              ? "may call it, but the OpenAPI document says no"
              : "may not call it, but the OpenAPI document says yes"
          }`,
          // Another service writes its document by itself.
          hint: service === undefined
            ? `If the rule is correct, run: ${specCommand(source.file)}`
            : undefined,
        };
      },
    );
  },
};

function routesOnly(routes: ReadonlyMap<string, Rule>): Policy {
  return { scopes: new Map(), routes, fields: new Map() };
}
