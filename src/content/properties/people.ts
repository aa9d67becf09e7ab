/**
 * Properties that are users: those that clients write, and who created and last edited a row.
 *
 * @module
 */
import * as v from "valibot";
import { normalizeId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { EMPTY } from "../schema/cells.ts";
import { partialUser, toPartialUser, userReferenceInput } from "../values/users.ts";
import { propertyKind } from "./property_type.ts";
import { unique } from "./unique.ts";

export const people = propertyKind("people", {
  input: v.pipe(v.array(userReferenceInput), v.maxLength(LIMITS.people)),
  output: v.array(partialUser),
  item: partialUser,
  emptyCell: EMPTY,
  keep: (given): readonly string[] | undefined => unique(given.map(({ id }) => normalizeId(id))),
  answer: (kept) => (kept ?? []).map(toPartialUser),
  cells: (kept) => kept.map((key) => ({ number: null, key, text: null })),
});

export const createdBy = propertyKind("created_by", {
  output: partialUser,
  answer: (_kept, _property, { node }) => toPartialUser(node.createdBy),
});

export const lastEditedBy = propertyKind("last_edited_by", {
  output: partialUser,
  answer: (_kept, _property, { node }) => toPartialUser(node.editedBy),
});
