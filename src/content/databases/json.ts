/**
 * Databases in the form of replies.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import { cover, icon } from "../values/icons.ts";
import { idOutput } from "../values/ids.ts";
import { type Addresses, urlsAt } from "../values/page_urls.ts";
import { locked } from "../values/locked.ts";
import { named } from "../values/named.ts";
import type { NodeView } from "../schema/node.ts";
import { parent, parentJson } from "../schema/parents.ts";
import { richText } from "../values/rich_text.ts";
import { partialUser, toPartialUser } from "../values/users.ts";
import { parseDatabaseDoc, type Related } from "../schema/database.ts";
import { shownFormula } from "./references.ts";
import { syncedProperty } from "./relations.ts";
import type { ConfigScope } from "../properties/property_kind.ts";
import { kindOf, propertyKinds } from "../properties/registry.ts";
import type { RollupConfig, Schema } from "../schema/property.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

const members = propertyKinds.map(([type, { config }]) =>
  v.object({
    id: v.string(),
    name: v.string(),
    description: v.nullable(v.string()),
    type: v.literal(type),
    [type]: config.output,
  })
);

/** The output schema of each type of property. */
export const propertyOutputMembers: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  propertyKinds.map(([type], index) => [type, members[index] ?? v.never()]),
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
  is_locked: locked,
  archived: v.boolean(),
  in_trash: v.boolean(),
});
component(
  database,
  "Database",
  "A database: its title, icon, cover and properties. Query it to read its rows.",
);

export interface DatabaseJsonOptions extends Addresses {
  /** The node's `doc` with its mentions filled in; defaults to the stored one. */
  readonly doc?: string | undefined;
  /** The databases that its schema is related to. */
  readonly related: Related;
}

/** The database as JSON text. */
export function databaseJson(
  view: NodeView,
  { doc = view.doc, related, ...addresses }: DatabaseJsonOptions,
): string {
  const { title, description, icon, cover, is_inline, is_locked, properties } = parseDatabaseDoc(
    doc,
  );
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
    url: urlsAt(addresses)("database", view.id),
    public_url: null,
    is_inline,
    is_locked,
    archived: trashed,
    in_trash: trashed,
  });
}

function propertiesObject(schema: Schema, id: string, related: Related): object {
  const schemaOf = (of: string) => of === id ? schema : related.get(of)?.doc.properties;
  const scope: ConfigScope = {
    shownExpression: (expression) => shownFormula({ expression }, schema, related),
    otherSide: (relation) => syncedProperty(relation, schemaOf(relation.databaseId)),
    rolledUp: (rollup) => rolledUp(rollup, schema, schemaOf),
  };
  return Object.fromEntries(schema.map((property) => {
    const { id, name, type, description } = property;
    return [name, {
      id,
      name,
      description,
      type,
      [type]: kindOf(property).config.show(property, scope),
    }];
  }));
}

/** The property that a rollup collects, and the relation that leads there. */
function rolledUp(
  rollup: RollupConfig,
  schema: Schema,
  schemaOf: (databaseId: string) => Schema | undefined,
) {
  const relation = schema.find(({ id }) => id === rollup.relationPropertyId);
  const target = relation?.type === "relation"
    ? schemaOf(relation.databaseId)?.find(({ id }) => id === rollup.rollupPropertyId)
    : undefined;
  return { relation, target };
}
