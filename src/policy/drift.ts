/**
 * Compares the routes of the policy with those of the endpoints.
 *
 * @module
 */
import { hasOwnRule, type Policy } from "./schema.ts";

export interface DriftOptions {
  readonly policy: Policy;
  /** Name of the policy file, for the sentences. */
  readonly policyFile: string;
  /** `METHOD path` of every endpoint that needs a rule. */
  readonly routes: readonly string[];
  /** `METHOD path` of every endpoint that needs an alias; undefined: aliases are not compared. */
  readonly aliases?: readonly string[] | undefined;
}

/** Returns a sentence for each route that only one side has; an empty list if they agree. */
export function findDrift({ policy, policyFile, routes, aliases }: DriftOptions): string[] {
  const declared = new Set(routes);
  const unruled = [...declared].filter((route) => !policy.routes.has(route));
  const unserved = [...policy.routes.keys()].filter((route) =>
    hasOwnRule(policy, route) && !declared.has(route)
  );
  return [
    ...unruled.map((route) =>
      `Endpoint "${route}" has no rule: add "${route}" to "routes" in ${policyFile}`
    ),
    ...unserved.map((route) =>
      `Rule "${route}" has no endpoint: remove it from "routes" in ${policyFile}, or declare the endpoint`
    ),
    ...(aliases === undefined ? [] : aliasDrift({ policy, policyFile, aliases })),
  ];
}

function aliasDrift(
  { policy, policyFile, aliases }: Pick<DriftOptions, "policy" | "policyFile"> & {
    readonly aliases: readonly string[];
  },
): string[] {
  const declared = new Set(aliases);
  const named = policy.aliases ?? new Map<string, readonly string[]>();
  const missing = [...declared].filter((route) => !named.has(route));
  const unserved = [...named.keys()].filter((route) => !declared.has(route));
  const unruled = [...named].flatMap(([route, targets]) =>
    targets.filter((target) => !policy.routes.has(target)).map((target) => [route, target] as const)
  );
  return [
    ...unruled.map(([route, target]) =>
      `Alias "${route}" names "${target}", which has no rule under "routes" in ${policyFile}`
    ),
    ...missing.map((route) =>
      `Endpoint "${route}" has no alias: add "${route}" with the route that decides it to "aliases" in ${policyFile}, or set RECTO_NOTION_API=false`
    ),
    ...unserved.map((route) =>
      `Alias "${route}" has no endpoint: remove it from "aliases" in ${policyFile}`
    ),
  ];
}
