/**
 * What one client was told that it wrote.
 *
 * @module
 */

/** Where blocks were put: behind a block of the client's own, whose text this is. */
export type Spot = "start" | "end" | { readonly after: string };

/** Blocks that were appended together. */
export interface Run {
  readonly list: string;
  readonly spot: Spot;
  readonly texts: readonly string[];
  readonly ids: readonly string[];
}

export interface Written<T> {
  readonly value: T;
  readonly isAlive: boolean;
}

export interface Ledger {
  readonly runs: Run[];
  /** Times that each counter was counted up. */
  readonly counts: Map<string, number>;
  /** Titles of pages by id. */
  readonly pages: Map<string, Written<string>>;
  /** Numbers of rows by id. */
  readonly rows: Map<string, Written<number>>;
}

export function createLedger(): Ledger {
  return { runs: [], counts: new Map(), pages: new Map(), rows: new Map() };
}
