/**
 * Rows in lists. Those of a list lie together, in blocks that are its own, without gaps.
 *
 * @module
 */

/** Rows of a block: enough to be read at once, few enough that half-full ones waste little. */
export const BLOCK = 64;

export interface RowList {
  /** Number of its rows. */
  readonly length: number;
  /** The row at an index. Those from a multiple of `BLOCK` on up to the next are side by side. */
  row(index: number): number;
  /** Adds a row behind the others, and answers it. */
  append(): number;
  /** Takes away the last of its rows, of which there must be one, and answers it. */
  dropLast(): number;
}

export interface RowLists {
  /** A list without rows. */
  create(): RowList;
  /** The list that a row is in. */
  listOf(row: number): RowList | undefined;
}

/** Lists that share the blocks that there are. */
export function createRowLists(): RowLists {
  /** The list of each block that was ever used. */
  const owners: RowList[] = [];
  const free: number[] = [];

  function create(): RowList {
    const blocks: number[] = [];
    let length = 0;
    const row = (index: number) => (blocks[Math.floor(index / BLOCK)] ?? 0) * BLOCK + index % BLOCK;
    const list: RowList = {
      row,
      get length() {
        return length;
      },
      append: () => {
        if (length === blocks.length * BLOCK) {
          const block = free.pop() ?? owners.length;
          owners[block] = list;
          blocks.push(block);
        }
        return row(length++);
      },
      dropLast: () => {
        const last = row(--length);
        if (length % BLOCK === 0) free.push(...blocks.splice(-1));
        return last;
      },
    };
    return list;
  }

  return { create, listOf: (row) => owners[Math.floor(row / BLOCK)] };
}
