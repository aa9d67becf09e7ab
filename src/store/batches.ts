/**
 * Batches of nodes, bounded by the length of their documents as well as by their number: what is
 * made of a batch is in memory at once, and others wait meanwhile.
 *
 * @module
 */

/** A node, and the bytes of its document. */
export interface SizedNode {
  readonly id: string;
  readonly length: number;
}

/** Bytes of the documents of a batch, but for its last node. */
const MOST_LENGTH = 500_000;

/** Divides nodes, in their order, into batches of at most so many. */
export function batchesOf<T extends SizedNode>(nodes: readonly T[], most: number): T[][] {
  const batches: T[][] = [];
  let [batch, length]: [T[], number] = [[], 0];
  for (const node of nodes) {
    batch.push(node);
    length += node.length;
    if (batch.length < most && length < MOST_LENGTH) continue;
    batches.push(batch);
    [batch, length] = [[], 0];
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
