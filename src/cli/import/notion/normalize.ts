/**
 * Turns objects of the vendor's API into those of an export as JSON lines: members and types that
 * cannot be written here are left out or replaced, and reported.
 *
 * @module
 */
import { blockKinds } from "../../../content/blocks/kinds.ts";
import { propertyKinds } from "../../../content/properties/registry.ts";
import { isObject, type Json, type JsonObject, objectAt, textAt } from "../../transfer/json.ts";
import type { Report } from "../../transfer/report.ts";

export interface Normalizer {
  /** Origin of the links between pages. */
  readonly origin: string;
  readonly report: Report;
}

const PROPERTIES: ReadonlySet<string> = new Set(propertyKinds.map(([type]) => type));
const BLOCKS: ReadonlySet<string> = new Set(blockKinds.map(({ type }) => type));

/** Members of blocks, and of the choices in them. */
const MEMBERS: ReadonlySet<string> = new Set(
  blockKinds.flatMap(({ fields, choice }) => [
    ...["type", ...Object.keys(fields)],
    ...Object.keys(choice?.read ?? {}),
  ]),
);

/** Returns a block under the page or block with this ID. */
export function normalBlock(
  normalizer: Normalizer,
  block: JsonObject,
  parent: JsonObject,
): JsonObject {
  const { id, has_children } = block;
  const { type, value } = valueOf(normalizer, block, textAt(block, "id"));
  const place = { object: "block", id, parent, has_children, type };
  const kept = Object.entries(value).filter(([name]) => MEMBERS.has(name));
  const look = "icon" in value ? { icon: normalIcon(normalizer, value.icon, String(id)) } : {};
  return { ...place, [type]: withLinks(normalizer, { ...Object.fromEntries(kept), ...look }) };
}

/** A template is a toggle without its button; a preview of a link is a bookmark. */
function valueOf(
  { report }: Normalizer,
  block: JsonObject,
  where: string,
): { readonly type: string; readonly value: JsonObject } {
  const type = textAt(block, "type");
  const value = objectAt(block, type);
  if (type === "template") {
    report.alter(where, "a template button became a toggle");
    return { type: "toggle", value };
  }
  if (type === "link_preview") {
    report.alter(where, "a preview of a link became a bookmark");
    return { type: "bookmark", value: { url: value.url, caption: [] } };
  }
  return BLOCKS.has(type) ? { type, value } : { type: "unsupported", value: {} };
}

/** Returns a page, row or database as an export has it. */
export function normalRecord(normalizer: Normalizer, record: JsonObject): JsonObject {
  const { match: _match, request_id: _request, properties: _properties, ...others } = record;
  const { read_time: _read, ...rest } = others;
  const where = textAt(record, "id");
  return {
    ...withLinks(normalizer, rest),
    icon: normalIcon(normalizer, record.icon, where),
    cover: record.cover ?? null,
    properties: normalProperties(normalizer, record),
  };
}

function normalProperties(normalizer: Normalizer, record: JsonObject): JsonObject {
  const properties = objectAt(record, "properties");
  const entries = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    if (!isObject(property)) return [];
    const type = textAt(property, "type");
    if (!PROPERTIES.has(type)) {
      normalizer.report.alter(textAt(record, "id"), `a property of type ${type} is left out`);
      return [];
    }
    return [[
      name,
      record.object === "database"
        ? normalSchema(property, properties)
        : withLinks(normalizer, property),
    ]];
  });
  return Object.fromEntries(entries);
}

/** Options have members here that clients do not write. */
function normalSchema(property: JsonObject, properties: JsonObject): JsonObject {
  const type = textAt(property, "type");
  const config = objectAt(property, type);
  if (type === "formula") {
    const expression = normalExpression(textAt(config, "expression"), properties);
    return { ...property, formula: { expression } };
  }
  if (!Array.isArray(config.options)) return property;
  const options = config.options.filter(isObject)
    .map(({ id, name, color }) => ({ id, name, color }));
  return { ...property, [type]: { ...config, options } };
}

const REFERENCE = /\{\{notion:block_property:([^:}]+)(?::[^}]*)?\}\}/g;

/** The vendor's newer expressions name properties by their IDs, those here by their names. */
export function normalExpression(expression: string, properties: JsonObject): string {
  const names = new Map(
    Object.entries(properties).map(([name, property]) => [plainId(textAt(property, "id")), name]),
  );
  return expression.replace(REFERENCE, (reference, id: string) => {
    const name = names.get(plainId(id));
    return name === undefined ? reference : `prop(${JSON.stringify(name)})`;
  });
}

/** IDs of properties are sometimes percent-encoded. */
function plainId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function normalIcon(
  { report }: Normalizer,
  icon: Json | undefined,
  where: string,
): JsonObject | null {
  if (!isObject(icon)) return null;
  const type = textAt(icon, "type");
  const isKept = ["emoji", "external", "file", "icon"].includes(type);
  if (isKept) return { type, [type]: icon[type] ?? null };
  const url = textAt(objectAt(icon, type), "url");
  if (url !== "") return { type: "external", external: { url } };
  report.alter(where, `an icon of type ${type} is left out`);
  return null;
}

const PAGE_LINK =
  /^(?:https:\/\/(?:www\.|app\.)?notion\.(?:so|com)|https:\/\/[\w-]+\.notion\.site)?\//;
const HAS_ID = /[0-9a-f]{32}/;

/** Links between pages get the origin that those of all other pages have. */
export function withLinks(normalizer: Normalizer, value: JsonObject): JsonObject {
  const visit = (inner: Json): Json => {
    if (Array.isArray(inner)) return inner.map(visit);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, one]) => [
        name,
        name === "link" && isObject(one)
          ? { ...one, url: movedLink(normalizer, textAt(one, "url")) }
          : visit(one ?? null),
      ]),
    );
  };
  const visited = visit(value);
  return isObject(visited) ? visited : value;
}

function movedLink({ origin }: Normalizer, url: string): string {
  if (!PAGE_LINK.test(url) || !HAS_ID.test(url)) return url;
  return `${origin}${url.replace(PAGE_LINK, "/")}`;
}
