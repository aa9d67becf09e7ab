/**
 * What a lint rule is: one file, one code, one paragraph in `policy/README.md`.
 *
 * @module
 */
import type { PublishedApi } from "../../document.ts";
import type { FindingDraft, Level } from "../finding.ts";
import type { Policy, PolicyFile } from "../../schema.ts";
import type { Path, Source } from "../source.ts";

/** All that rules look at. */
export interface Subject {
  readonly source: Source;
  readonly file: PolicyFile;
  /** The published document; without one, what compares with it finds nothing. */
  readonly api: PublishedApi | undefined;
  /** An earlier policy; where none is given, the published document stands for it. */
  readonly base: Policy | undefined;
}

interface Common {
  /** The file's name with dashes; it never changes. */
  readonly code: string;
  readonly level: Level;
}

/** Looks at any text, even where it is no policy. */
export interface TextRule extends Common {
  readonly on: "text";
  find(source: Source): FindingDraft[];
}

/** Looks at a policy whose shape is right. */
export interface PolicyRule extends Common {
  readonly on: "policy";
  find(subject: Subject): FindingDraft[];
}

export type LintRule = TextRule | PolicyRule;

export type Table = "routes" | "fields";

/** One list of scopes of a rule, and where it stands. */
export interface ScopeList {
  readonly table: Table;
  /** The route or the field. */
  readonly name: string;
  readonly path: Path;
  readonly scopes: readonly string[];
}

/** Every list of scopes of a policy, in the order of the file. */
export function listsOf({ source, file: { policy } }: Subject): ScopeList[] {
  return (["routes", "fields"] as const).flatMap((table) =>
    [...policy[table]].flatMap(([name, { alternatives }]) =>
      alternatives.map((scopes, index) => {
        const many = [table, name, "anyOf", index];
        return { table, name, scopes, path: source.has(many) ? many : [table, name] };
      })
    )
  );
}
