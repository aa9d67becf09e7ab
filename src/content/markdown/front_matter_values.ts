/**
 * Converts front matter to the values of a row, by the names of its properties.
 *
 * @module
 */
import type { Property, PropertyType, Schema } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { findProperty, type PropertiesInput } from "../properties/mod.ts";
import type { FrontMatter } from "./front_matter.ts";

export interface FrontMatterValues {
  /** Values by name in the form that clients write; not validated. */
  readonly input: PropertiesInput;
  /** Whether the values cover every name in the front matter. */
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
