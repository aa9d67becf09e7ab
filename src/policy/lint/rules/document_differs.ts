/**
 * `document-differs`: what clients read in the OpenAPI document is not what the rule says.
 *
 * @module
 */
import { diffPolicies } from "../../analysis/diff.ts";
import { inWords } from "../names.ts";
import type { Policy, Rule } from "../../schema.ts";
import { specCommand } from "../places.ts";
import type { PolicyRule } from "./rule.ts";

export const documentDiffers: PolicyRule = {
  code: "document-differs",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api }) {
    const shared = new Map([...policy.routes].filter(([route]) => api?.routes.has(route)));
    const published = new Map([...shared.keys()].flatMap((route) => {
      const rule = api?.routes.get(route);
      return rule === undefined ? [] : [[route, rule]];
    }));
    return diffPolicies(routesOnly(published), routesOnly(shared)).map(
      ({ name, gains, losses }) => {
        const [witness] = [...gains, ...losses].sort((a, b) => a.length - b.length);
        const opens = witness !== undefined && gains.includes(witness);
        return {
          span: source.nameAt(["routes", name]),
          message: `A token of ${inWords(witness ?? [])} ${
            opens
              ? "may call it, and spec/openapi.json says no"
              : "may not, and spec/openapi.json says yes"
          }`,
          hint: `If the rule is right, run: ${specCommand(source.file)}`,
        };
      },
    );
  },
};

function routesOnly(routes: ReadonlyMap<string, Rule>): Policy {
  return { scopes: new Map(), routes, fields: new Map() };
}
