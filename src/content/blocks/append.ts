/**
 * Appends blocks to a page or a block.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { idInput, normalizeId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import type { Node } from "../schema/node.ts";
import type { BlockInput } from "./block_input.ts";
import { childrenIssues } from "./issues.ts";
import { blockInput } from "./input.ts";

const someChildren: v.GenericSchema<unknown, BlockInput[]> = v.pipe(
  v.array(blockInput),
  v.minLength(1),
  v.maxLength(LIMITS.array),
);

/** The body of `PATCH /v2/blocks/:block_id/children`. */
export const appendInput = v.strictObject({
  children: someChildren,
  after: v.exactOptional(
    v.pipe(
      idInput,
      v.description(
        "ID of the child to insert the blocks after. By default they are appended at the end.",
      ),
    ),
  ),
  position: v.exactOptional(v.variant("type", [
    v.strictObject({ type: v.literal("start") }),
    v.strictObject({ type: v.literal("end") }),
    v.strictObject({
      type: v.literal("after_block"),
      after_block: v.strictObject({ id: idInput }),
    }),
  ])),
});
component(appendInput, "BlockAppendInput", "Blocks to append, and where to insert them.");
export type AppendInput = v.InferOutput<typeof appendInput>;

/** Returns the place at which a valid body inserts the new children. */
export function appendPlace(
  { after, position }: AppendInput,
): "start" | "end" | { readonly after: string } {
  if (after !== undefined) return { after: normalizeId(after) };
  if (position?.type === "after_block") return { after: normalizeId(position.after_block.id) };
  return position?.type ?? "end";
}

/** All issues of appending to this node. */
export function appendIssues(
  parent: Pick<Node, "type" | "doc">,
  body: AppendInput,
): ValidationIssue[] {
  const { children, after, position } = body;
  const issues = childrenIssues(parent, { inputs: children, pointer: "/children" });
  if (after === undefined || position === undefined) return issues;
  const expected = "not present, as `after` is given";
  return [...issues, bodyIssue("/position", { expected, received: position })];
}
