/**
 * Relations: rows of a database. They are kept as links, not in a row's document.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, idOutput } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { propertyKind } from "./property_type.ts";

const row = v.object({ id: idOutput });

export const relation = propertyKind("relation", {
  input: v.pipe(v.array(v.strictObject({ id: idInput })), v.maxLength(LIMITS.relation)),
  output: v.array(row),
  item: row,
  beside: { has_more: false },
  answer: (_kept, property, { links }) => links(property).map((id) => ({ id })),
});
