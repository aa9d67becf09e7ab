/**
 * Validates what the schemas of blocks cannot: the rules between a block and its parent.
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
import { blockKind, onlyParents } from "./kinds.ts";
import type { BlockValue, Children } from "./types.ts";

/** All issues of blocks that become the content of a page. Their pointers lead into the input. */
export function blockIssues(inputs: readonly BlockInput[], pointer: string): ValidationIssue[] {
  return issuesUnder({ children: "any", width: undefined }, { inputs, pointer });
}

/** All issues of blocks that become children of this node. */
export function childrenIssues(
  parent: Pick<Node, "type" | "doc">,
  place: InputsAt,
): ValidationIssue[] {
  const reason = takesChildren(parent.type, parent.doc);
  if (reason !== undefined) {
    return [{ pointer: place.pointer, detail: `Can't add children to this block: ${reason}.` }];
  }
  const { children, cellsPerChild } = blockKind(parent.type);
  return issuesUnder({ children, width: cellsPerChild?.(JSON.parse(parent.doc)) }, place);
}

/** Why a stored block can have no children; undefined if it can. */
export function takesChildren(type: string, doc: string): string | undefined {
  const kind = blockKind(type);
  if (kind.children === "none") return `a \`${type}\` takes none`;
  // Few types depend on their value, so others are not parsed.
  return kind.childless?.(JSON.parse(doc));
}

/** Returns whether an update of a block of this type can decide that it takes no children. */
export function mayStopTakingChildren(type: string): boolean {
  const { childless, notUpdated } = blockKind(type);
  return childless !== undefined && notUpdated === undefined;
}

/** Blocks of a request, and the JSON pointer to them. */
export interface InputsAt {
  readonly inputs: readonly BlockInput[];
  readonly pointer: string;
}

/** The requirements of a parent for its children. */
interface Home {
  readonly children: Children;
  /** Number of cells that each child must have. */
  readonly width: number | undefined;
}

function issuesUnder(home: Home, { inputs, pointer }: InputsAt): ValidationIssue[] {
  const all = branches(inputs, pointer);
  const issues = all.flatMap((branch) => branchIssues(branch, homeOf(branch.parent) ?? home));
  return all.length <= LIMITS.blocksPerRequest ? issues : [tooMany(all.length, pointer), ...issues];
}

function homeOf(parent: Branch | undefined): Home | undefined {
  return parent && {
    children: parent.kind.children,
    width: parent.kind.cellsPerChild?.(parent.value),
  };
}

function branchIssues(branch: Branch, home: Home): ValidationIssue[] {
  const { type, kind, value, pointer } = branch;
  const here = pointerTo(pointer, type);
  if (kind.notCreated !== undefined) {
    return [{ pointer: here, detail: `Can't create a block of type ${type}: ${kind.notCreated}.` }];
  }
  const own = [
    misplaced(branch, home),
    miscounted(branch, home),
    childless(branch),
    nested(branch),
  ];
  return [
    ...own.filter((issue) => issue !== undefined),
    ...valueIssues(kind, { given: value, pointer: here }),
  ];
}

function misplaced({ type, pointer }: Branch, { children }: Home): ValidationIssue | undefined {
  if (isAllowed(type, children)) return undefined;
  return bodyIssue(pointerTo(pointer, type), { expected: expectedType(children), received: type });
}

function isAllowed(type: string, children: Children): boolean {
  if (typeof children === "object") return children.only === type;
  return children === "any" && !onlyParents.has(type);
}

function expectedType(children: Children): string {
  if (children === "none") return "absent";
  if (children === "any") {
    return `neither ${[...onlyParents.keys()].map((type) => `a \`${type}\``).join(" nor ")}`;
  }
  const parent = onlyParents.get(children.only)?.replaceAll("_", " ");
  return `a \`${children.only}\`, as all children of a ${parent} are`;
}

function miscounted(
  { type, value, pointer }: Branch,
  { width }: Home,
): ValidationIssue | undefined {
  if (width === undefined) return undefined;
  return cellsIssue(value, { width, pointer: pointerTo(pointer, type) });
}

/** An issue if the number of cells differs from the width of the table. */
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

function nested({ type, value, pointer, parent }: Branch): ValidationIssue | undefined {
  if (type !== "synced_block" || !value.synced_from) return undefined;
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.type === "synced_block") return nestedCopyIssue(pointerTo(pointer, type));
  }
  return undefined;
}

/** The issue of a copy inside a synced block, where it might show itself. */
export function nestedCopyIssue(pointer: string): ValidationIssue {
  return bodyIssue(pointerTo(pointer, "synced_from"), {
    expected: "null, as a copy cannot be inside a synced block",
    received: {},
  });
}

function tooMany(count: number, pointer: string): ValidationIssue {
  return bodyIssue(pointer, {
    expected: `at most \`${LIMITS.blocksPerRequest}\` blocks in all`,
    received: count,
  });
}
