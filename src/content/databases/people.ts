/**
 * The users in the properties of a row.
 *
 * @module
 */
import { keptOf, type Values } from "../properties/mod.ts";
import type { Node } from "../schema/node.ts";
import type { Property } from "../schema/property.ts";

interface PeopleRow {
  readonly node: Pick<Node, "createdBy" | "editedBy">;
  readonly values: Values;
}

/** Ids of the users in a property of a row, in order. */
export function peopleOf(property: Property, { node, values }: PeopleRow): readonly string[] {
  switch (property.type) {
    case "created_by":
      return [node.createdBy];
    case "last_edited_by":
      return [node.editedBy];
    case "people":
      // Sound because `people` values are stored as ids.
      return (keptOf(values, property) ?? []) as readonly string[];
    default:
      return [];
  }
}
