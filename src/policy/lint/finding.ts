/**
 * What a reviewer is told about a file, as a value; printing is apart.
 *
 * @module
 */
import type { Source, SourceRange } from "./source.ts";

export type Level = "error" | "warning";

export interface Finding {
  /** The rule that found it, which never changes its name. */
  readonly code: string;
  readonly level: Level;
  readonly file: string;
  readonly span: SourceRange;
  /** The line of the file, for the caret. */
  readonly excerpt: string;
  /** What is wrong, in one sentence without a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What a rule says; the place and the rule's name are put around it. */
export interface FindingDraft {
  readonly span: SourceRange;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Makes a finding of a remark on a file. */
export function toFinding(
  { span, message, hint }: FindingDraft,
  { code, level, source }: {
    readonly code: string;
    readonly level: Level;
    readonly source: Pick<Source, "file" | "text">;
  },
): Finding {
  const excerpt = source.text.split("\n")[span.line - 1] ?? "";
  const finding = { code, level, file: source.file, span, excerpt, message };
  return hint === undefined ? finding : { ...finding, hint };
}

/** Orders findings as one reads: by file, line and column, then by code. */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.span.line - b.span.line || a.span.column - b.span.column || (a.code < b.code ? -1 : 1);
}
