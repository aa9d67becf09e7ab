/**
 * The options of selects, multi-selects and statuses: kept by id, through every edit of their list.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import type { Option, Property } from "../schema/property.ts";
import type { OptionInput } from "./types.ts";

/** What a configuration is made with. */
export interface Drafting {
  /** Where the configuration stands in the request. */
  readonly pointer: string;
  /** Takes what is wrong with it. */
  readonly issues: ValidationIssue[];
  newId(): string;
}

/** The options of a property; none of a type that has none. */
export function optionsOf(property: Property | undefined): readonly Option[] {
  return property !== undefined && "options" in property ? property.options : [];
}

/**
 * All options in the order of the input. Those that are known by id, or else by name, stay what they
 * are but for their description; the others are new.
 */
export function draftOptions(
  inputs: readonly OptionInput[],
  known: readonly Option[],
  drafting: Drafting,
): Option[] {
  const byId = new Map(known.map((option) => [option.id, option]));
  const byName = new Map(known.map((option) => [option.name, option]));
  const options = inputs.map((input, index) => {
    const found = byId.get(input.id ?? "") ?? byName.get(input.name ?? "");
    const pointer = pointerTo(pointerTo(drafting.pointer, "options"), index);
    drafting.issues.push(...optionIssues(input, found, pointer));
    if (found === undefined) return newOption(input, drafting.newId());
    const { description = found.description } = input;
    return { ...found, description: description || null };
  });
  drafting.issues.push(...repetitions(options, pointerTo(drafting.pointer, "options")));
  return options;
}

/** An option that is new: its colour is `default` unless it is given. */
export function newOption(
  { name = "", color = "default", description = null }: OptionInput,
  id: string,
): Option {
  return { id, name, color, description: description || null };
}

function optionIssues(
  input: OptionInput,
  found: Option | undefined,
  pointer: string,
): ValidationIssue[] {
  const { id, name, color } = input;
  if (found === undefined) {
    if (name !== undefined) return [];
    const expected = id === undefined ? "defined" : "the id of an option of this property";
    const key = id === undefined ? "name" : "id";
    return [bodyIssue(pointerTo(pointer, key), { expected, received: id })];
  }
  const issues: ValidationIssue[] = [];
  if (name !== undefined && name !== found.name) issues.push(unchangeable(found, "name", pointer));
  if (color !== undefined && color !== found.color) {
    issues.push(unchangeable(found, "color", pointer));
  }
  return issues;
}

function unchangeable(
  { name }: Option,
  member: "name" | "color",
  pointer: string,
): ValidationIssue {
  const detail = `Cannot update ${member} of select with name: ${name}.`;
  return { pointer: pointerTo(pointer, member), detail };
}

function repetitions(options: readonly Option[], pointer: string): ValidationIssue[] {
  const seen = new Set<string>();
  return options.flatMap(({ name }, index) => {
    if (name === "" || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    const detail = `An option is named once, but \`${name}\` is here twice.`;
    return [{ pointer: pointerTo(pointer, index), detail }];
  });
}
