/**
 * The options of a status and their three groups.
 *
 * @module
 */
import { bodyIssue } from "../../shared/validation_issue.ts";
import { type Drafting, draftOptions, newOption, optionsOf } from "./options.ts";
import type { Option, OptionGroup, Property } from "../schema/property.ts";
import type { ConfigInput, GroupInput, OptionInput } from "./types.ts";

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

interface Status {
  readonly options: readonly Option[];
  readonly groups: readonly OptionGroup[];
}

/**
 * The options and groups after an input. An option that no group in the input names stays in its
 * group; a new one joins the first group.
 */
export function draftStatus(
  input: ConfigInput<"status">,
  current: Property | undefined,
  drafting: Drafting,
): Status {
  const before = current?.type === "status"
    ? current
    : initialStatus(optionsOf(current), drafting, input.options);
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
  inputs: readonly OptionInput[] | undefined,
): Status {
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
  { options: optionInputs, groups = [] }: ConfigInput<"status">,
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
