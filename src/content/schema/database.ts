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
