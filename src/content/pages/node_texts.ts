/**
 * The plain texts of pages, databases and blocks, for search. The names in mentions are not
 * included.
 *
 * @module
 */
import { blockKind, isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { parseDatabaseDoc } from "../schema/database.ts";
import type { Schema } from "../schema/property.ts";
import type { Node } from "../schema/node.ts";
import { storedIn, textsOf } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { parseRowDoc } from "./rows.ts";

type TextSource = Pick<Node, "kind" | "type" | "parentKind" | "doc">;

/**
 * The texts of a node besides its title: a block's text, captions, cells and URLs; the values of a
 * row's properties; a database's description and the names of its properties. `schema` is the
 * schema of a row's database.
 */
export function nodeTexts({ kind, type, parentKind, doc }: TextSource, schema?: Schema): string[] {
  const texts = kind === "block"
    ? blockTexts(type, doc)
    : kind === "database"
    ? databaseTexts(doc)
    : parentKind === "database" && schema !== undefined
    ? rowTexts(doc, schema)
    : [];
  return texts.filter((text) => text !== "");
}

function blockTexts(type: string, doc: string): string[] {
  if (!isBlockType(type)) return [];
  // Sound because a block's `doc` is its value.
  const value = JSON.parse(doc) as BlockValue;
  return blockKind(type).own.flatMap(([key, field]) => {
    const read = value[key];
    return read === undefined ? [] : field.texts?.(read) ?? [];
  });
}

function databaseTexts(doc: string): string[] {
  const { description = [], properties = [] } = parseDatabaseDoc(doc);
  return [plainText(description), ...properties.map(({ name }) => name)];
}

function rowTexts(doc: string, schema: Schema): string[] {
  const { values = {} } = parseRowDoc(doc);
  return schema.flatMap((property) => textsOf(storedIn(values, property), property));
}
