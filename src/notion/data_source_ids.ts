/**
 * IDs of data sources. Each database has one, whose ID follows from that of the database and leads
 * back to it.
 *
 * @module
 */
import { normalizeId } from "../content/values/ids.ts";

/** Differs from zero in the random bits of a UUID only, so that its version and variant stay. */
const MASK = 0xDA_7A_50_0C_E5_01n;
const RANDOM_DIGITS = 12;

/** Returns the ID of a database's data source, or that of a data source's database. */
function other(id: string): string {
  const uuid = normalizeId(id);
  const last = BigInt(`0x${uuid.slice(-RANDOM_DIGITS)}`) ^ MASK;
  return uuid.slice(0, -RANDOM_DIGITS) + last.toString(16).padStart(RANDOM_DIGITS, "0");
}

/** Returns the ID of the data source of a database, in lower case with dashes. */
export const dataSourceIdOf: (databaseId: string) => string = other;

/** Returns the ID of the database of a data source, in lower case with dashes. */
export const databaseIdOf: (dataSourceId: string) => string = other;
