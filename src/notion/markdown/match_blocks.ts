/**
 * Which blocks of a page stay as they are when its Markdown is edited.
 *
 * @module
 */
import type { MarkdownDraft } from "../../content/markdown/place_nodes.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";

/** Beyond this many comparisons, only what is equal at the start and at the end stays. */
const MAX_COMPARISONS = 250_000;

/** A text for each top-level block of a draft, equal for blocks with equal content. */
export async function blockTexts(
  { nodes }: Pick<MarkdownDraft, "nodes">,
  rest: Rest,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [index, root] of rootsOf({ nodes }).entries()) {
    const { type, doc, parentId, parentKind } = nodes[index] ?? {};
    // The parent tells the shape of the tree, counted from the block at its root.
    const depth = parentKind === "page" ? "" : index - Number(parentId);
    // A document is JSON on one line, so that no two trees have the same text.
    texts[root] = `${texts[root] ?? ""}${depth} ${type} ${doc}\n`;
    await rest();
  }
  return texts;
}

/** For each node of a draft, the number of the top-level block that it belongs to. */
export function rootsOf({ nodes }: Pick<MarkdownDraft, "nodes">): number[] {
  const roots: number[] = [];
  let count = 0;
  for (const { id, parentKind, parentId } of nodes) {
    roots[Number(id)] = parentKind === "page" ? count++ : roots[Number(parentId)] ?? 0;
  }
  return roots;
}

/** An old and a new block that are equal, by their indexes. */
export type Pair = readonly [old: number, fresh: number];

/** Returns pairs of equal blocks, in ascending order of both. */
export async function matchBlocks(
  old: readonly string[],
  fresh: readonly string[],
  rest: Rest = createRest(),
): Promise<Pair[]> {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  for (; start < shorter && old[start] === fresh[start]; start++) await rest();
  let end = 0;
  for (; end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end); end++) await rest();
  const inner = await matchInner(
    old.slice(start, old.length - end),
    fresh.slice(start, fresh.length - end),
    rest,
  );
  return [
    ...Array.from({ length: start }, (_, i): Pair => [i, i]),
    ...inner.map(([a, b]): Pair => [a + start, b + start]),
    ...Array.from({ length: end }, (_, i): Pair => [
      old.length - end + i,
      fresh.length - end + i,
    ]),
  ];
}

async function matchInner(
  old: readonly string[],
  fresh: readonly string[],
  rest: Rest,
): Promise<Pair[]> {
  if (old.length * fresh.length > MAX_COMPARISONS) return [];
  // Long texts that differ only at their ends take as long to compare as they are.
  const numberOf = createNumbering();
  return longestCommon(
    await numberTexts(old, numberOf, rest),
    await numberTexts(fresh, numberOf, rest),
  );
}

/** UTF-16 code units; V8 hashes strings of more than 16,383 by their length alone. */
const PIECE = 8_192;

/** Numbers texts, equal ones alike. */
function createNumbering(): (text: string) => number {
  const [pieces, texts] = [new Map<string, number>(), new Map<string, number>()];
  return (text) => {
    const numbers: number[] = [];
    for (let at = 0; at < text.length; at += PIECE) {
      numbers.push(pieces.getOrInsert(text.slice(at, at + PIECE), pieces.size));
    }
    return texts.getOrInsert(numbers.join(), texts.size);
  };
}

async function numberTexts(
  texts: readonly string[],
  numberOf: (text: string) => number,
  rest: Rest,
): Promise<number[]> {
  const numbers: number[] = [];
  for (const text of texts) {
    numbers.push(numberOf(text));
    await rest();
  }
  return numbers;
}

/** The longest common subsequence. */
function longestCommon(a: readonly number[], b: readonly number[]): Pair[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
