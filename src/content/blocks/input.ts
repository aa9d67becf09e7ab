/**
 * Blocks in requests: one schema for each type, which together accept trees of blocks.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import { part } from "../../shared/part_validator.ts";
import { LIMITS } from "../values/limits.ts";
import { byKey } from "../values/union.ts";
import type { BlockInput } from "./block_input.ts";
import { type BlockKind, blockKind, blockKinds, isBlockType } from "./kinds.ts";
import type { BlockType, BlockValue } from "./types.ts";

/** A block in a request. One key names its type; `type` may repeat it. */
export const blockInput: v.LazySchema<v.GenericSchema<unknown, BlockInput>> = v.lazy(memberFor);

/** Blocks in a request, nested to any depth. */
export const blockChildrenInput: v.GenericSchema<unknown, BlockInput[]> = v.pipe(
  v.array(blockInput),
  v.maxLength(LIMITS.array),
);

// Cached, so that rows and columns have the same schema in their parents and in the union.
const members = new Map<string, v.GenericSchema>();

/** The schema of each type that clients can create. */
export const inputMembers: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  blockKinds
    .filter(({ notCreated }) => notCreated === undefined)
    .map(({ type }) => [type, member(type)]),
);
componentOfEach(inputMembers, "*BlockInput", (type) => `A block of type \`${type}\` to create.`);

const writable = byKey(inputMembers);
component(
  writable.getter(undefined),
  "BlockInput",
  "A block to create. Exactly one key names its type and holds its content; `type` may repeat that key.",
);

// Accepts types that cannot be created, so that `blockIssues` can tell the reason.
const notCreated = v.looseObject({});

/**
 * The type of a block that its schema accepted, and the value under the type's key. The value is
 * not checked if the type cannot be created.
 */
export function readInput(
  input: BlockInput,
): { readonly type: BlockType; readonly value: BlockValue } {
  const type = typeOf(input);
  if (type === undefined) throw new Error("A block without a type passed its schema");
  // Sound because the schema requires an object under the key of a type that can be created, and
  // nothing reads the values of other types.
  const value = (input as Readonly<Record<string, BlockValue | undefined>>)[type];
  return { type, value: value ?? {} };
}

function memberFor(input: unknown): v.GenericSchema<unknown, BlockInput> {
  const type = typeOf(input);
  const isCreated = type === undefined || blockKind(type).notCreated === undefined;
  const schema = isCreated ? writable.getter(input) : notCreated;
  // Sound because each member has one key of BlockInput; the compiler cannot follow computed keys.
  return schema as v.GenericSchema<unknown, BlockInput>;
}

function typeOf(input: unknown): BlockType | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const key = Object.keys(input).find(isBlockType);
  if (key !== undefined || !("type" in input)) return key;
  return typeof input.type === "string" && isBlockType(input.type) ? input.type : undefined;
}

function member(type: string): v.GenericSchema {
  const schema = members.get(type) ?? part(v.strictObject({
    object: v.exactOptional(v.literal("block")),
    type: v.exactOptional(v.literal(type)),
    [type]: valueInput(blockKind(type)),
  }));
  members.set(type, schema);
  return schema;
}

function valueInput(kind: BlockKind): v.GenericSchema {
  const entries = { ...fieldEntries(kind), ...childrenEntry(kind) };
  if (kind.choice === undefined) return v.strictObject(entries);
  const choices = Object.entries(kind.choice.write).map(([key, { input }]) => {
    const type = v.exactOptional(v.literal(key));
    return [key, v.strictObject({ type, [key]: input, ...entries })];
  });
  return byKey(Object.fromEntries(choices));
}

function fieldEntries({ own }: BlockKind): v.ObjectEntries {
  const entries = own.map(([key, { input, required }]) => {
    return [key, required ? input : v.exactOptional(input)];
  });
  return Object.fromEntries(entries);
}

function childrenEntry({ children, fewestChildren }: BlockKind): v.ObjectEntries {
  if (children === "none") return {};
  const list = v.pipe(
    v.array(children === "any" ? blockInput : member(children.only)),
    v.maxLength(LIMITS.array),
  );
  if (fewestChildren === undefined) return { children: v.exactOptional(list) };
  return { children: v.pipe(list, v.minLength(fewestChildren)) };
}
