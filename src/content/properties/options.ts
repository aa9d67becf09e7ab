/**
 * Properties whose values are options of their schema: kept by id, so that names and colours follow.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { optionColor } from "../values/colors.ts";
import type { Option, PropertyOf } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { type Cell, EMPTY } from "../schema/cells.ts";
import { byKey } from "../values/union.ts";
import { type PropertyKind, propertyKind } from "./property_type.ts";
import { unique } from "./unique.ts";

const optionId = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.name));
const optionName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LIMITS.optionName),
  v.description("Name of an option, without commas."),
);
const color = v.exactOptional(
  v.pipe(optionColor, v.description("Color of a new option. Existing options keep their color.")),
);

// Accepts nothing, so that one fault says what is missing.
const unnamed: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "an object with `name` or `id`",
);

/** An option as a client writes it: by name, or by id. */
export const optionInput = byKey({
  name: v.strictObject({ name: optionName, id: v.exactOptional(optionId), color }),
  id: v.strictObject({ id: optionId, name: v.exactOptional(optionName), color }),
}, unnamed);
component(
  optionInput,
  "OptionValueInput",
  "An option to select, by `id` or by `name`. A name that the property does not have yet adds an option.",
);
export type OptionInput = v.InferOutput<typeof optionInput>;

/** An option as it is answered. */
export const optionValue = v.object({ id: v.string(), name: v.string(), color: optionColor });
component(optionValue, "OptionValue", "The selected option.");
export type OptionValue = v.InferOutput<typeof optionValue>;

type OptionsProperty = PropertyOf<"select" | "multi_select" | "status">;

/** The options of a property by id and by name, and each as it is answered. */
interface OptionIndex {
  readonly byId: ReadonlyMap<string, OptionValue>;
  readonly byName: ReadonlyMap<string, OptionValue>;
}

// One schema serves many rows.
const indexes = new WeakMap<readonly Option[], OptionIndex>();

function indexOf({ options }: OptionsProperty): OptionIndex {
  const known = indexes.get(options);
  if (known !== undefined) return known;
  const values = options.map(({ id, name, color }): OptionValue => ({ id, name, color }));
  const index = {
    byId: new Map(values.map((value) => [value.id, value])),
    byName: new Map(values.map((value) => [value.name, value])),
  };
  indexes.set(options, index);
  return index;
}

/** The option that is named: by its id where that is known, else by its name. */
export function findOption(
  property: OptionsProperty,
  { id, name }: OptionInput,
): OptionValue | undefined {
  const { byId, byName } = indexOf(property);
  return (id === undefined ? undefined : byId.get(id)) ??
    (name === undefined ? undefined : byName.get(name));
}

// INVARIANT: the caller has judged the input and added its new options to the schema.
function idOf(given: OptionInput, property: OptionsProperty): string {
  const option = findOption(property, given);
  if (option === undefined) throw new Error(`No option ${given.name} of ${property.id}`);
  return option.id;
}

/** The option of this name, if need be without the space around it. */
function optionNamed(name: string, property: OptionsProperty): string | undefined {
  const { byName } = indexOf(property);
  return (byName.get(name) ?? byName.get(name.trim()))?.id;
}

function nameOf(id: string, property: OptionsProperty): string {
  return indexOf(property).byId.get(id)?.name ?? "";
}

function optionCell(id: string): Cell {
  return { number: null, key: id, text: null };
}

interface OptionJudging {
  readonly property: OptionsProperty;
  readonly pointer: string;
}

/** An id that is unknown, or a new name that cannot be an option's. */
function newOptionIssues(
  given: OptionInput,
  { property, pointer }: OptionJudging,
): ValidationIssue[] {
  if (findOption(property, given) !== undefined) return [];
  const { id, name } = given;
  if (name === undefined) {
    return [{ pointer: `${pointer}/id`, detail: `Select option "${id}" does not exist.` }];
  }
  const here = `${pointer}/name`;
  const issues: ValidationIssue[] = [];
  if (name.includes(",")) {
    const detail = `Invalid select option, commas not allowed: ${name}`;
    issues.push({ pointer: here, detail });
  }
  if (name.length > LIMITS.optionName) {
    const expected = `of length ≤ \`${LIMITS.optionName}\``;
    issues.push(bodyIssue(here, { expected, received: name }));
  }
  return issues;
}

function unknownStatus(
  given: OptionInput,
  { property, pointer }: OptionJudging,
): ValidationIssue[] {
  if (findOption(property, given) !== undefined) return [];
  const { name, id } = given;
  const detail = `Invalid status option. Status option "${name ?? id}" does not exist.`;
  return [{ pointer: `${pointer}/${name === undefined ? "id" : "name"}`, detail }];
}

type OneOption = PropertyKind<
  PropertyOf<"select" | "status">,
  OptionInput | null,
  string,
  OptionValue | null
>;

const oneOption: OneOption = {
  input: v.nullable(optionInput),
  output: v.nullable(optionValue),
  emptyCell: EMPTY,
  keep: (given, property) => given === null ? undefined : idOf(given, property),
  answer: (kept, property) => kept === undefined ? null : indexOf(property).byId.get(kept) ?? null,
  cells: (kept) => [optionCell(kept)],
  toText: nameOf,
  fromText: optionNamed,
};

export const select: OneOption = {
  ...oneOption,
  issues: (given, property, { pointer }) =>
    given === null ? [] : newOptionIssues(given, { property, pointer }),
};

export const status: OneOption = {
  ...oneOption,
  issues: (given, property, { pointer }) =>
    given === null ? [] : unknownStatus(given, { property, pointer }),
};

export const multiSelect = propertyKind("multi_select", {
  input: v.pipe(v.array(optionInput), v.maxLength(LIMITS.multiSelect)),
  output: v.array(optionValue),
  emptyCell: EMPTY,
  keep: (given, property): readonly string[] | undefined =>
    unique(given.map((option) => idOf(option, property))),
  issues: (given, property, { pointer }) =>
    given.flatMap((option, index) =>
      newOptionIssues(option, { property, pointer: `${pointer}/${index}` })
    ),
  answer: (kept, property) =>
    (kept ?? []).map((id) => indexOf(property).byId.get(id)).filter((value) => value !== undefined),
  cells: (kept) => kept.map(optionCell),
  toText: (kept, property) => kept.map((id) => nameOf(id, property)).join(", "),
  fromText: (text, property) => {
    const ids = namesIn(text).map((name) => optionNamed(name, property));
    return unique(ids.filter((id) => id !== undefined));
  },
});

/** The names in the text of several options. */
export function namesIn(text: string): string[] {
  return text.split(/, ?/);
}

/** What of a kept value still has its option; undefined where nothing has. */
export function withOptions(kept: unknown, property: OptionsProperty): unknown {
  const { byId } = indexOf(property);
  const has = (id: unknown): boolean => typeof id === "string" && byId.has(id);
  if (!Array.isArray(kept)) return has(kept) ? kept : undefined;
  return kept.every(has) ? kept : unique(kept.filter(has));
}

/** The option that a new row begins with: the first of the first group. */
export function defaultStatus({ groups }: PropertyOf<"status">): string | undefined {
  return groups.find(({ option_ids }) => option_ids.length > 0)?.option_ids[0];
}
