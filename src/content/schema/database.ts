/**
 * The stored form of databases.
 *
 * @module
 */
import type { Cover, Icon } from "../values/icons.ts";
import type { Node } from "./node.ts";
import type { RichText } from "../values/rich_text.ts";
import type { Schema } from "./property.ts";

/** The document of a database. */
export interface DatabaseDoc {
  readonly title: RichText;
  readonly description: RichText;
  readonly icon: Icon;
  readonly cover: Cover;
  readonly is_inline: boolean;
  /** True if people should not edit the database; absent if they may. */
  readonly is_locked?: true;
  /** The page that new rows are copied from by default; absent if there is none. */
  readonly default_template_id?: string;
  readonly properties: Schema;
  /** Formulas whose values are in cells; absent before the first. */
  readonly materialized?: readonly MaterializedFormula[];
}

/**
 * A formula whose values are in cells. Who writes a row in a version of the database that names it
 * here writes its value, too, unless it is dropped.
 */
export interface MaterializedFormula {
  readonly propertyId: string;
  /** A digest of what the values are computed from besides the row. */
  readonly definition: string;
  /** The release that computed the values: another one may compute them otherwise. */
  readonly release: string;
  /**
   * `filling`: rows from before may have no value yet. `complete`: every row has its value.
   * `dropped`: the values are being deleted.
   */
  readonly state: "filling" | "complete" | "dropped";
  /** Who fills or deletes the values; absent if nobody does. */
  readonly lease?: MaterializerLease;
}

export interface MaterializerLease {
  readonly by: string;
  /** Milliseconds since the epoch, after which others may go on. */
  readonly until: number;
  /** The row up to which all are done; null at the beginning. */
  readonly after: RowPlace | null;
}

/** The place of a row among all of its database, oldest first. */
export interface RowPlace {
  readonly createdTime: number;
  readonly id: string;
}

/** A stored database with its parsed document. */
export interface StoredDatabase {
  readonly node: Node;
  readonly doc: DatabaseDoc;
}

/** Databases that a schema is related to, directly or indirectly, by id; including trashed ones. */
export type Related = ReadonlyMap<string, StoredDatabase>;

/** Parses the document of a database. */
export function parseDatabaseDoc(doc: string): DatabaseDoc {
  // Sound because only this service writes these documents, in this form.
  return JSON.parse(doc) as DatabaseDoc;
}
