/**
 * The options of selects, multi-selects and statuses. Options keep their id when their list is
 * edited.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import type { NewOption } from "../properties/given.ts";
import type { Option, Property, Schema } from "../schema/property.ts";
import type { OptionInput } from "./types.ts";

/** What drafting a configuration takes. */
export interface Drafting {
  /** JSON pointer to the configuration in the request. */
  readonly pointer: string;
  /** Collects the issues of the configuration. */
  readonly issues: ValidationIssue[];
  newId(): string;
}

/** The options of a property; empty if its type has none. */
export function optionsOf(property: Property | undefined): readonly Option[] {
  return property !== undefined && "options" in property ? property.options : [];
}

/**
 * The options in the order of the input. An input with the id, or otherwise the name, of a current
 * option can only change its description; other inputs become new options.
 */
export function draftOptions(
  inputs: readonly OptionInput[],
  current: readonly Option[],
  drafting: Drafting,
): Option[] {
  const byId = new Map(current.map((option) => [option.id, option]));
  const byName = new Map(current.map((option) => [option.name, option]));
  const options = inputs.map((input, index) => {
    const existing = byId.get(input.id ?? "") ?? byName.get(input.name ?? "");
    const pointer = pointerTo(pointerTo(drafting.pointer, "options"), index);
    drafting.issues.push(...optionIssues(input, existing, pointer));
    if (existing === undefined) return newOption(input, drafting.newId());
    const { description = existing.description } = input;
    return { ...existing, description: description || null };
  });
  drafting.issues.push(...duplicateNames(options, pointerTo(drafting.pointer, "options")));
  return options;
}

/** A new option. The default colour is `default`. */
export function newOption(
  { name = "", color = "default", description = null }: OptionInput,
  id: string,
): Option {
  return { id, name, color, description: description || null };
}

function optionIssues(
  input: OptionInput,
  existing: Option | undefined,
  pointer: string,
): ValidationIssue[] {
  const { id, name, color } = input;
  if (existing === undefined) {
    if (name !== undefined) return [];
    const expected = id === undefined ? "defined" : "the id of an option of this property";
    const key = id === undefined ? "name" : "id";
    return [bodyIssue(pointerTo(pointer, key), { expected, received: id })];
  }
  const issues: ValidationIssue[] = [];
  if (name !== undefined && name !== existing.name) {
    issues.push(unchangeableIssue(existing, "name", pointer));
  }
  if (color !== undefined && color !== existing.color) {
    issues.push(unchangeableIssue(existing, "color", pointer));
  }
  return issues;
}

function unchangeableIssue(
  { name }: Option,
  member: "name" | "color",
  pointer: string,
): ValidationIssue {
  const detail = `Cannot update ${member} of select with name: ${name}.`;
  return { pointer: pointerTo(pointer, member), detail };
}

function duplicateNames(options: readonly Option[], pointer: string): ValidationIssue[] {
  const seen = new Set<string>();
  return options.flatMap(({ name }, index) => {
    if (name === "" || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    const detail = `Option names must be unique, but \`${name}\` appears twice.`;
    return [{ pointer: pointerTo(pointer, index), detail }];
  });
}

/**
 * The schema with the options that rows were the first to name, each added once at the end of its
 * property's list. It may have become too large: see `sizeIssues`.
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
  if (property.type !== "select" && property.type !== "multi_select") return property;
  const names = new Set(property.options.map(({ name }) => name));
  const options = [...property.options];
  for (const { name, color = "default" } of missing) {
    if (names.has(name)) continue;
    names.add(name);
    options.push(newOption({ name, color }, newId()));
  }
  return { ...property, options };
}
