/**
 * Lists of options in the configuration of a property. Options keep their id when their list is
 * edited.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import type { ValidationIssue } from "../../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../../shared/validation_issue.ts";
import type { Option } from "../../schema/property.ts";
import { optionColor } from "../../values/colors.ts";
import { LIMITS } from "../../values/limits.ts";
import type { ConfigKind, Drafting } from "../property_kind.ts";
import { descriptionInput } from "./description.ts";

export interface OptionsConfig {
  readonly options: readonly Option[];
}

/** The id or name of an option or of a group of options. */
export const reference = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.name));

const optionName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(LIMITS.optionName),
  v.regex(/^[^,]*$/, "a name without commas"),
  v.description("Name of the option: unique within the property and without commas."),
);

/** An option to define. An existing one is found by id, or else by name. */
export const optionInput = v.strictObject({
  id: v.exactOptional(reference),
  name: v.exactOptional(optionName),
  color: v.exactOptional(v.pipe(optionColor, v.description("Color of a new option."))),
  description: v.exactOptional(descriptionInput),
});
component(
  optionInput,
  "OptionDefinitionInput",
  "An option to define. An existing option is found by `id`, or else by `name`.",
);
export type OptionInput = v.InferOutput<typeof optionInput>;

/** The output schema of an option of a select, multi-select or status. */
export const option = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  description: v.nullable(v.string()),
});
component(option, "Option", "An option of a `select`, `multi_select` or `status` property.");

export const options = v.pipe(v.array(optionInput), v.maxLength(LIMITS.options));

/** The configuration of a type whose options are a list. */
export const optionsConfig: ConfigKind<
  OptionsConfig,
  { readonly options?: readonly OptionInput[] },
  { readonly options: v.InferOutput<typeof option>[] }
> = {
  input: v.strictObject({
    options: v.exactOptional(
      v.pipe(
        options,
        v.description("All options in display order. Options that you leave out are removed."),
      ),
    ),
  }),
  output: v.object({ options: v.array(option) }),
  draft: ({ options }, previous, drafting) => ({
    options: options === undefined
      ? previous.options
      : draftOptions(options, previous.options, drafting),
  }),
  show: ({ options }) => ({ options: [...options] }),
};

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
