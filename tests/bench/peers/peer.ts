/**
 * A service that is compared, and the requests of the table.
 *
 * @module
 */

/** The rows of the table, in its order. */
export const CASES = [
  "page, authorized",
  "row of a database",
  "one block",
  "children, one block",
  "user",
  "database",
  "Markdown of a small page",
  "query: filter, sort, 25 rows",
  "query: first 25 rows",
  "search, two words",
  "insert a row",
] as const;

export type CaseName = (typeof CASES)[number];

export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** A running service that holds the rows. */
export interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The cases that it serves; a missing one has no counterpart. */
  readonly requests: Readonly<Partial<Record<CaseName, PeerRequest>>>;
}
