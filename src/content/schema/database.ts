/**
 * Databases as they are kept.
 *
 * @module
 */
import type { Cover, Icon } from "../values/icons.ts";
import type { Node } from "./node.ts";
import type { RichText } from "../values/rich_text.ts";
import type { Schema } from "./property.ts";

/** What `doc` of a database holds. */
export interface DatabaseDoc {
  readonly title: RichText;
  readonly description: RichText;
  readonly icon: Icon;
  readonly cover: Cover;
  readonly is_inline: boolean;
  readonly properties: Schema;
}

/** A database as it is stored now, and what its `doc` says. */
export interface KnownDatabase {
  readonly node: Node;
  readonly doc: DatabaseDoc;
}

/** Databases by id, trashed ones too: those that a schema leads to, directly or through others. */
export type Related = ReadonlyMap<string, KnownDatabase>;

/** What the `doc` of a database says. */
export function parseDatabaseDoc(doc: string): DatabaseDoc {
  // Sound because `newDatabase`, `editDatabase` and the mirrors of relations alone write it.
  return JSON.parse(doc) as DatabaseDoc;
}
