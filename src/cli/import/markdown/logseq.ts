/**
 * Rewrites outlines of Logseq: properties of pages and blocks, tasks, and references to blocks.
 *
 * @module
 */
import { mapLines } from "./lines.ts";

const PROPERTY = /^(\s*)(?:[-*]\s+)?([A-Za-z][\w/-]*):: ?(.*)$/;
/** Properties of blocks that only matter to the program. */
const INTERNAL = new Set([
  "id",
  "collapsed",
  "created-at",
  "updated-at",
  "heading",
  "background-color",
]);
const TASK =
  /^(\s*[-*]\s+)(TODO|LATER|NOW|DOING|WAITING|DONE|CANCELED|CANCELLED)\s+(?:\[#[ABC]\]\s*)?/;
const DONE = new Set(["DONE", "CANCELED", "CANCELLED"]);
const REFERENCE = /\(\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)\)/g;

/** The leading `key:: value` lines of a page. */
export function pageProperties(text: string): {
  readonly values: Readonly<Record<string, string | string[]>>;
  readonly rest: string;
} {
  const lines = text.split("\n");
  const values: [string, string | string[]][] = [];
  let index = 0;
  for (; index < lines.length; index++) {
    const [, indent, name = "", value = ""] = PROPERTY.exec(lines[index] ?? "") ?? [];
    if (name === "" || indent !== "") break;
    if (!INTERNAL.has(name)) values.push([name, propertyValue(name, value.trim())]);
  }
  return { values: Object.fromEntries(values), rest: lines.slice(index).join("\n") };
}

function propertyValue(name: string, value: string): string | string[] {
  const names = [...value.matchAll(/\[\[([^\]]+)\]\]|#([\w/-]+)/g)].map(([, a, b]) => a ?? b ?? "");
  if (names.length > 0) return names;
  return name === "tags" || name === "alias" ? value.split(/\s*,\s*/) : value;
}

/** A block that others refer to. */
export interface NamedBlock {
  readonly id: string;
  readonly text: string;
}

/** The blocks of a text that have an ID. */
export function namedBlocks(text: string): NamedBlock[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const [, id] = /^\s*id:: ([0-9a-f-]{36})\s*$/.exec(line) ?? [];
    const above = lines.slice(0, index).findLast((one) => /^\s*[-*]\s/.test(one)) ?? "";
    return id === undefined ? [] : [{ id, text: above.replace(/^\s*[-*]\s+/, "").trim() }];
  });
}

/** Rewrites the text of a page. `blockLink` returns what stands for a reference to a block. */
export function rewriteOutline(text: string, blockLink: (id: string) => string): string {
  return mapLines(text, (line) => {
    const [, indent = "", name = "", value = ""] = PROPERTY.exec(line) ?? [];
    if (name !== "" && INTERNAL.has(name)) return [];
    if (name !== "" && !/^\s*[-*]\s/.test(line)) return `${indent}**${name}:** ${value}  `;
    const task = line.replace(
      TASK,
      (_, bullet: string, state: string) => `${bullet}[${DONE.has(state) ? "x" : " "}] `,
    );
    return task.replace(/\{\{embed\s+(.*?)\}\}/g, "$1")
      .replace(REFERENCE, (_, id: string) => blockLink(id))
      .replace(/^(\s*)#\+BEGIN_(\w+).*$/i, "$1> [!$2]\n$1>")
      .replace(/^\s*#\+END_\w+.*$/i, "");
  });
}
