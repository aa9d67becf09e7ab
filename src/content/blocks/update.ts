/**
 * Updates the value of a block.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import type { NodeView } from "../schema/node.ts";
import {
  choicesIn,
  editedValue,
  type GivenAt,
  planBlock,
  type PlannedBlock,
  valueIssues,
} from "./body.ts";
import { cellsIssue } from "./issues.ts";
import { type BlockKind, blockKind, blockKinds, isBlockType } from "./kinds.ts";
import type { BlockType, BlockValue } from "./types.ts";

const common = {
  type: v.exactOptional(v.picklist(blockKinds.map(({ type }) => type))),
  archived: v.exactOptional(v.boolean()),
  in_trash: v.exactOptional(v.boolean()),
};

const values = Object.fromEntries(
  blockKinds
    .filter(({ notUpdated }) => notUpdated === undefined)
    .map((kind) => [kind.type, v.exactOptional(valueUpdate(kind))]),
);

/** The body of `PATCH /v2/blocks/:block_id` in the OpenAPI document. */
export const documentedUpdate = v.strictObject({ ...common, ...values });
component(
  documentedUpdate,
  "BlockUpdateInput",
  "Changes to a block, under the key of its type. Fields that you leave out keep their values.",
);

// Accepts the keys of types that cannot be updated, so that `editBlock` can tell the reason.
const tolerant = v.strictObject({
  ...common,
  ...Object.fromEntries(blockKinds.map(({ type }) => [type, v.exactOptional(v.unknown())])),
  ...values,
});

/** An update: new members under the key of the block's type, and whether it is in the trash. */
export type BlockUpdateInput =
  & { readonly type?: BlockType; readonly archived?: boolean; readonly in_trash?: boolean }
  & { readonly [T in BlockType]?: BlockValue };

/** The body of `PATCH /v2/blocks/:block_id`. */
export const blockUpdateInput: v.GenericSchema<unknown, BlockUpdateInput> = v.lazy((input) =>
  // Sound because both require an object under each key that `editBlock` reads.
  (input === undefined ? documentedUpdate : tolerant) as v.GenericSchema<unknown, BlockUpdateInput>
);

/**
 * The block's value after the update, which replaces whole members.
 *
 * Throws `validation_error` with all issues: keys of other types, a type that cannot be updated,
 * and conflicts with the current value.
 */
export function editBlock(node: NodeView, body: BlockUpdateInput): PlannedBlock {
  const edited = editOf(node, body);
  const issues = [...typeIssues(node, body), ...keyIssues(node, body)];
  if (edited !== undefined) issues.push(...editIssues(node, edited), ...toggleIssues(node, body));
  if (issues.length > 0) throw validationError(issues);
  if (edited === undefined) return { doc: node.doc, hasMentions: node.hasMentions };
  return planBlock(edited.kind, editedValue(edited.kind, edited));
}

/** Returns whether the update requires the block to have no children. */
export function needsNoChildren({ type }: Pick<NodeView, "type">, body: BlockUpdateInput): boolean {
  return body[blockKind(type).type]?.is_toggleable === false;
}

interface Edited {
  readonly kind: BlockKind;
  readonly current: BlockValue;
  readonly given: BlockValue;
}

/** Undefined if the body does not change the block's value. */
function editOf({ type, doc }: NodeView, body: BlockUpdateInput): Edited | undefined {
  const kind = blockKind(type);
  const given = body[kind.type];
  if (given === undefined || kind.notUpdated !== undefined) return undefined;
  return { kind, current: JSON.parse(doc), given };
}

function typeIssues({ type }: NodeView, body: BlockUpdateInput): ValidationIssue[] {
  if (body.type === undefined || body.type === type) return [];
  const expected = `"${type}", as the type of a block cannot change`;
  return [bodyIssue("/type", { expected, received: body.type })];
}

/** Issues of keys of other types, and of the own key of a type that cannot be updated. */
function keyIssues({ type }: NodeView, body: BlockUpdateInput): ValidationIssue[] {
  return Object.entries(body).filter(([key]) => isBlockType(key)).flatMap(([key, received]) => {
    const pointer = pointerTo("", key);
    const reason = blockKind(key).notUpdated;
    if (reason !== undefined) {
      return [{ pointer, detail: `Can't update a block of type ${key}: ${reason}.` }];
    }
    const expected = `not present, as the block is of type "${type}"`;
    return key === type ? [] : [bodyIssue(pointer, { expected, received })];
  });
}

function editIssues(node: NodeView, { kind, current, given }: Edited): ValidationIssue[] {
  const pointer = pointerTo("", node.type);
  const width = Array.isArray(current.cells) ? current.cells.length : undefined;
  const cells = width === undefined ? undefined : cellsIssue(given, { width, pointer });
  return [
    ...valueIssues(kind, { given, pointer }),
    ...choiceIssues(kind, { given, pointer, current: current.type }),
    ...(cells === undefined ? [] : [cells]),
  ];
}

/** Issues of a second member of a choice, and of a `type` that does not name the given member. */
function choiceIssues(
  kind: BlockKind,
  { given, pointer, current }: GivenAt & { readonly current: unknown },
): ValidationIssue[] {
  if (kind.choice === undefined) return [];
  const [chosen, ...more] = choicesIn(kind, given);
  const issues = more.map((key) => {
    const expected = `not present beside \`${chosen}\``;
    return bodyIssue(pointerTo(pointer, key), { expected, received: given[key] });
  });
  const type = chosen ?? current;
  if (given.type === undefined || given.type === type) return issues;
  const mismatch = { expected: JSON.stringify(type), received: given.type };
  return [...issues, bodyIssue(pointerTo(pointer, "type"), mismatch)];
}

function toggleIssues(node: NodeView, body: BlockUpdateInput): ValidationIssue[] {
  if (!node.hasChildren || !needsNoChildren(node, body)) return [];
  const expected = "`true` while the heading has children";
  return [bodyIssue(`/${node.type}/is_toggleable`, { expected, received: false })];
}

function valueUpdate({ choice, writable }: BlockKind): v.GenericSchema {
  const entries = writable
    .filter(([, { fixed }]) => fixed === undefined)
    .map(([key, { input }]) => [key, v.exactOptional(input)]);
  const type = choice && { type: v.exactOptional(v.picklist(Object.keys(choice.write))) };
  return v.strictObject({ ...type, ...Object.fromEntries(entries) });
}
