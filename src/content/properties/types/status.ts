/**
 * Statuses: one of several options, which are in three groups: to do, in progress, complete.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import type { ValidationIssue } from "../../../shared/errors.ts";
import { bodyIssue } from "../../../shared/validation_issue.ts";
import type { Option, OptionGroup } from "../../schema/property.ts";
import { optionColor } from "../../values/colors.ts";
import { LIMITS } from "../../values/limits.ts";
import type {
  ConfigKind,
  Drafting,
  PreviousConfig,
  PropertyWith,
  ValidationContext,
} from "../property_kind.ts";
import {
  draftOptions,
  newOption,
  option,
  type OptionInput as OptionDefinition,
  options,
  type OptionsConfig,
  reference,
} from "../shared/option_lists.ts";
import { choices } from "../shared/operators.ts";
import {
  findOption,
  oneOptionKind,
  type OptionContext,
  type OptionInput,
} from "../shared/options.ts";

/** A group of options to define. An existing one is found by id, or else by name. */
export const groupInput = v.strictObject({
  id: v.exactOptional(reference),
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.optionName))),
  color: v.exactOptional(optionColor),
  option_ids: v.exactOptional(v.pipe(
    v.array(reference),
    v.maxLength(LIMITS.options),
    v.description("IDs or names of the options in the group."),
  )),
});
component(
  groupInput,
  "OptionGroupInput",
  "A group of options to define. An existing group is found by `id`, or else by `name`.",
);
export type GroupInput = v.InferOutput<typeof groupInput>;

/** The output schema of a group of options. */
export const group = v.object({
  id: v.string(),
  name: v.string(),
  color: optionColor,
  option_ids: v.array(v.string()),
});
component(group, "OptionGroup", "A group of the options of a `status` property.");

/** How many groups the options of a status are in: to do, in progress, complete. */
const GROUP_COUNT = 3;

const statusInput = v.strictObject({
  options: v.exactOptional(v.pipe(
    options,
    v.minLength(1),
    v.description("All options in display order. Options that you leave out are removed."),
  )),
  groups: v.exactOptional(v.pipe(
    v.array(groupInput),
    v.minLength(GROUP_COUNT),
    v.maxLength(GROUP_COUNT),
    v.description(
      "The groups in display order. An option that no group lists stays in its group.",
    ),
  )),
});
type StatusInput = v.InferOutput<typeof statusInput>;

const statusOutput = v.object({ options: v.array(option), groups: v.array(group) });

interface StatusConfig extends OptionsConfig {
  readonly groups: readonly OptionGroup[];
}

const config: ConfigKind<StatusConfig, StatusInput, v.InferOutput<typeof statusOutput>> = {
  input: statusInput,
  output: statusOutput,
  draft: draftStatus,
  show: ({ options, groups }) => ({
    options: [...options],
    groups: groups.map((group) => ({ ...group, option_ids: [...group.option_ids] })),
  }),
};

export const status = {
  ...oneOptionKind(config),
  conditions: { operators: choices, alsoNamed: ["select"] },
  issues: (
    given: OptionInput | null,
    property: PropertyWith<typeof config>,
    { pointer }: ValidationContext,
  ) => given === null ? [] : unknownStatus(given, { property, pointer }),
  /** The first option of the first group that has any. */
  initial: ({ groups }: PropertyWith<typeof config>) =>
    groups.find(({ option_ids }) => option_ids.length > 0)?.option_ids[0],
};

function unknownStatus(
  given: OptionInput,
  { property, pointer }: OptionContext,
): ValidationIssue[] {
  if (findOption(property, given) !== undefined) return [];
  const { name, id } = given;
  const detail = `Invalid status option. Status option "${name ?? id}" does not exist.`;
  return [{ pointer: `${pointer}/${name === undefined ? "id" : "name"}`, detail }];
}

const DEFAULT_OPTIONS = [
  { name: "Not started", color: "default" },
  { name: "In progress", color: "blue" },
  { name: "Done", color: "green" },
] as const;

const DEFAULT_GROUPS = [
  { name: "To-do", color: "gray" },
  { name: "In progress", color: "blue" },
  { name: "Complete", color: "green" },
] as const;

/**
 * The options and groups after an input. An option that no group in the input names stays in its
 * group; a new one joins the first group.
 */
function draftStatus(
  input: StatusInput,
  previous: PreviousConfig<StatusConfig>,
  drafting: Drafting,
): StatusConfig {
  const before = previous.same ?? initialStatus(previous.options, drafting, input.options);
  const options = input.options === undefined
    ? before.options
    : draftOptions(input.options, before.options, drafting);
  const groups = matchGroups(input.groups ?? [], before.groups);
  const homes = groupIndexes(input, options, drafting);
  return { options, groups: fillGroups({ options, groups, before: before.groups, homes }) };
}

/**
 * The initial options of a property that becomes a status: its own options, or the default ones.
 */
function initialStatus(
  own: readonly Option[],
  { newId }: Drafting,
  inputs: readonly OptionDefinition[] | undefined,
): StatusConfig {
  const isDefault = own.length === 0 && inputs === undefined;
  const options = isDefault ? DEFAULT_OPTIONS.map((option) => newOption(option, newId())) : own;
  const groups = DEFAULT_GROUPS.map((group, index) => ({
    ...group,
    id: newId(),
    option_ids: isDefault ? idAt(options, index) : [],
  }));
  return { options, groups };
}

function idAt(options: readonly Option[], index: number): string[] {
  return options.slice(index, index + 1).map(({ id }) => id);
}

/** The groups with their new names and colours, in the order of the input. */
function matchGroups(
  inputs: readonly GroupInput[],
  before: readonly OptionGroup[],
): readonly OptionGroup[] {
  if (inputs.length === 0) return before;
  const left = new Set(before);
  const take = (found: OptionGroup | undefined): OptionGroup | undefined => {
    if (found !== undefined) left.delete(found);
    return found;
  };
  const named = inputs.map(({ id, name }) =>
    take([...left].find((group) => group.id === id)) ??
      take([...left].find((group) => group.name === name))
  );
  return inputs.flatMap(({ name, color }, index) => {
    const group = named[index] ?? take([...left][0]);
    return group === undefined
      ? []
      : [{ ...group, name: name ?? group.name, color: color ?? group.color }];
  });
}

/**
 * The index of the group that names each option. Adds an issue for each unknown or repeated name.
 */
function groupIndexes(
  { options: optionInputs, groups = [] }: StatusInput,
  options: readonly Option[],
  { pointer, issues }: Drafting,
): ReadonlyMap<string, number> {
  const ids = new Map(options.map(({ id, name }) => [name, id]));
  // A status copied from another database refers to its options by their ids there.
  optionInputs?.forEach(({ id }, index) => {
    if (id !== undefined) ids.set(id, options[index]?.id ?? id);
  });
  for (const { id } of options) ids.set(id, id);
  const homes = new Map<string, number>();
  for (const [group, { option_ids: names = [] }] of groups.entries()) {
    for (const [index, name] of names.entries()) {
      const id = ids.get(name);
      const isFree = id !== undefined && !homes.has(id);
      if (isFree) homes.set(id, group);
      else {
        const at = `${pointer}/groups/${group}/option_ids/${index}`;
        issues.push(bodyIssue(at, { expected: expectedOption(id), received: name }));
      }
    }
  }
  return homes;
}

function expectedOption(id: string | undefined): string {
  return id === undefined
    ? "the id or name of an option of this status"
    : "an option that no other group has";
}

interface Filling {
  readonly options: readonly Option[];
  readonly groups: readonly OptionGroup[];
  readonly before: readonly OptionGroup[];
  readonly homes: ReadonlyMap<string, number>;
}

function fillGroups({ options, groups, before, homes }: Filling): OptionGroup[] {
  const earlier = new Map(
    before.flatMap(({ id, option_ids }) => option_ids.map((option) => [option, id] as const)),
  );
  const homeOf = ({ id }: Option): string | undefined =>
    groups[homes.get(id) ?? -1]?.id ?? earlier.get(id) ?? groups[0]?.id;
  return groups.map((group) => ({
    ...group,
    option_ids: options.filter((option) => homeOf(option) === group.id).map(({ id }) => id),
  }));
}
