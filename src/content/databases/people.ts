/**
 * The people that a row names.
 *
 * @module
 */
import { keptOf, type Values } from "../properties/mod.ts";
import type { Node } from "../schema/node.ts";
import type { Property } from "../schema/property.ts";

interface Row {
  readonly node: Pick<Node, "createdBy" | "editedBy">;
  readonly values: Values;
}

/** Ids of the users that a property of a row shows, in order. */
export function peopleOf(property: Property, { node, values }: Row): readonly string[] {
  switch (property.type) {
    case "created_by":
      return [node.createdBy];
    case "last_edited_by":
      return [node.editedBy];
    case "people":
      // Sound because people are kept as their ids.
      return (keptOf(values, property) ?? []) as readonly string[];
    default:
      return [];
  }
}
