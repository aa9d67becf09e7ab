/**
 * Parses Markdown to mdast. Hostile texts can take very long, so callers need a time limit.
 *
 * @module
 */
import type { Root } from "mdast";
import { type Extension, fromMarkdown, type Options } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { notedEscapes } from "./escapes.ts";
import { mathSyntax } from "./math_syntax.ts";

const OPTIONS: Options = {
  extensions: [gfm(), mathSyntax()],
  mdastExtensions: [gfmFromMarkdown().map(withoutTransforms), mathFromMarkdown(), notedEscapes],
};

const WITH_FRONT_MATTER: Options = {
  extensions: [...OPTIONS.extensions ?? [], frontmatter()],
  mdastExtensions: [...OPTIONS.mdastExtensions ?? [], frontmatterFromMarkdown()],
};

/** The tree of a text. With `frontMatter`, YAML at the start becomes a node. */
export function parseMarkdown(
  text: string,
  { frontMatter }: { readonly frontMatter: boolean },
): Root {
  return fromMarkdown(text, frontMatter ? WITH_FRONT_MATTER : OPTIONS);
}

/** Constructs of blocks, which a line of text cannot start. */
const BLOCKS = [
  ...["blankLine", "blockQuote", "codeFenced", "codeIndented", "definition", "headingAtx"],
  ...["htmlFlow", "list", "setextUnderline", "thematicBreak", "table", "mathFlow"],
  ...["gfmFootnoteDefinition", "tasklistCheck", "gfmFootnoteCall"],
];

const INLINE: Options = {
  ...OPTIONS,
  extensions: [...OPTIONS.extensions ?? [], { disable: { null: BLOCKS } }],
};

/** The tree of a text without blocks: one paragraph. */
export function parseInline(text: string): Root {
  return fromMarkdown(text, INLINE);
}

/** The transforms turn URLs into links even if they were escaped to prevent that. */
function withoutTransforms({ transforms: _, ...extension }: Extension): Extension {
  return extension;
}
