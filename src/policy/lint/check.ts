/**
 * Everything that `deno task policy check` looks for.
 *
 * @module
 */
import type { PublishedApi } from "../document.ts";
import { compareFindings, type Finding, type FindingDraft, toFinding } from "./finding.ts";
import { absorbedAlternative } from "./rules/absorbed_alternative.ts";
import { brokenInvariant } from "./rules/broken_invariant.ts";
import { deprecatedScope } from "./rules/deprecated_scope.ts";
import { documentDiffers } from "./rules/document_differs.ts";
import { duplicateKey } from "./rules/duplicate_key.ts";
import { idleInvariant } from "./rules/idle_invariant.ts";
import { indistinctScopes } from "./rules/indistinct_scopes.ts";
import { newlyPublic } from "./rules/newly_public.ts";
import { notJson } from "./rules/not_json.ts";
import { readTokenWrites } from "./rules/read_token_writes.ts";
import { repeatedAlternative } from "./rules/repeated_alternative.ts";
import { routeWithoutRule } from "./rules/route_without_rule.ts";
import type { LintRule } from "./rules/rule.ts";
import { ruleWithoutRoute } from "./rules/rule_without_route.ts";
import { undeclaredScope } from "./rules/undeclared_scope.ts";
import { unknownField } from "./rules/unknown_field.ts";
import { unknownRoute } from "./rules/unknown_route.ts";
import { unknownScope } from "./rules/unknown_scope.ts";
import { unusedScope } from "./rules/unused_scope.ts";
import { wrongShape } from "./rules/wrong_shape.ts";
import { NOT_SERVED } from "./not_served.ts";
import { type Policy, type PolicyFile, readShape } from "../schema.ts";
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
  const file = source.issue === undefined ? readShape(source.value).file : undefined;
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

function remarksOf(rule: LintRule, { file, ...given }: Given): FindingDraft[] {
  if (rule.on === "text") return rule.find(given.source);
  return file === undefined ? [] : rule.find({ ...given, file });
}
