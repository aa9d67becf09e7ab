/**
 * Databases in the form of replies.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import { cover, icon } from "../values/icons.ts";
import { idOutput } from "../values/ids.ts";
import { named } from "../values/named.ts";
import type { NodeView } from "../schema/node.ts";
import { parent, parentJson } from "../schema/parents.ts";
import { richText } from "../values/rich_text.ts";
import { partialUser, toPartialUser } from "../values/users.ts";
import { parseDatabaseDoc, type Related } from "../schema/database.ts";
import { shownFormula } from "./references.ts";
import { syncedProperty } from "./relations.ts";
import type { Property, PropertyOf, PropertyType, Schema } from "../schema/property.ts";
import { type ConfigOutput, CONFIGS, TYPE_NAMES } from "./types.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

const members = TYPE_NAMES.map((type) =>
  v.object({
    id: v.string(),
    name: v.string(),
    description: v.nullable(v.string()),
    type: v.literal(type),
    [type]: CONFIGS[type].read,
  })
);

/** The output schema of each type of property. */
export const propertyOutputMembers: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  TYPE_NAMES.map((type, index) => [type, members[index] ?? v.never()]),
);
componentOfEach(
  propertyOutputMembers,
  "*DatabaseProperty",
  (type) => `A property of type \`${type}\`.`,
);

/** The output schema of a database's property. */
export const databaseProperty = v.variant("type", members);
component(
  databaseProperty,
  "DatabaseProperty",
  "A property of a database. Its configuration is in the field that `type` names.",
);

/** The output schema of a database, which does not include its rows. */
export const database = v.object({
  object: v.literal("database"),
  id: idOutput,
  created_time: time,
  last_edited_time: time,
  created_by: partialUser,
  last_edited_by: partialUser,
  title: richText,
  description: richText,
  icon,
  cover,
  properties: named(databaseProperty),
  parent,
  url: v.string(),
  public_url: v.nullable(v.string()),
  is_inline: v.boolean(),
  archived: v.boolean(),
  in_trash: v.boolean(),
});
component(
  database,
  "Database",
  "A database: its title, icon, cover and properties. Query it to read its rows.",
);

export interface DatabaseJsonOptions {
  /** Origin of the database's URL. */
  readonly publicUrl: string;
  /** The node's `doc` with its mentions filled in; defaults to the stored one. */
  readonly doc?: string | undefined;
  /** The databases that its schema is related to. */
  readonly related: Related;
}

/** The database as JSON text. */
export function databaseJson(
  view: NodeView,
  { publicUrl, doc = view.doc, related }: DatabaseJsonOptions,
): string {
  const { title, description, icon, cover, is_inline, properties } = parseDatabaseDoc(doc);
  const trashed = view.trashRoot !== null;
  return JSON.stringify({
    object: "database",
    id: view.id,
    created_time: new Date(view.createdTime).toISOString(),
    last_edited_time: new Date(view.editedTime).toISOString(),
    created_by: toPartialUser(view.createdBy),
    last_edited_by: toPartialUser(view.editedBy),
    title,
    description,
    icon,
    cover,
    properties: propertiesObject(properties, view.id, related),
    parent: JSON.parse(parentJson(view)),
    url: `${publicUrl}/v2/databases/${view.id}`,
    public_url: null,
    is_inline,
    archived: trashed,
    in_trash: trashed,
  });
}

function propertiesObject(schema: Schema, id: string, related: Related): object {
  const scope: Scope = {
    related,
    schema,
    schemaOf: (of) => of === id ? schema : related.get(of)?.doc.properties,
  };
  return Object.fromEntries(schema.map((property) => {
    const { id, name, type, description } = property;
    return [name, { id, name, description, type, [type]: configOf(property, scope) }];
  }));
}

interface Scope {
  readonly related: Related;
  readonly schema: Schema;
  schemaOf(databaseId: string): Schema | undefined;
}

type Reader<T extends PropertyType> = (property: PropertyOf<T>, scope: Scope) => ConfigOutput<T>;

function readChoices({ options }: PropertyOf<"select"> | PropertyOf<"multi_select">) {
  return { options: [...options] };
}

/** The types that have a configuration. */
const READERS: { readonly [T in PropertyType]?: Reader<T> } = {
  // Sound because the input schema validated the format.
  number: ({ format }) => ({ format } as ConfigOutput<"number">),
  select: readChoices,
  multi_select: readChoices,
  status: ({ options, groups }) => ({
    options: [...options],
    groups: groups.map((group) => ({ ...group, option_ids: [...group.option_ids] })),
  }),
  formula: (formula, { schema, related }) => ({
    expression: shownFormula(formula, schema, related),
  }),
  relation: readRelation,
  rollup: readRollup,
  unique_id: ({ prefix }) => ({ prefix }),
};

function configOf<T extends PropertyType>(property: Property & { readonly type: T }, scope: Scope) {
  // Sound because the table has the reader under the property's own type.
  return READERS[property.type]?.(property as PropertyOf<T>, scope) ?? {};
}

/** A relation whose other side is not visible is returned as a single relation. */
function readRelation(relation: PropertyOf<"relation">, { schemaOf }: Scope) {
  const { databaseId: database_id } = relation;
  const other = syncedProperty(relation, schemaOf(database_id));
  if (other === undefined) {
    return { database_id, type: "single_property", single_property: {} } as const;
  }
  return {
    database_id,
    type: "dual_property",
    dual_property: { synced_property_id: other.id, synced_property_name: other.name },
  } as const;
}

/** Deleted properties have the name `""`. */
function readRollup(rollup: PropertyOf<"rollup">, { schema, schemaOf }: Scope) {
  const relation = schema.find(({ id }) => id === rollup.relationPropertyId);
  const target = relation?.type === "relation"
    ? schemaOf(relation.databaseId)?.find(({ id }) => id === rollup.rollupPropertyId)
    : undefined;
  return {
    function: rollup.function,
    relation_property_id: rollup.relationPropertyId,
    relation_property_name: relation?.name ?? "",
    rollup_property_id: rollup.rollupPropertyId,
    rollup_property_name: target?.name ?? "",
  } as ConfigOutput<"rollup">;
}
