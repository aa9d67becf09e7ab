/**
 * The nodes of a Markdown text before they have a page. They are plain data, so that a Worker can
 * send them.
 *
 * @module
 */
import { type Edit, firstState, type Node } from "../schema/node.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import type { FrontMatter } from "./front_matter.ts";

export interface MarkdownDraft {
  readonly frontMatter: Pick<FrontMatter, "values"> | undefined;
  /** The number of leading nodes that represent the front matter as blocks. */
  readonly matterNodes: number;
  /** Parents come before their children; ids are indexes. */
  readonly nodes: readonly Node[];
}

/** The page that nodes are added to. */
export interface PageTarget {
  readonly pageId: string;
  readonly edit: Edit;
  readonly newId: () => string;
}

/** The nodes with real ids and parents, with or without the front matter as blocks. */
export function placeNodes(
  { nodes, matterNodes }: MarkdownDraft,
  { pageId, edit, newId }: PageTarget,
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

/** The issue of a text that cannot be read; `reason` completes a sentence about "Markdown". */
export function unreadableIssue(reason: string): ValidationIssue {
  return { pointer: "/markdown", detail: `Markdown ${reason}: divide it.` };
}
