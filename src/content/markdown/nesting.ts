/**
 * Limits the nesting of printed blocks. Each line is indented at each level, so that lines without
 * much text would take far more when they are printed than when they are stored.
 *
 * @module
 */
import type { BlockValue } from "../blocks/types.ts";
import type { RichText } from "../values/rich_text.ts";

/** Maximum nesting in the text; deeper blocks follow without nesting. */
const LEVELS = 60;
/** Characters by which a level indents a line; only the numbers of long lists take more. */
const INDENT = 2;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Nodes in document order: parents before their children. */
export interface NestedNodes {
  /** The index of each node's parent. */
  readonly parents: readonly number[];
  /** The stored values as JSON. */
  readonly docs: readonly string[];
  readonly values: readonly BlockValue[];
}

/**
 * Returns how many levels below a node may be nested: 60, or as many as indent the lines of all its
 * descendants by no more characters than are stored of them.
 */
export function levelsBelow(root: number, { parents, docs, values }: NestedNodes): number {
  const depths = new Map([[root, 0]]);
  const lines: number[] = [];
  let length = 0;
  for (let at = root; at === root || (parents[at] ?? -1) >= root; at++) {
    const depth = at === root ? 0 : (depths.get(parents[at] ?? root) ?? 0) + 1;
    depths.set(at, depth);
    lines[depth] = (lines[depth] ?? 0) + lineEnds(values[at] ?? {});
    length += docs[at]?.length ?? 0;
  }
  let deeper = lines.reduce((sum, count) => sum + count, 0);
  for (let level = 0; level < LEVELS; level++) {
    deeper -= lines[level] ?? 0;
    length -= deeper * INDENT;
    if (length < 0) return level;
  }
  return LEVELS;
}

/** The line ends in the texts that may have several lines when they are printed. */
function lineEnds({ rich_text: richText, expression }: BlockValue): number {
  let count = lineEndsIn(String(expression ?? ""));
  // Sound because rich text is stored as `toRichText` returns it.
  for (const item of (richText ?? []) as RichText) count += lineEndsIn(item.plain_text);
  return count;
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) count++;
  }
  return count;
}
