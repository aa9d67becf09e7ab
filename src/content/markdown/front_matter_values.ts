/**
 * Front matter as the values of a row: each name that is a property's becomes its value.
 *
 * @module
 */
import type { Property, Schema } from "../schema/property.ts";
import { findProperty, kindOf, type PropertiesInput } from "../properties/mod.ts";
import type { FrontMatter } from "./front_matter.ts";

export interface FrontMatterValues {
  /** Values by name, as a client would write them; they may have faults. */
  readonly input: PropertiesInput;
  /** Whether every name of the front matter is there. */
  readonly isWhole: boolean;
}

/** The values that front matter gives to a row, but for those that the request gives itself. */
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
    // Sound because each input has the form that its type is written in.
    input: Object.fromEntries(entries) as PropertiesInput,
    isWhole: names.every(({ input, isTaken }) => input !== undefined || isTaken),
  };
}

function inputOf(property: Property, value: unknown): object | undefined {
  const given = kindOf(property).fromYaml?.(value);
  return given === undefined ? undefined : { [property.type]: given };
}
