/**
 * Where the endpoints and the policy do not name the same routes.
 *
 * @module
 */
import type { Policy } from "./schema.ts";

export interface DriftOptions {
  readonly policy: Policy;
  /** Name of the policy's file, for the sentences. */
  readonly policyFile: string;
  /** `METHOD path` of every endpoint that stands under the policy. */
  readonly routes: readonly string[];
}

/** One sentence for each route that only one side knows; none where they agree. */
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
