/**
 * The form of block types that Markdown has no syntax for, which follows from their fields: a link
 * to their URL, or a `div` with their type and, if they have any, their text and children.
 *
 * @module
 */
import * as v from "valibot";
import type { BlockInput } from "../blocks/block_input.ts";
import { type BlockKind, blockKinds } from "../blocks/kinds.ts";
import type { BlockType, BlockValue } from "../blocks/types.ts";
import type { Attributes } from "./html.ts";

export type DefaultForm = "link" | "container" | "tag";

/** Returns the default form of a type; undefined if the type has a form of its own. */
export function defaultForm(
  { ownMarkdown, fields, choice, children }: BlockKind,
): DefaultForm | undefined {
  if (ownMarkdown) return undefined;
  if ("url" in fields || choice?.write.external !== undefined) return "link";
  return "rich_text" in fields || children !== "none" ? "container" : "tag";
}

/** Returns the types with this form that clients can create. */
export function createdKinds(form: DefaultForm): BlockKind[] {
  return blockKinds.filter((kind) => defaultForm(kind) === form && kind.notCreated === undefined);
}

/** Returns the attributes of a block; defaults are left out. */
export function attributesOf({ own }: BlockKind, value: BlockValue): Attributes {
  const attributes = own.map(([key, { attribute, initial }]) =>
    attribute === undefined || value[key] === undefined || value[key] === initial
      ? []
      : [[attribute, String(value[key])]]
  );
  return Object.fromEntries(attributes.flat());
}

/** Returns the fields that the attributes of a tag have valid values for. */
export function fieldsFrom({ own }: BlockKind, data: ReadonlyMap<string, string>): BlockValue {
  const fields = own.map(([key, { attribute, input }]) => {
    const text = attribute === undefined ? undefined : data.get(attribute);
    const values = text === undefined ? [] : [text, scalar(text)];
    const given = values.find((value) => v.is(input, value));
    return given === undefined ? [] : [[key, given]];
  });
  return Object.fromEntries(fields.flat());
}

/** The number or boolean that a text stands for. */
function scalar(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() === "" ? undefined : Number(text);
}

/** A block of a type that is known only when the service runs. */
export function blockOf(type: BlockType, value: BlockValue): BlockInput {
  // Sound because callers set the fields that the table has for the type.
  return { [type]: value } as BlockInput;
}
