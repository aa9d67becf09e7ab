/**
 * The values that a page takes along when it becomes a row, or a row when it becomes a page.
 *
 * @module
 */
import {
  findProperty,
  isTyped,
  kindOf,
  type PropertiesInput,
  type PropertyInput,
  valueIssues,
} from "../../content/properties/mod.ts";
import type { Schema } from "../../content/schema/property.ts";

/** Returns the title of a page or row under the key that every page has. */
export function titleAlone(properties: PropertiesInput): PropertiesInput {
  const title = Object.values(properties).find((value) => typeOf(value) === "title");
  return title === undefined ? {} : { title };
}

/**
 * Returns the values that properties of a database take: its title, and those of the same name and
 * type. Relations lead to rows of other databases, so they are left behind.
 */
export function propertiesFor(schema: Schema, properties: PropertiesInput): PropertiesInput {
  const taken = Object.entries(properties).flatMap(([name, value]) => {
    const type = typeOf(value);
    if (type === "title") return [["title", value] as const];
    const property = findProperty(schema, name);
    if (property === undefined || property.type !== type || type === "relation") return [];
    if (kindOf(property).input === undefined) return [];
    const named = withoutOptionIds(value, type);
    const issues = valueIssues(schema, { [property.id]: named }, { pointer: "" });
    return issues.length === 0 ? [[property.id, named] as const] : [];
  });
  return Object.fromEntries(taken);
}

function typeOf(value: PropertyInput): string | undefined {
  return isTyped(value) ? value.type : undefined;
}

/** Options have IDs of their own in each database. */
function withoutOptionIds(value: PropertyInput, type: string): PropertyInput {
  if (!isTyped(value) || !["select", "multi_select", "status"].includes(type)) return value;
  const read: unknown = Reflect.get(value, type);
  const named = Array.isArray(read) ? read.map(nameOf) : read === null ? null : nameOf(read);
  // Sound because an option is written by its name.
  return { [type]: named } as PropertyInput;
}

function nameOf(option: unknown): { readonly name: unknown } {
  return { name: typeof option === "object" && option && "name" in option ? option.name : null };
}
