/**
 * Converts front matter to the values of a row, by the names of its properties.
 *
 * @module
 */
import type { Property, Schema } from "../schema/property.ts";
import { findProperty, kindOf, type PropertiesInput } from "../properties/mod.ts";
import type { FrontMatter } from "./front_matter.ts";

export interface FrontMatterValues {
  /** Values by name in the form that clients write; not validated. */
  readonly input: PropertiesInput;
  /** True if the values cover every name in the front matter. */
  readonly isWhole: boolean;
}

/** The values in front matter for a row, without those that the request sets itself. */
export function frontMatterValues(
  schema: Schema,
  { values }: Pick<FrontMatter, "values">,
  given: PropertiesInput,
): FrontMatterValues {
  if (values === undefined) return { input: {}, isWhole: false };
  const taken = new Set(Object.keys(given).map((name) => findProperty(schema, name)));
  const names = Object.entries(values).map(([name, value]) => {
    const property = schema.find((one) => one.name === name);
    const isTaken = property !== undefined && taken.has(property);
    return { name, isTaken, input: property && !isTaken ? inputOf(property, value) : undefined };
  });
  const entries = names.flatMap(({ name, input }) => input === undefined ? [] : [[name, input]]);
  return {
    // Sound because each input has the form that clients write for its type.
    input: Object.fromEntries(entries) as PropertiesInput,
    isWhole: names.every(({ input, isTaken }) => input !== undefined || isTaken),
  };
}

function inputOf(property: Property, value: unknown): object | undefined {
  const given = kindOf(property).fromYaml?.(value);
  return given === undefined ? undefined : { [property.type]: given };
}
