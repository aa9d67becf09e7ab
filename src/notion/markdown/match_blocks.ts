/**
 * Which blocks of a page stay as they are when its Markdown is edited.
 *
 * @module
 */
import type { MarkdownDraft } from "../../content/markdown/place_nodes.ts";

/** Beyond this many comparisons, only what is equal at the start and at the end stays. */
const MAX_COMPARISONS = 250_000;

/** A text for each top-level block of a draft, equal for blocks with equal content. */
export function blockTexts({ nodes }: Pick<MarkdownDraft, "nodes">): string[] {
  const texts: string[] = [];
  rootsOf({ nodes }).forEach((root, index) => {
    const { type, doc, parentId, parentKind } = nodes[index] ?? {};
    // The parent tells the shape of the tree, counted from the block at its root.
    const depth = parentKind === "page" ? "" : index - Number(parentId);
    texts[root] = `${texts[root] ?? ""}${JSON.stringify([depth, type, doc])}`;
  });
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
export function matchBlocks(old: readonly string[], fresh: readonly string[]): Pair[] {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const inner = longestCommon(
    old.slice(start, old.length - end),
    fresh.slice(start, fresh.length - end),
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

/** The longest common subsequence; empty if finding it takes too many comparisons. */
function longestCommon(a: readonly string[], b: readonly string[]): Pair[] {
  const width = b.length + 1;
  if (a.length * b.length > MAX_COMPARISONS) return [];
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
