/**
 * Where a published document and the policy do not say the same of a route.
 *
 * @module
 */
import * as v from "valibot";
import type { Policy, Rule } from "../policy/schema.ts";
import { specCommand } from "../policy/lint/paths.ts";

const requirements = v.array(v.record(v.string(), v.array(v.string())));
const operation = v.looseObject({ security: requirements });
const documentShape = v.looseObject({
  info: v.looseObject({ "x-policy-digest": v.optional(v.string()) }),
  paths: v.record(v.string(), v.record(v.string(), operation)),
});

export interface SecurityDriftOptions {
  readonly policy: Policy;
  /** Of the policy's normal form. */
  readonly digest: string;
  /** Name of the policy's file, for the sentences. */
  readonly policyFile: string;
}

/**
 * One sentence for each route whose `security` in the document is not its rule, or one where all of
 * them are and the document was made from another policy still: its fields then differ. None is well.
 */
export function findSecurityDrift(
  document: string,
  { policy, digest, policyFile }: SecurityDriftOptions,
): string[] {
  const { info, paths } = v.parse(documentShape, JSON.parse(document));
  const published = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      published.set(route, alternativesKey(security.map((one) => Object.values(one).flat())));
    }
  }
  const names = new Set([...published.keys(), ...policy.routes.keys()]);
  const differing = [...names]
    .filter((name) => published.get(name) !== ruleKey(policy.routes.get(name)))
    .map((name) => `on "${name}"`);
  const isOther = info["x-policy-digest"] !== digest;
  return (differing.length === 0 && isOther ? ["beyond the routes"] : differing).map((where) =>
    `Document and policy differ ${where}: run \`${
      specCommand(policyFile)
    }\` after changing ${policyFile}`
  );
}

function ruleKey(rule: Rule | undefined): string | undefined {
  if (rule === undefined) return undefined;
  return alternativesKey(rule.public ? [] : rule.alternatives);
}

/** Alternatives in one order, so that two lists that mean the same are the same text. */
function alternativesKey(alternatives: readonly (readonly string[])[]): string {
  return JSON.stringify(alternatives.map((scopes) => [...scopes].sort()).sort());
}
