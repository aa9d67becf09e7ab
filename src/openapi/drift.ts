/**
 * Drift between the published document and the policy.
 *
 * @module
 */
import * as v from "valibot";
import { fromRequirement } from "../policy/document.ts";
import { hasOwnRule, type Policy, type Rule } from "../policy/schema.ts";
import { specCommand } from "../policy/lint/paths.ts";

const requirements = v.array(v.record(v.string(), v.array(v.string())));
const operation = v.looseObject({ security: requirements });
const documentShape = v.looseObject({
  info: v.looseObject({ "x-policy-digest": v.optional(v.string()) }),
  paths: v.record(v.string(), v.record(v.string(), operation)),
});

export interface SecurityDriftOptions {
  readonly policy: Policy;
  /** Digest of the policy's normal form. */
  readonly digest: string;
  /** Path of the policy, to name in messages. */
  readonly policyFile: string;
}

/**
 * Returns a message for each route whose `security` in the document differs from its rule. If all are
 * equal but the document was made from another policy, such as one with other fields, returns one
 * message. Empty if there is no drift.
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
      published.set(route, alternativesKey(security.map(fromRequirement)));
    }
  }
  const ruled = [...policy.routes.keys()].filter((route) => hasOwnRule(policy, route));
  const names = new Set([...published.keys(), ...ruled]);
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

/** Returns alternatives as text that is equal for equivalent lists. */
function alternativesKey(alternatives: readonly (readonly string[])[]): string {
  return JSON.stringify(alternatives.map((scopes) => [...scopes].sort()).sort());
}
