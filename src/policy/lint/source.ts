/**
 * A JSON file whose names and values know where they stand.
 *
 * @module
 */
import { type Node, parse, type ValueNode } from "@humanwhocodes/momoa";
import { FileError } from "../issue.ts";

/** A place in a file; lines and columns count from one. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  /** Characters, all on that line; at least one. */
  readonly length: number;
}

/** Names and indexes from the root to a value. */
export type Path = readonly (string | number)[];

export interface Source {
  /** As the reader knows it, such as `policy/scopes.json`. */
  readonly file: string;
  readonly text: string;
  /** What `JSON.parse` reads; undefined where it refuses. */
  readonly value: unknown;
  /** Why the text is not JSON. */
  readonly issue: { readonly span: SourceRange; readonly detail: string } | undefined;
  has(path: Path): boolean;
  /** Where a value stands; the nearest place around it where there is none. */
  valueAt(path: Path): SourceRange;
  /** Where a member's name stands; as {@linkcode valueAt} for what has no name. */
  nameAt(path: Path): SourceRange;
  /** Members whose object already has their name. */
  readonly repeated: readonly {
    readonly path: Path;
    readonly span: SourceRange;
    readonly first: SourceRange;
  }[];
}

type Spans = Map<string, SourceRange>;

interface Found {
  readonly values: Spans;
  readonly names: Spans;
  readonly repeated: { path: Path; span: SourceRange; first: SourceRange }[];
}

const START: SourceRange = { line: 1, column: 1, length: 1 };

/** Reads a text; what is not JSON has a fault and no value. */
export function readSource(file: string, text: string): Source {
  const found: Found = { values: new Map(), names: new Map(), repeated: [] };
  const issue = findIssue(text);
  if (issue === undefined) collect(parse(text).body, [], found);
  const { values, names, repeated } = found;
  return {
    file,
    text,
    value: issue === undefined ? JSON.parse(text) : undefined,
    issue,
    has: (path) => values.has(keyOf(path)),
    valueAt: (path) => nearest(path, values, values),
    nameAt: (path) => nearest(path, names, values),
    repeated,
  };
}

/** What a JSON text says; throws `FileError` with the place where it is none, and what to run. */
export function readJson(
  text: string,
  { file, remedy }: { readonly file: string; readonly remedy?: string },
): unknown {
  const issue = findIssue(text);
  if (issue === undefined) return JSON.parse(text);
  const { span: { line, column }, detail } = issue;
  const sentence = `${file}:${line}:${column}: The file is not JSON: ${detail}`;
  throw new FileError(remedy === undefined ? sentence : `${sentence}\n\nRun: ${remedy}`);
}

/** `JSON.parse` has the last word, since the server reads with it; momoa knows the place. */
function findIssue(text: string): Source["issue"] {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { span: placeOfIssue(text), detail: reason.replace(/ in JSON at position.*$/s, "") };
  }
}

function placeOfIssue(text: string): SourceRange {
  try {
    parse(text);
  } catch (error) {
    const known = error instanceof Error && "line" in error && "column" in error;
    if (known) return { line: Number(error.line), column: Number(error.column), length: 1 };
  }
  const lines = text.trimEnd().split("\n");
  return { line: lines.length, column: Math.max(1, lines.at(-1)?.length ?? 1), length: 1 };
}

function collect(node: ValueNode, path: Path, found: Found): void {
  found.values.set(keyOf(path), spanOf(node));
  if (node.type === "Array") {
    node.elements.forEach(({ value }, index) => collect(value, [...path, index], found));
  }
  if (node.type !== "Object") return;
  const here = new Map<string, SourceRange>();
  for (const { name, value } of node.members) {
    const own = name.type === "String" ? name.value : name.name;
    const [place, span] = [[...path, own], spanOf(name)];
    const first = here.get(own);
    if (first !== undefined) found.repeated.push({ path: place, span, first });
    here.set(own, span);
    found.names.set(keyOf(place), span);
    collect(value, place, found);
  }
}

function spanOf({ loc: { start, end } }: Node): SourceRange {
  const length = start.line === end.line ? end.offset - start.offset : 1;
  return { line: start.line, column: start.column, length };
}

function nearest(path: Path, first: Spans, second: Spans): SourceRange {
  const own = first.get(keyOf(path)) ?? second.get(keyOf(path));
  if (own !== undefined) return own;
  return path.length === 0 ? START : nearest(path.slice(0, -1), first, second);
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}
