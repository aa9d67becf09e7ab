/**
 * Runs every rule of `deno task policy check`.
 *
 * @module
 */
import { readCasesShape } from "../analysis/cases.ts";
import type { PublishedApi } from "../document.ts";
import {
  compareFindings,
  type Finding,
  type FindingDraft,
  type FindingKind,
  toFinding,
} from "./finding.ts";
import { absorbedAlternative } from "./rules/absorbed_alternative.ts";
import { aliasWithoutRule } from "./rules/alias_without_rule.ts";
import { brokenInvariant } from "./rules/broken_invariant.ts";
import { deprecatedScope } from "./rules/deprecated_scope.ts";
import { documentDiffers } from "./rules/document_differs.ts";
import { duplicateKey } from "./rules/duplicate_key.ts";
import { idleInvariant } from "./rules/idle_invariant.ts";
import { indistinctScopes } from "./rules/indistinct_scopes.ts";
import { newlyPublic } from "./rules/newly_public.ts";
import { notJson } from "./rules/not_json.ts";
import { overlappingRoutes } from "./rules/overlapping_routes.ts";
import { readTokenWrites } from "./rules/read_token_writes.ts";
import { repeatedAlternative } from "./rules/repeated_alternative.ts";
import { routeWithoutRule } from "./rules/route_without_rule.ts";
import type { LintRule } from "./rules/rule.ts";
import { ruleWithoutRoute } from "./rules/rule_without_route.ts";
import { undeclaredScope } from "./rules/undeclared_scope.ts";
import { unknownField } from "./rules/unknown_field.ts";
import { unknownNote } from "./rules/unknown_note.ts";
import { unknownRoute } from "./rules/unknown_route.ts";
import { unknownScope } from "./rules/unknown_scope.ts";
import { unsafeMethod } from "./rules/unsafe_method.ts";
import { unusedScope } from "./rules/unused_scope.ts";
import { toDrafts, wrongShape } from "./rules/wrong_shape.ts";
import { NOT_SERVED } from "./not_served.ts";
import { type Policy, type PolicyFile, readShape } from "../schema.ts";
import type { Source } from "./source.ts";

/** All rules, in the order of `policy/README.md`. */
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
  aliasWithoutRule,
  documentDiffers,
  overlappingRoutes,
  unknownRoute,
  unknownField,
  unknownNote,
  unsafeMethod,
  newlyPublic,
  readTokenWrites,
  brokenInvariant,
  idleInvariant,
];

/** Every kind of finding, with its code. */
export const KINDS: readonly FindingKind[] = [...RULES, NOT_SERVED];

export interface CheckOptions {
  readonly source: Source;
  readonly api?: PublishedApi | undefined;
  readonly base?: Policy | undefined;
}

/** Returns the findings of all rules, in the order of the file. */
export function check({ source, api, base }: CheckOptions): Finding[] {
  const file = source.issue === undefined ? readShape(source.value).file : undefined;
  return RULES.flatMap((rule) =>
    runRule(rule, { source, file, api, base }).map((draft) => toFinding(draft, { ...rule, source }))
  ).sort(compareFindings);
}

interface RuleInput {
  readonly source: Source;
  readonly file: PolicyFile | undefined;
  readonly api: PublishedApi | undefined;
  readonly base: Policy | undefined;
}

function runRule(rule: LintRule, { file, ...input }: RuleInput): FindingDraft[] {
  if (rule.on === "text") return rule.find(input.source);
  return file === undefined ? [] : rule.find({ ...input, file });
}

/** Returns the findings of a file of cases, in the order of the file. */
export function checkCases(source: Source): Finding[] {
  const shape = source.issue === undefined ? readCasesShape(source.value).issues : [];
  const drafts: readonly [LintRule, FindingDraft[]][] = [
    [notJson, notJson.find(source)],
    [wrongShape, toDrafts(shape, source)],
    [duplicateKey, duplicateKey.find(source)],
  ];
  return drafts.flatMap(([rule, own]) => own.map((draft) => toFinding(draft, { ...rule, source })))
    .sort(compareFindings);
}
