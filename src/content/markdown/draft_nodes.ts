/**
 * The blocks of a Markdown text as nodes that are in no page yet: plain data, so that any thread can
 * make them.
 *
 * @module
 */
import { type Edit, firstState, type Node } from "../schema/node.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import type { FrontMatter } from "./front_matter.ts";

export interface DraftedMarkdown {
  readonly frontMatter: Pick<FrontMatter, "values"> | undefined;
  /** How many of the nodes, the first ones, are the front matter as blocks. */
  readonly matterNodes: number;
  /** Parents before their children; each one's id is its index. */
  readonly nodes: readonly Node[];
}

/** What nodes become a part of. */
export interface Place {
  readonly pageId: string;
  readonly edit: Edit;
  readonly newId: () => string;
}

/** The nodes in their place, with or without the front matter as blocks. */
export function placeNodes(
  { nodes, matterNodes }: DraftedMarkdown,
  { pageId, edit, newId }: Place,
  { withMatter }: { readonly withMatter: boolean },
): Node[] {
  const ids = nodes.map(() => newId());
  const state = firstState(edit);
  return nodes.slice(withMatter ? 0 : matterNodes).map((node) => ({
    ...node,
    id: ids[Number(node.id)] ?? "",
    parentId: node.parentKind === "page" ? pageId : ids[Number(node.parentId)] ?? "",
    containerId: pageId,
    ...state,
  }));
}

/** The fault of a text that cannot be read, for a reason as behind "Markdown". */
export function unread(reason: string): ValidationIssue {
  return { pointer: "/markdown", detail: `Markdown ${reason}: divide it.` };
}
