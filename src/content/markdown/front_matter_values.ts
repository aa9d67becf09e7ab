/**
 * Front matter as the values of a row: each name that is a property's becomes its value.
 *
 * @module
 */
import type { Property, PropertyType, Schema } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { findProperty, type PropertiesInput } from "../properties/mod.ts";
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
  const written = WRITERS[property.type]?.(value);
  return written === undefined ? undefined : { [property.type]: written };
}

type Writer = (value: unknown) => unknown;

const WRITERS: Readonly<Partial<Record<PropertyType, Writer>>> = {
  title: richText,
  rich_text: richText,
  number: (value) => typeof value === "number" && Number.isFinite(value) ? value : undefined,
  checkbox: (value) => typeof value === "boolean" ? value : undefined,
  url: textOf,
  email: textOf,
  phone_number: textOf,
  select: option,
  status: option,
  multi_select: options,
  date: (value) => typeof value === "string" ? { start: value } : undefined,
};

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

// A character has one or two UTF-16 code units.
const PIECE = new RegExp(`[^]{1,${LIMITS.textContent / 2}}`, "gu");

function richText(value: unknown): object[] | undefined {
  return textOf(value)?.match(PIECE)?.map((content) => ({ text: { content } }));
}

function option(value: unknown): object | undefined {
  const name = textOf(value);
  return name === undefined ? undefined : { name };
}

function options(value: unknown): object[] | undefined {
  const names = (Array.isArray(value) ? value : [value]).map(option);
  return names.every((name) => name !== undefined) ? names : undefined;
}
