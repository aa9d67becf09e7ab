/**
 * Shared by the tests of blocks.
 *
 * @module
 */
import * as v from "valibot";
import { blockChildrenInput, type BlockInput, draftBlocks } from "../../src/content/blocks/mod.ts";
import type { Node, NodeView } from "../../src/content/schema/node.ts";

/** Parses blocks of a request. */
export function parsed(inputs: readonly unknown[]): BlockInput[] {
  return v.parse(blockChildrenInput, inputs);
}

/** The pointers and expectations of what the schema rejects. */
export function refusals(schema: v.GenericSchema, input: unknown): string[] {
  const issues = v.safeParse(schema, input).issues ?? [];
  return issues.map((issue) =>
    `${v.getDotPath(issue)}: ${issue.type === "custom" ? issue.message : issue.expected}`
  );
}

export const PAGE = "0191b3d6-0000-7000-8000-000000000001";
export const USER = "0191b3d6-0000-7000-8000-000000000002";
export const TIME = Date.UTC(2024, 1, 29, 12, 0, 0, 123);

/** Nodes of blocks at the end of a page, with consecutive ids. */
export function drafted(inputs: readonly BlockInput[]): Node[] {
  let count = 0;
  return draftBlocks(inputs, {
    parent: { kind: "page", id: PAGE, containerId: PAGE },
    gap: { after: null, before: null },
    edit: { time: TIME, by: USER },
    newId: () => `0191b3d6-0000-7000-8001-${String(++count).padStart(12, "0")}`,
  });
}

/** A node in the form that is read. */
export function viewed(input: unknown, hasChildren = false): NodeView {
  const [node] = drafted(parsed([input]));
  if (node === undefined) throw new Error("One block makes one node");
  return { ...node, hasChildren };
}

/** The value at a pointer; throws if there is none. */
export function resolve(value: unknown, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce((at: unknown, step) => {
    const members = new Map(Object.entries(at ?? {}));
    if (!members.has(step)) throw new Error(`${pointer} leads nowhere at ${step}`);
    return members.get(step);
  }, value);
}
