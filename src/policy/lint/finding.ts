/**
 * Findings of the policy linter as values; `report/` prints them.
 *
 * @module
 */
import { toVisible } from "../../shared/visible_text.ts";
import type { Source, SourceRange } from "./source.ts";

export type Level = "error" | "warning";

/** The facts that findings of one code have in common. */
export interface FindingKind {
  /** The code, which never changes. */
  readonly code: string;
  /** The fault, in one sentence without a full stop. */
  readonly summary: string;
  /** Its section of `policy/README.md`; default the code. */
  readonly section?: string;
}

export interface Finding {
  /** The code of the rule, which never changes. */
  readonly code: string;
  readonly level: Level;
  readonly file: string;
  readonly span: SourceRange;
  /** The line of the file, for the caret. */
  readonly excerpt: string;
  /** The fault, in one sentence without a full stop. */
  readonly message: string;
  /** The remedy. */
  readonly hint?: string;
}

/** A finding as its rule creates it, without the rule's code and the file. */
export interface FindingDraft {
  readonly span: SourceRange;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Completes a rule's draft. */
export function toFinding(
  { span, message, hint }: FindingDraft,
  { code, level, source }: {
    readonly code: string;
    readonly level: Level;
    readonly source: Pick<Source, "file" | "lines">;
  },
): Finding {
  const excerpt = source.lines[span.line - 1] ?? "";
  const finding = { code, level, file: source.file, span, excerpt, message: toVisible(message) };
  return hint === undefined ? finding : { ...finding, hint: toVisible(hint) };
}

/** Orders findings by file, line and column, then by code. */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.span.line - b.span.line || a.span.column - b.span.column || (a.code < b.code ? -1 : 1);
}
