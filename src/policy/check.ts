/**
 * Everything that `deno task policy check` looks for.
 *
 * @module
 */
import type { PublishedApi } from "./document.ts";
import { compareFindings, type Finding, type Remark, toFinding } from "./finding.ts";
import { absorbedAlternative } from "./lint/absorbed_alternative.ts";
import { brokenInvariant } from "./lint/broken_invariant.ts";
import { deprecatedScope } from "./lint/deprecated_scope.ts";
import { documentDiffers } from "./lint/document_differs.ts";
import { duplicateKey } from "./lint/duplicate_key.ts";
import { idleInvariant } from "./lint/idle_invariant.ts";
import { indistinctScopes } from "./lint/indistinct_scopes.ts";
import { newlyPublic } from "./lint/newly_public.ts";
import { notJson } from "./lint/not_json.ts";
import { readTokenWrites } from "./lint/read_token_writes.ts";
import { repeatedAlternative } from "./lint/repeated_alternative.ts";
import { routeWithoutRule } from "./lint/route_without_rule.ts";
import type { LintRule } from "./lint/rule.ts";
import { ruleWithoutRoute } from "./lint/rule_without_route.ts";
import { undeclaredScope } from "./lint/undeclared_scope.ts";
import { unknownField } from "./lint/unknown_field.ts";
import { unknownRoute } from "./lint/unknown_route.ts";
import { unknownScope } from "./lint/unknown_scope.ts";
import { unusedScope } from "./lint/unused_scope.ts";
import { wrongShape } from "./lint/wrong_shape.ts";
import { NOT_SERVED } from "./not_served.ts";
import { type Policy, type PolicyFile, readShape } from "./schema.ts";
import type { Source } from "./source.ts";

/** Every rule, as `policy/README.md` lists them. */
export const RULES: readonly LintRule[] = [
  notJson,
  wrongShape,
  duplicateKey,
  undeclaredScope,
  unknownScope,
  unusedScope,
  deprecatedScope,
  indistinctScopes,
  repeatedAlternative,
  absorbedAlternative,
  routeWithoutRule,
  ruleWithoutRoute,
  documentDiffers,
  unknownRoute,
  unknownField,
  newlyPublic,
  readTokenWrites,
  brokenInvariant,
  idleInvariant,
];

/** Every code that a finding can have. */
export const CODES: readonly string[] = [...RULES.map(({ code }) => code), NOT_SERVED];

export interface CheckOptions {
  readonly source: Source;
  readonly api?: PublishedApi | undefined;
  readonly base?: Policy | undefined;
}

/** All findings of all rules, as one reads the file; a file without any has no fault. */
export function check({ source, api, base }: CheckOptions): Finding[] {
  const file = source.fault === undefined ? readShape(source.value).file : undefined;
  return RULES.flatMap((rule) =>
    remarksOf(rule, { source, file, api, base })
      .map((remark) => toFinding(remark, { ...rule, source }))
  ).sort(compareFindings);
}

interface Given {
  readonly source: Source;
  readonly file: PolicyFile | undefined;
  readonly api: PublishedApi | undefined;
  readonly base: Policy | undefined;
}

function remarksOf(rule: LintRule, { file, ...given }: Given): Remark[] {
  if (rule.on === "text") return rule.find(given.source);
  return file === undefined ? [] : rule.find({ ...given, file });
}
