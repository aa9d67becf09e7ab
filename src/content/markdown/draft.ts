/**
 * Markdown as the nodes of a page that is not known yet.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { blockIssues, draftBlocks } from "../blocks/mod.ts";
import type { DraftedMarkdown } from "./draft_nodes.ts";
import { readMarkdown } from "./read.ts";

/**
 * The nodes of a text, or its faults where it is too much. Takes a time that nobody can foretell, and
 * throws `RangeError` where the text nests too deep.
 */
export function draftMarkdown(
  markdown: string,
): { readonly drafted: DraftedMarkdown } | { readonly issues: readonly ValidationIssue[] } {
  const { frontMatter, blocks } = readMarkdown(markdown);
  const issues = blockIssues(blocks, "/markdown");
  if (issues.length > 0) return { issues };
  const matter = frontMatter?.blocks ?? [];
  let made = 0;
  const nodes = draftBlocks([...matter, ...blocks], {
    parent: { kind: "page", id: "", containerId: "" },
    gap: { after: null, before: null },
    edit: { time: 0, by: "" },
    newId: () => String(made++),
  });
  return {
    drafted: {
      frontMatter: frontMatter && { values: frontMatter.values },
      // Blocks of code have nothing below them.
      matterNodes: matter.length,
      nodes,
    },
  };
}
