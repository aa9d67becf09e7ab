/**
 * Lists of options in the configuration of a property: options keep their id through every edit.
 *
 * @module
 */
import * as v from "valibot";
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
  v.description("Without commas; unique in its property."),
);

/** An option as a client writes it; one that exists is found by id, or else by name. */
export const optionInput = v.strictObject({
  id: v.exactOptional(reference),
  name: v.exactOptional(optionName),
  color: v.exactOptional(v.pipe(optionColor, v.description("Of an option that is new."))),
  description: v.exactOptional(descriptionInput),
});
export type OptionInput = v.InferOutput<typeof optionInput>;

/** An option of a select, multi-select or status as responses show it. */
export const option = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  description: v.nullable(v.string()),
});

export const options = v.pipe(v.array(optionInput), v.maxLength(LIMITS.options));
/** The configuration of a type whose options are a list. */
export const optionsConfig: ConfigKind<
  OptionsConfig,
  { readonly options?: readonly OptionInput[] },
  { readonly options: v.InferOutput<typeof option>[] }
> = {
  input: v.strictObject({
    options: v.exactOptional(
      v.pipe(options, v.description("All options in order; those left out vanish.")),
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
