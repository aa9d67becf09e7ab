/**
 * A JSON file with the position of every name and value.
 *
 * @module
 */
import { type Node, parse, type ValueNode } from "@humanwhocodes/momoa";
import { FileError } from "../issue.ts";
import { findDepthIssue } from "../json_keys.ts";
import { toVisible } from "../../shared/visible_text.ts";

/** A range in a file; lines and columns count from one. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  /** Characters, all on that line; at least one. */
  readonly length: number;
}

/** Member names and array indexes from the root to a value. */
export type Path = readonly (string | number)[];

export interface Source {
  /** Name of the file, such as `policy/scopes.json`. */
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The parsed value; undefined if the text is not JSON. */
  readonly value: unknown;
  /** Why the text is not JSON. */
  readonly issue: { readonly span: SourceRange; readonly detail: string } | undefined;
  has(path: Path): boolean;
  /** Returns the range of a value; if it does not exist, that of the closest parent. */
  valueAt(path: Path): SourceRange;
  /** Returns the range of a member's name; for an array item, as {@linkcode valueAt}. */
  nameAt(path: Path): SourceRange;
  /** Members that repeat a name of their object. */
  readonly duplicates: readonly {
    readonly path: Path;
    readonly span: SourceRange;
    readonly first: SourceRange;
  }[];
}

type RangesByPath = Map<string, SourceRange>;

interface Positions {
  readonly values: RangesByPath;
  readonly names: RangesByPath;
  readonly duplicates: { path: Path; span: SourceRange; first: SourceRange }[];
}

const START: SourceRange = { line: 1, column: 1, length: 1 };

/** Parses a text. If it is not JSON, the source has an issue and no value. */
export function readSource(file: string, text: string): Source {
  const positions: Positions = { values: new Map(), names: new Map(), duplicates: [] };
  const issue = findIssue(text);
  if (issue === undefined) collect(parse(text).body, [], positions);
  const { values, names, duplicates } = positions;
  return {
    file,
    text,
    lines: text.split("\n"),
    value: issue === undefined ? JSON.parse(text) : undefined,
    issue,
    has: (path) => values.has(pathKey(path)),
    valueAt: (path) => nearest(path, values, values),
    nameAt: (path) => nearest(path, names, values),
    duplicates,
  };
}

/** Parses JSON; throws `FileError` with the place of the error and the command that repairs it. */
export function readJson(
  text: string,
  { file, remedy }: { readonly file: string; readonly remedy?: string },
): unknown {
  const issue = findIssue(text);
  if (issue === undefined) return JSON.parse(text);
  const { span: { line, column }, detail } = issue;
  const sentence = toVisible(`${file}:${line}:${column}: The file is not JSON: ${detail}`);
  throw new FileError(remedy === undefined ? sentence : `${sentence}\n\nRun: ${remedy}`);
}

/** Decides with `JSON.parse`, because the server does, and asks momoa for the place. */
function findIssue(text: string): Source["issue"] {
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return explain(text, reason.replace(/ in JSON at position.*$/s, ""));
  }
  const depthIssue = findDepthIssue(text);
  return depthIssue === undefined ? undefined : { span: START, detail: depthIssue };
}

/** Names the mistakes that JSON parsers describe by an invisible or a later character. */
function explain(text: string, reason: string): NonNullable<Source["issue"]> {
  if (text.startsWith("\ufeff")) {
    return {
      span: START,
      detail: "It begins with a byte order mark: save it as UTF-8 without BOM",
    };
  }
  const span = locateIssue(text);
  const at = offsetOf(text, span);
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return { span, detail: "JSON has no comments" };
  const comma = /,\s*$/.exec(text.slice(0, at));
  if (comma !== null && /[}\]]/.test(text[at] ?? "")) {
    return { span: rangeAt(text, comma.index), detail: `Remove the comma before "${text[at]}"` };
  }
  return { span, detail: reason };
}

function offsetOf(text: string, { line, column }: SourceRange): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, one) => sum + one.length + 1, column - 1);
}

function rangeAt(text: string, offset: number): SourceRange {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length: 1 };
}

function locateIssue(text: string): SourceRange {
  try {
    parse(text);
  } catch (error) {
    const hasPosition = error instanceof Error && "line" in error && "column" in error;
    if (hasPosition) return { line: Number(error.line), column: Number(error.column), length: 1 };
  }
  const lines = text.trimEnd().split("\n");
  return { line: lines.length, column: Math.max(1, lines.at(-1)?.length ?? 1), length: 1 };
}

function collect(node: ValueNode, path: Path, positions: Positions): void {
  positions.values.set(pathKey(path), spanOf(node));
  if (node.type === "Array") {
    node.elements.forEach(({ value }, index) => collect(value, [...path, index], positions));
  }
  if (node.type !== "Object") return;
  const seen = new Map<string, SourceRange>();
  for (const { name, value } of node.members) {
    const own = name.type === "String" ? name.value : name.name;
    const [memberPath, span] = [[...path, own], spanOf(name)];
    const first = seen.get(own);
    if (first !== undefined) positions.duplicates.push({ path: memberPath, span, first });
    seen.set(own, span);
    positions.names.set(pathKey(memberPath), span);
    collect(value, memberPath, positions);
  }
}

function spanOf({ loc: { start, end } }: Node): SourceRange {
  const length = start.line === end.line ? end.offset - start.offset : 1;
  return { line: start.line, column: start.column, length };
}

function nearest(path: Path, first: RangesByPath, second: RangesByPath): SourceRange {
  const own = first.get(pathKey(path)) ?? second.get(pathKey(path));
  if (own !== undefined) return own;
  return path.length === 0 ? START : nearest(path.slice(0, -1), first, second);
}

function pathKey(path: Path): string {
  return JSON.stringify(path.map(String));
}
