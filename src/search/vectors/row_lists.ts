/**
 * Lists of rows. The rows of a list are stored in blocks of its own, without gaps.
 *
 * @module
 */

/** Rows per block: enough for fast reading, few enough that half-full blocks waste little. */
export const BLOCK = 64;

export interface RowList {
  /** Number of rows. */
  readonly length: number;
  /** Returns the row at an index. The rows between two multiples of `BLOCK` are consecutive. */
  row(index: number): number;
  /** Appends a row and returns it. */
  append(): number;
  /** Removes the last row and returns it; the list must not be empty. */
  dropLast(): number;
}

export interface RowLists {
  /** Creates an empty list. */
  create(): RowList;
  /** Returns the list that contains a row. */
  listOf(row: number): RowList | undefined;
}

/** Creates lists that share a pool of blocks. */
export function createRowLists(): RowLists {
  /** The list that last used each block. */
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
