/**
 * Rollups, which are computed from the rows of a relation when they are read.
 *
 * @module
 */
import * as v from "valibot";
import type { RollupConfig } from "../../schema/property.ts";
import { ROLLUP_FUNCTIONS } from "../../schema/rollup_functions.ts";
import { dateValue } from "../../values/dates.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";

const rollupFunction = v.picklist(ROLLUP_FUNCTIONS);

const rollupInput = v.strictObject({
  function: v.exactOptional(v.pipe(
    rollupFunction,
    v.description("Function that summarizes the collected values. Required for a new rollup."),
  )),
  relation_property_name: v.exactOptional(v.string()),
  relation_property_id: v.exactOptional(v.pipe(
    v.string(),
    v.description(
      "ID of the relation whose rows are rolled up. Required, unless you give its name.",
    ),
  )),
  rollup_property_name: v.exactOptional(v.string()),
  rollup_property_id: v.exactOptional(v.pipe(
    v.string(),
    v.description(
      "ID of the property of those rows to collect. Required, unless you give its name.",
    ),
  )),
});

const rollupOutput = v.object({
  function: rollupFunction,
  relation_property_name: v.string(),
  relation_property_id: v.string(),
  rollup_property_name: v.string(),
  rollup_property_id: v.string(),
});
type RollupOutput = v.InferOutput<typeof rollupOutput>;

const config: ConfigKind<RollupConfig, v.InferOutput<typeof rollupInput>, RollupOutput> = {
  input: rollupInput,
  output: rollupOutput,
  // The names in it are resolved once all properties of the request have theirs.
  draft: (_input, { same }) => ({
    relationPropertyId: same?.relationPropertyId ?? "",
    rollupPropertyId: same?.rollupPropertyId ?? "",
    function: same?.function ?? "",
  }),
  show: (rollup, { rolledUp }) => {
    const { relation, target } = rolledUp(rollup);
    return {
      // Sound because its own schema let the function in.
      function: rollup.function as RollupOutput["function"],
      relation_property_id: rollup.relationPropertyId,
      relation_property_name: relation?.name ?? "",
      rollup_property_id: rollup.rollupPropertyId,
      rollup_property_name: target?.name ?? "",
    };
  },
};

/** A rollup over values that each match this schema. */
export function rollupOf<Item>(item: v.GenericSchema<unknown, Item>) {
  const common = { function: rollupFunction };
  const output = v.variant("type", [
    v.object({ type: v.literal("number"), number: v.nullable(v.number()), ...common }),
    v.object({ type: v.literal("date"), date: v.nullable(dateValue), ...common }),
    v.object({ type: v.literal("array"), array: v.array(item), ...common }),
    v.object({ type: v.literal("unsupported"), unsupported: v.object({}), ...common }),
  ]);
  return propertyKind({
    config,
    output,
    item,
    // Sound because `computed` gives what a rollup reads as.
    toRead: (_stored, property, { computed }) => computed(property) as v.InferOutput<typeof output>,
  });
}
