/**
 * Blocks in responses.
 *
 * @module
 */
import * as v from "valibot";
import { component, componentOfEach } from "../../shared/component.ts";
import { idOutput } from "../values/ids.ts";
import type { NodeView } from "../schema/node.ts";
import { parent, parentJson } from "../schema/parents.ts";
import { docTitle } from "../properties/mod.ts";
import { plainText } from "../values/rich_text.ts";
import { partialUser, partialUserJson } from "../values/users.ts";
import { type BlockKind, blockKinds, isLeaf } from "./kinds.ts";
import type { BlockType } from "./types.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

const members = blockKinds.map((kind) => member(kind.type, kind));

/** The output schema of each block type. */
export const outputMembers: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  members.map((schema) => [schema.entries.type.literal, schema]),
);
componentOfEach(outputMembers, "*Block", (type) => `A block of type \`${type}\`.`);

/** The output schema of a block. */
export const block = v.variant("type", members);
component(block, "Block", "A block. Its content is in the field that `type` names.");

/** The block as JSON text. `doc` is the node's document with the names of mentions filled in. */
export function blockJson(view: NodeView, doc: string): string {
  const trashed = view.trashRoot !== null;
  const type = JSON.stringify(view.type);
  return `{"object":"block","id":"${view.id}","parent":${parentJson(view)}` +
    `,"created_time":"${iso(view.createdTime)}","last_edited_time":"${iso(view.editedTime)}"` +
    `,"created_by":${partialUserJson(view.createdBy)},"last_edited_by":${
      partialUserJson(view.editedBy)
    }` +
    `,"has_children":${hasChildren(view)},"archived":${trashed},"in_trash":${trashed}` +
    `,"type":${type},${type}:${valueJson(view, doc)}}`;
}

function hasChildren({ type, hasChildren }: NodeView): boolean {
  // Clients cannot list the rows of a database as children of its block.
  return hasChildren && !isLeaf(type);
}

function valueJson(view: NodeView, doc: string): string {
  return view.kind === "block" ? doc : `{"title":${JSON.stringify(titleIn(view, doc))}}`;
}

function titleIn({ kind, title, hasMentions }: NodeView, doc: string): string {
  // The stored title lacks the names of mentions, which `doc` has.
  if (kind !== "page" || !hasMentions) return title;
  return plainText(docTitle(doc));
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function member<const T extends BlockType>(
  type: T,
  kind: BlockKind,
): v.ObjectSchema<v.ObjectEntries & { type: v.LiteralSchema<T, undefined> }, undefined> {
  return v.object({
    object: v.literal("block"),
    id: idOutput,
    parent,
    created_time: time,
    last_edited_time: time,
    created_by: partialUser,
    last_edited_by: partialUser,
    has_children: v.boolean(),
    archived: v.boolean(),
    in_trash: v.boolean(),
    type: v.literal(type),
    [type]: valueOutput(kind),
  });
}

function valueOutput({ own, choice }: BlockKind): v.GenericSchema {
  const entries = Object.fromEntries(own.map(([key, { output }]) => [key, output]));
  if (choice === undefined) return v.object(entries);
  return v.variant(
    "type",
    Object.entries(choice.read).map(([key, output]) =>
      v.object({ type: v.literal(key), [key]: output, ...entries })
    ),
  );
}
