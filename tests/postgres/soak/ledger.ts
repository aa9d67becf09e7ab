/**
 * The writes that were acknowledged to one client.
 *
 * @module
 */

/** Position of appended blocks: after one of the client's own blocks, by its text. */
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
  /** Increments by counter. */
  readonly counts: Map<string, number>;
  /** Page titles by ID. */
  readonly pages: Map<string, Written<string>>;
  /** Row numbers by ID. */
  readonly rows: Map<string, Written<number>>;
}

export function createLedger(): Ledger {
  return { runs: [], counts: new Map(), pages: new Map(), rows: new Map() };
}
