/**
 * Compares the routes of the policy with those of the endpoints.
 *
 * @module
 */
import type { Policy } from "./schema.ts";

export interface DriftOptions {
  readonly policy: Policy;
  /** Name of the policy file, for the sentences. */
  readonly policyFile: string;
  /** `METHOD path` of every endpoint that needs a rule. */
  readonly routes: readonly string[];
}

/** Returns a sentence for each route that only one side has; an empty list if they agree. */
export function findDrift({ policy, policyFile, routes }: DriftOptions): string[] {
  const declared = new Set(routes);
  const unruled = [...declared].filter((route) => !policy.routes.has(route));
  const unserved = [...policy.routes.keys()].filter((route) => !declared.has(route));
  return [
    ...unruled.map((route) =>
      `Endpoint "${route}" has no rule: add "${route}" to "routes" in ${policyFile}`
    ),
    ...unserved.map((route) =>
      `Rule "${route}" has no endpoint: remove it from "routes" in ${policyFile}, or declare the endpoint`
    ),
  ];
}
