/**
 * Properties whose values are options of their schema: stored by id, so that names and colours follow.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import type { ValidationIssue } from "../../../shared/errors.ts";
import { bodyIssue } from "../../../shared/validation_issue.ts";
import { optionColor } from "../../values/colors.ts";
import { type Cell, EMPTY, keyCell } from "../../schema/cells.ts";
import type { Option, PropertyCommon } from "../../schema/property.ts";
import { LIMITS } from "../../values/limits.ts";
import { byKey } from "../../values/union.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";
import { identified } from "./collect.ts";
import { yamlOption } from "./front_matter.ts";
import { choices } from "./operators.ts";
import type { OptionsConfig } from "./option_lists.ts";

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

// Accepts nothing, so that one issue says what is missing.
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

/** An option as responses show it. */
export const optionValue = v.object({ id: v.string(), name: v.string(), color: optionColor });
component(optionValue, "OptionValue", "The selected option.");
export type OptionValue = v.InferOutput<typeof optionValue>;

type OptionsProperty = Pick<PropertyCommon, "id"> & OptionsConfig;

/** The options of a property by id and by name, as responses show them. */
interface OptionIndex {
  readonly byId: ReadonlyMap<string, OptionValue>;
  readonly byName: ReadonlyMap<string, OptionValue>;
}

// One schema serves many rows.
const indexes = new WeakMap<readonly Option[], OptionIndex>();

function indexOf({ options }: OptionsProperty): OptionIndex {
  const cached = indexes.get(options);
  if (cached !== undefined) return cached;
  const values = options.map(({ id, name, color }): OptionValue => ({ id, name, color }));
  const index = {
    byId: new Map(values.map((value) => [value.id, value])),
    byName: new Map(values.map((value) => [value.name, value])),
  };
  indexes.set(options, index);
  return index;
}

/** Finds an option by its id, or else by its name. */
export function findOption(
  property: OptionsProperty,
  { id, name }: OptionInput,
): OptionValue | undefined {
  const { byId, byName } = indexOf(property);
  return (id === undefined ? undefined : byId.get(id)) ??
    (name === undefined ? undefined : byName.get(name));
}

/** The id of an option that a value names. */
// INVARIANT: the caller has checked the input and added its new options to the schema.
export function idOf(given: OptionInput, property: OptionsProperty): string {
  const option = findOption(property, given);
  if (option === undefined) throw new Error(`No option ${given.name} of ${property.id}`);
  return option.id;
}

/** The id of the option with this name, with or without the space around it. */
export function optionNamed(name: string, property: OptionsProperty): string | undefined {
  const { byName } = indexOf(property);
  return (byName.get(name) ?? byName.get(name.trim()))?.id;
}

/** The name of an option; `""` if it is gone. */
export function nameOf(id: string, property: OptionsProperty): string {
  return optionById(id, property)?.name ?? "";
}

export function optionById(id: string, property: OptionsProperty): OptionValue | undefined {
  return indexOf(property).byId.get(id);
}

/** The options by their place in the list. */
export function optionOrder({ options }: OptionsConfig): Pick<Cell, "number" | "key">[] {
  return options.map(({ id }) => ({ number: null, key: id }));
}

export interface OptionContext {
  readonly property: OptionsProperty;
  readonly pointer: string;
}

/** Refuses an unknown id, and a new name that no option can have. */
export function newOptionIssues(
  given: OptionInput,
  { property, pointer }: OptionContext,
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

/** A type whose values are one option. */
export function oneOptionKind<Config extends ConfigKind<OptionsConfig>>(config: Config) {
  return propertyKind({
    config,
    input: v.nullable(optionInput),
    output: v.nullable(optionValue),
    toStored: (given, property) => given === null ? undefined : idOf(given, property),
    isSelfContained: true,
    toRead: (stored: string | undefined, property) =>
      stored === undefined ? null : optionById(stored, property) ?? null,
    emptyCell: EMPTY,
    cell: keyCell,
    order: optionOrder,
    conditions: { operators: choices },
    formula: { type: "text", value: (read) => read?.name ?? null },
    collect: identified,
    texts: (stored, property) => [nameOf(stored, property)],
    toText: nameOf,
    fromText: optionNamed,
    takesOver: ["multi_select"],
    takeOver: ({ text }, property) =>
      namesIn(text).map((name) => optionNamed(name, property)).find((id) => id !== undefined),
    retained: (stored, property) => optionById(stored, property) && stored,
    fromYaml: yamlOption,
  });
}

/** The names in the text of several options. */
export function namesIn(text: string): string[] {
  return text.split(/, ?/);
}
