/**
 * The plain texts in pages, databases and blocks: what people read there and search for. The names
 * of what is mentioned are not among them.
 *
 * @module
 */
import { blockKind, isBlockType } from "../blocks/kinds.ts";
import type { BlockValue } from "../blocks/types.ts";
import { parseDatabaseDoc } from "../schema/database.ts";
import type { Property, PropertyType, Schema } from "../schema/property.ts";
import type { Node } from "../schema/node.ts";
import { keptOf, kindOf } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { parseRowDoc } from "./rows.ts";

/** Types of properties whose values are read as text. */
const READ: ReadonlySet<PropertyType> = new Set([
  ...["rich_text", "url", "email", "phone_number", "number", "unique_id"] as const,
  ...["select", "multi_select", "status", "files"] as const,
]);

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
    const kept = keptOf(values, property);
    return kept === undefined || !READ.has(property.type) ? [] : valueTexts(kept, property);
  });
}

function valueTexts(kept: unknown, property: Property): string[] {
  // Sound because the kind of files keeps their names.
  if (property.type === "files") return (kept as { name: string }[]).map(({ name }) => name);
  return [kindOf(property).toText?.(kept, property) ?? ""];
}
