/**
 * Options that rows name first.
 *
 * @module
 */
import type { NewOption } from "../properties/given.ts";
import { newOption } from "../properties/shared/option_lists.ts";
import type { Property, Schema } from "../schema/property.ts";

/**
 * The schema with these options, each added once, at the end of its property's. It may have become
 * too large: see `sizeFaults`.
 */
export function addOptions(
  schema: Schema,
  missing: readonly NewOption[],
  newId: () => string,
): Schema {
  const byProperty = Map.groupBy(missing, ({ propertyId }) => propertyId);
  return schema.map((property) => withOptions(property, byProperty.get(property.id) ?? [], newId));
}

function withOptions(
  property: Property,
  missing: readonly NewOption[],
  newId: () => string,
): Property {
  if (missing.length === 0 || !("options" in property)) return property;
  const known = new Set(property.options.map(({ name }) => name));
  const options = [...property.options];
  for (const { name, color = "default" } of missing) {
    if (known.has(name)) continue;
    known.add(name);
    options.push(newOption({ name, color }, newId()));
  }
  return { ...property, options };
}
