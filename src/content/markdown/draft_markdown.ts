/**
 * Converts Markdown to nodes, before the page that will have them is known.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { blockIssues, draftBlocks } from "../blocks/mod.ts";
import { LIMITS } from "../values/limits.ts";
import { type MarkdownDraft, unreadableIssue } from "./place_nodes.ts";
import type { MarkdownVariant } from "./print_portion.ts";
import { type MarkdownContent, readMarkdown } from "./read_markdown.ts";
import { UrlLimitError, withUrlLimit } from "./url_limit.ts";

const TOO_MANY_URLS = `writes more than ${LIMITS.markdownUrls} characters of URLs`;

/**
 * The nodes of a text, or its issues if it exceeds the limits. The time it takes cannot be
 * predicted from the size of the text. Throws a `RangeError` if the text is nested too deeply.
 */
export function draftMarkdown(
  markdown: string,
  variant?: MarkdownVariant,
): { readonly drafted: MarkdownDraft } | { readonly issues: readonly ValidationIssue[] } {
  const content = readWithinLimits(markdown, variant);
  if (content === undefined) return { issues: [unreadableIssue(TOO_MANY_URLS)] };
  const { frontMatter, blocks } = content;
  const issues = blockIssues(blocks, "/markdown");
  if (issues.length > 0) return { issues };
  const matter = frontMatter?.blocks ?? [];
  let count = 0;
  const nodes = draftBlocks([...matter, ...blocks], {
    parent: { kind: "page", id: "", containerId: "" },
    gap: { after: null, before: null },
    edit: { time: 0, by: "" },
    newId: () => String(count++),
  });
  return {
    drafted: {
      frontMatter: frontMatter && { values: frontMatter.values },
      // Front matter becomes code blocks, which have no children, so blocks and nodes correspond.
      matterNodes: matter.length,
      nodes,
    },
  };
}

/** The content of a text; undefined if it writes too many URLs. */
function readWithinLimits(
  markdown: string,
  variant: MarkdownVariant | undefined,
): MarkdownContent | undefined {
  try {
    return withUrlLimit(() => readMarkdown(markdown, variant));
  } catch (error) {
    if (error instanceof UrlLimitError) return undefined;
    throw error;
  }
}
