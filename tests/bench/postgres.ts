/**
 * Measures the service on PostgreSQL. Starts its own server from Debian's packages.
 *
 * @module
 */
import { benchPostgresQuery } from "./postgres/query.ts";
import { benchPostgresRead } from "./postgres/read.ts";

export interface PostgresBenchOptions {
  /** Rows of the large database. */
  readonly rows?: number;
}

export async function benchPostgres(
  print: (line: string) => void,
  options: PostgresBenchOptions = {},
): Promise<void> {
  await benchPostgresRead(print);
  await benchPostgresQuery(print, options);
}
