/**
 * The schemas of property values by the names that generated clients know them by.
 *
 * @module
 */
import type * as v from "valibot";
import { dateInput, dateValue } from "../values/dates.ts";
import { itemMembers, propertyItem, propertyItemList } from "./property_items.ts";
import { fileInput, fileValue } from "./types/files.ts";
import { formulaValue } from "./types/formula.ts";
import { inputMembers, propertyInput } from "./input.ts";
import { collectedMembers, collectedValue, PROPERTY_KINDS } from "./registry.ts";
import { optionInput, optionValue } from "./shared/options.ts";
import { outputMembers, propertyValue } from "./read.ts";

type Named = Readonly<Record<string, v.GenericSchema>>;

/** Every schema of property values that deserves a name: `PropertyValue`, `NumberPropertyValue`, … */
export const propertySchemas: Named = {
  PropertyInput: propertyInput,
  ...named(Object.entries(inputMembers), "PropertyInput"),
  PropertyValue: propertyValue,
  ...named(byType(outputMembers), "PropertyValue"),
  PropertyItem: propertyItem,
  ...named(byType(itemMembers), "PropertyItem"),
  PropertyItemList: propertyItemList,
  DateInput: dateInput,
  DateValue: dateValue,
  FileValue: fileValue,
  FileValueInput: fileInput,
  OptionValue: optionValue,
  OptionValueInput: optionInput,
  FormulaValue: formulaValue,
  RollupValue: PROPERTY_KINDS.rollup.output,
  RollupItem: collectedValue,
  ...named(byType(collectedMembers), "RollupItem"),
};

type Member = v.GenericSchema & {
  readonly entries: { readonly type: { readonly literal: string } };
};

function byType(members: readonly Member[]): [type: string, schema: v.GenericSchema][] {
  return members.map((schema) => [schema.entries.type.literal, schema]);
}

function named(members: readonly (readonly [string, v.GenericSchema])[], suffix: string): Named {
  return Object.fromEntries(members.map(([type, schema]) => [`${pascal(type)}${suffix}`, schema]));
}

function pascal(type: string): string {
  return type.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}
