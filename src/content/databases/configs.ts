/**
 * Property configurations: what a client gives over what was there before.
 *
 * @module
 */
import { normalizeId } from "../values/ids.ts";
import { type Drafting, draftOptions, optionsOf } from "./options.ts";
import type { Property, PropertyOf, PropertyType } from "../schema/property.ts";
import { draftStatus } from "./status.ts";
import type { ConfigInput } from "./types.ts";

type Common = "id" | "name" | "description";

/** A property without what all properties have. */
export type ConfigOf<T extends PropertyType> = Omit<PropertyOf<T>, Common>;

/** The property as it was, of whatever type; undefined of a new one. */
type Current = Property | undefined;

type Draft<T extends PropertyType> = (
  input: ConfigInput<T>,
  current: Current,
  drafting: Drafting,
) => ConfigOf<T>;

function plain<T extends PropertyType>(type: T): { readonly type: T } {
  return { type };
}

function draftChoices<T extends "select" | "multi_select">(type: T) {
  return (
    { options }: ConfigInput<T>,
    current: Current,
    drafting: Drafting,
  ): { readonly type: T; readonly options: PropertyOf<"select">["options"] } => {
    const known = optionsOf(current);
    return {
      type,
      options: options === undefined ? known : draftOptions(options, known, drafting),
    };
  };
}

function before<T extends PropertyType>(type: T, current: Current): PropertyOf<T> | undefined {
  // Sound because the type decides which properties there are.
  return current?.type === type ? current as PropertyOf<T> : undefined;
}

function draftRelation(
  { database_id }: ConfigInput<"relation">,
  current: Current,
  { newId }: Drafting,
): ConfigOf<"relation"> {
  const databaseId = normalizeId(database_id);
  const old = before("relation", current);
  if (old?.databaseId === databaseId) {
    const { relationId, side, syncedId } = old;
    return { type: "relation", databaseId, relationId, side, syncedId };
  }
  return { type: "relation", databaseId, relationId: newId(), side: "from", syncedId: null };
}

/**
 * Types whose configuration follows from the request alone; of the others it is looked up later.
 */
const DRAFTS: { readonly [T in PropertyType]?: Draft<T> } = {
  number: ({ format }, current) => ({
    type: "number",
    format: format ?? before("number", current)?.format ?? "number",
  }),
  select: draftChoices("select"),
  multi_select: draftChoices("multi_select"),
  status: (input, current, drafting) => ({
    type: "status",
    ...draftStatus(input, current, drafting),
  }),
  formula: (_input, current) => ({
    type: "formula",
    expression: before("formula", current)?.expression ?? "",
  }),
  relation: draftRelation,
  rollup: (_input, current) => {
    const old = before("rollup", current);
    return {
      type: "rollup",
      relationPropertyId: old?.relationPropertyId ?? "",
      rollupPropertyId: old?.rollupPropertyId ?? "",
      function: old?.function ?? "",
    };
  },
  unique_id: ({ prefix }, current) => ({
    type: "unique_id",
    prefix: prefix === undefined ? before("unique_id", current)?.prefix ?? null : prefix,
  }),
};

/** The configuration of this type after an input that its schema accepted. */
export function draftConfig<T extends PropertyType>(
  type: T,
  input: ConfigInput<T>,
  { current, drafting }: { readonly current: Current; readonly drafting: Drafting },
): ConfigOf<T> {
  // Sound because a type without a draft has no configuration but its type.
  return DRAFTS[type]?.(input, current, drafting) ?? plain(type) as ConfigOf<T>;
}
