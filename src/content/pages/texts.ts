/**
 * The plain texts in pages, databases and blocks: what people read there and search for. The names
 * of what is mentioned are not among them.
 *
 * @module
 */
import { blockKind, isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { parseDatabaseDoc } from "../schema/database.ts";
import type { Schema } from "../schema/property.ts";
import type { Node } from "../schema/node.ts";
import { kindOf, storedIn } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { parseRowDoc } from "./rows.ts";

type Texted = Pick<Node, "kind" | "type" | "parentKind" | "doc">;

/**
 * The texts of a node beside its title: of a block its words, captions, cells and addresses, of a row
 * the values of its properties, of a database its description and the names of its properties.
 * `schema` is that of a row's database.
 */
export function textsOf({ kind, type, parentKind, doc }: Texted, schema?: Schema): string[] {
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
  return schema.flatMap((property) => {
    const stored = storedIn(values, property);
    return stored === undefined ? [] : kindOf(property).texts?.(stored, property) ?? [];
  });
}
