/**
 * Everything that `deno task policy check` looks for.
 *
 * @module
 */
import type { PublishedApi } from "../document.ts";
import { compareFindings, type Finding, type FindingDraft, toFinding } from "./finding.ts";
import { absorbedAlternative } from "./absorbed_alternative.ts";
import { brokenInvariant } from "./broken_invariant.ts";
import { deprecatedScope } from "./deprecated_scope.ts";
import { documentDiffers } from "./document_differs.ts";
import { duplicateKey } from "./duplicate_key.ts";
import { idleInvariant } from "./idle_invariant.ts";
import { indistinctScopes } from "./indistinct_scopes.ts";
import { newlyPublic } from "./newly_public.ts";
import { notJson } from "./not_json.ts";
import { readTokenWrites } from "./read_token_writes.ts";
import { repeatedAlternative } from "./repeated_alternative.ts";
import { routeWithoutRule } from "./route_without_rule.ts";
import type { LintRule } from "./rule.ts";
import { ruleWithoutRoute } from "./rule_without_route.ts";
import { undeclaredScope } from "./undeclared_scope.ts";
import { unknownField } from "./unknown_field.ts";
import { unknownRoute } from "./unknown_route.ts";
import { unknownScope } from "./unknown_scope.ts";
import { unusedScope } from "./unused_scope.ts";
import { wrongShape } from "./wrong_shape.ts";
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
