/**
 * Relations: rows of a database. They are stored as links, not in a row's document.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import type { RelationConfig } from "../../schema/property.ts";
import { idInput, idOutput, normalizeId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { byKey } from "../../values/union.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";
import { identifiedList } from "../shared/collect.ts";
import { references } from "../shared/operators.ts";

const synced =
  "Name of the property that a new relation adds to the related database. Ignored otherwise.";
const syncedName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LIMITS.name),
  v.description(synced),
);
// Accepts nothing, so that one issue says what is missing.
const eitherRelation: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "an object with `single_property` or `dual_property`",
);

/** A relation as a client writes it: one member for each kind. */
export const relationInputs = {
  single_property: v.strictObject({
    database_id: idInput,
    type: v.exactOptional(v.literal("single_property")),
    single_property: v.strictObject({}),
  }),
  dual_property: v.strictObject({
    database_id: idInput,
    type: v.exactOptional(v.literal("dual_property")),
    dual_property: v.strictObject({
      synced_property_id: v.exactOptional(v.pipe(v.string(), v.description("Ignored."))),
      synced_property_name: v.exactOptional(syncedName),
    }),
  }),
};
component(
  relationInputs.single_property,
  "SingleRelationInput",
  "A relation to define that is shown in this database only.",
);
component(
  relationInputs.dual_property,
  "DualRelationInput",
  "A relation to define that the related database shows as a property, too.",
);
type RelationInput = v.InferOutput<(typeof relationInputs)[keyof typeof relationInputs]>;

/** A relation that shows its links on one side. */
export const singleRelation = v.object({
  database_id: idOutput,
  type: v.literal("single_property"),
  single_property: v.object({}),
});
component(singleRelation, "SingleRelation", "A relation that is shown in this database only.");

/** A relation whose other side is a property of the related database. */
export const dualRelation = v.object({
  database_id: idOutput,
  type: v.literal("dual_property"),
  dual_property: v.object({
    synced_property_id: v.string(),
    synced_property_name: v.string(),
  }),
});
component(
  dualRelation,
  "DualRelation",
  "A relation that the related database shows as a property, too.",
);

const relationOutput = v.variant("type", [singleRelation, dualRelation]);

const config: ConfigKind<RelationConfig, RelationInput, v.InferOutput<typeof relationOutput>> = {
  input: byKey(relationInputs, eitherRelation),
  output: relationOutput,
  draft: ({ database_id }, { same }, { newId }) => {
    const databaseId = normalizeId(database_id);
    if (same?.databaseId === databaseId) {
      const { relationId, side, syncedId } = same;
      return { databaseId, relationId, side, syncedId };
    }
    return { databaseId, relationId: newId(), side: "from", syncedId: null };
  },
  // A relation whose other side is not visible is returned as a single relation.
  show: (relation, { otherSide }) => {
    const { databaseId: database_id } = relation;
    const other = otherSide(relation);
    if (other === undefined) return { database_id, type: "single_property", single_property: {} };
    const dual_property = { synced_property_id: other.id, synced_property_name: other.name };
    return { database_id, type: "dual_property", dual_property };
  },
};

const row = v.object({ id: idOutput });

export const relation = propertyKind({
  config,
  input: v.pipe(v.array(v.strictObject({ id: idInput })), v.maxLength(LIMITS.relation)),
  output: v.array(row),
  item: row,
  beside: { has_more: false },
  toRead: (_stored, property, { links }) => links(property).map((id) => ({ id })),
  conditions: { operators: references },
  collect: identifiedList,
});
