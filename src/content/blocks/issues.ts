/**
 * What is wrong with blocks that their schemas accepted: rules between a block and its neighbours.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { LIMITS } from "../values/limits.ts";
import type { Node } from "../schema/node.ts";
import type { BlockInput } from "./block_input.ts";
import { valueIssues } from "./body.ts";
import { type Branch, branches } from "./tree.ts";
import { blockKind, slotFor } from "./kinds.ts";
import type { BlockValue, Slot } from "./types.ts";

/** Every fault of blocks that are to be the content of a page; each points into the input. */
export function blockIssues(inputs: readonly BlockInput[], pointer: string): ValidationIssue[] {
  return issuesUnder({ slot: "any", width: undefined }, { inputs, pointer });
}

/** Every fault of blocks that are to be children of this node, a refusal of any child first. */
export function childrenIssues(
  parent: Pick<Node, "type" | "doc">,
  place: InputsAt,
): ValidationIssue[] {
  const reason = takesChildren(parent.type, parent.doc);
  if (reason !== undefined) {
    return [{ pointer: place.pointer, detail: `Can't add children to this block: ${reason}.` }];
  }
  const slot = blockKind(parent.type).children;
  return issuesUnder({ slot, width: slot === "rows" ? widthOf(parent.doc) : undefined }, place);
}

/** Why a stored block takes no children at all; undefined where it takes some. */
export function takesChildren(type: string, doc: string): string | undefined {
  const kind = blockKind(type);
  if (kind.children === "none") return `a \`${type}\` takes none`;
  // Only few types depend on their value, which is not parsed for the others.
  return kind.childless?.(JSON.parse(doc));
}

/** Blocks of a request and where they stand in it. */
export interface InputsAt {
  readonly inputs: readonly BlockInput[];
  readonly pointer: string;
}

/** What the parent of the top blocks asks of them. */
interface Home {
  readonly slot: Slot;
  /** How many cells each row must have. */
  readonly width: number | undefined;
}

function issuesUnder(home: Home, { inputs, pointer }: InputsAt): ValidationIssue[] {
  const all = branches(inputs, pointer);
  const issues = all.flatMap((branch) => branchIssues(branch, homeOf(branch.parent) ?? home));
  return all.length <= LIMITS.blocksPerRequest ? issues : [tooMany(all.length, pointer), ...issues];
}

function homeOf(parent: Branch | undefined): Home | undefined {
  return parent && { slot: parent.kind.children, width: widthIn(parent.value) };
}

function branchIssues(branch: Branch, home: Home): ValidationIssue[] {
  const { type, kind, value, pointer } = branch;
  const here = pointerTo(pointer, type);
  if (kind.notCreated !== undefined) {
    return [{ pointer: here, detail: `Can't create a block of type ${type}: ${kind.notCreated}.` }];
  }
  const own = [misplaced(branch, home), miscounted(branch, home), childless(branch)];
  return [
    ...own.filter((issue) => issue !== undefined),
    ...valueIssues(kind, { given: value, pointer: here }),
  ];
}

const DWELLERS: Record<Slot, string> = {
  any: "neither a `table_row` nor a `column`",
  rows: "a `table_row`, as all children of a table are",
  columns: "a `column`, as all children of a column list are",
  none: "absent",
};

function misplaced({ type, pointer }: Branch, { slot }: Home): ValidationIssue | undefined {
  if (slotFor(type) === slot) return undefined;
  return bodyIssue(pointerTo(pointer, type), { expected: DWELLERS[slot], received: type });
}

function miscounted(
  { type, value, pointer }: Branch,
  { width }: Home,
): ValidationIssue | undefined {
  if (type !== "table_row" || width === undefined) return undefined;
  return cellsIssue(value, { width, pointer: pointerTo(pointer, type) });
}

/** The fault of a row's value whose cells are not as many as its table is wide. */
export function cellsIssue(
  { cells }: BlockValue,
  { width, pointer }: { readonly width: number; readonly pointer: string },
): ValidationIssue | undefined {
  if (!Array.isArray(cells) || cells.length === width) return undefined;
  return bodyIssue(pointerTo(pointer, "cells"), {
    expected: `an array of \`${width}\` cells, the width of the table`,
    received: cells,
  });
}

function childless({ type, kind, value, children, pointer }: Branch): ValidationIssue | undefined {
  const reason = children.length === 0 ? undefined : kind.childless?.(value);
  if (reason === undefined) return undefined;
  return bodyIssue(pointerTo(pointerTo(pointer, type), "children"), {
    expected: `not present, as ${reason}`,
    received: children,
  });
}

function tooMany(count: number, pointer: string): ValidationIssue {
  return bodyIssue(pointer, {
    expected: `at most \`${LIMITS.blocksPerRequest}\` blocks in all`,
    received: count,
  });
}

function widthOf(doc: string): number | undefined {
  return widthIn(JSON.parse(doc));
}

function widthIn({ table_width: width }: BlockValue): number | undefined {
  return typeof width === "number" ? width : undefined;
}
