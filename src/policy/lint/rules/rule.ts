/**
 * The interface of a lint rule. Each has a file, a code and a section in `policy/README.md`.
 *
 * @module
 */
import type { PublishedApi } from "../../document.ts";
import type { FindingDraft, Level } from "../finding.ts";
import { hasOwnRule, type Policy, type PolicyFile } from "../../schema.ts";
import type { Path, Source } from "../source.ts";

/** The input of a rule. */
export interface Subject {
  readonly source: Source;
  readonly file: PolicyFile;
  /** The published document. Without it, rules that compare with it find nothing. */
  readonly api: PublishedApi | undefined;
  /** An earlier policy. Without it, rules compare with the published document. */
  readonly base: Policy | undefined;
}

interface Common {
  /** The rule's file name with dashes. It never changes, because scripts rely on it. */
  readonly code: string;
  /** The fault that the rule finds, in one sentence without a full stop. */
  readonly summary: string;
  readonly level: Level;
}

/** A rule for any text, even if it is not a valid policy. */
export interface TextRule extends Common {
  readonly on: "text";
  find(source: Source): FindingDraft[];
}

/** A rule for a policy that matches the schema. */
export interface PolicyRule extends Common {
  readonly on: "policy";
  find(subject: Subject): FindingDraft[];
}

export type LintRule = TextRule | PolicyRule;

export type Table = "routes" | "fields";

/** A list of scopes of a rule, and its path in the file. */
export interface ScopeList {
  readonly table: Table;
  /** The route or the field. */
  readonly name: string;
  readonly path: Path;
  readonly scopes: readonly string[];
}

/** Returns every list of scopes of a policy, in the order of the file. */
export function listsOf({ source, file: { policy } }: Subject): ScopeList[] {
  return (["routes", "fields"] as const).flatMap((table) =>
    [...policy[table]].filter(([name]) => hasOwnRule(policy, name)).flatMap((
      [name, { alternatives }],
    ) =>
      alternatives.map((scopes, index) => {
        const inAnyOf = [table, name, "anyOf", index];
        return { table, name, scopes, path: source.has(inAnyOf) ? inAnyOf : [table, name] };
      })
    )
  );
}
