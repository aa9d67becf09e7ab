/**
 * The options of a property, whatever its type.
 *
 * @module
 */
import type { Option, Property } from "../schema/property.ts";

/** Returns the options of a property; none if its type has none. */
export function optionsOf(property: Property | undefined): readonly Option[] {
  return property !== undefined && "options" in property ? property.options : [];
}
