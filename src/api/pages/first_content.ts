/**
 * The first content of new pages, from blocks or Markdown.
 *
 * @module
 */
import { type BlockInput, draftBlocks, originalOf } from "../../content/blocks/mod.ts";
import {
  type MarkdownDraft,
  type PageTarget,
  placeNodes,
} from "../../content/markdown/place_nodes.ts";
import { firstBlocks, type PageCreateInput } from "../../content/pages/pages.ts";
import type { Node } from "../../content/schema/node.ts";
import type { Call } from "../../http/endpoint.ts";
import { belowPointer } from "../../shared/errors.ts";
import { requireOriginals } from "../shared/references.ts";
import type { Services } from "../shared/services.ts";

/** The first blocks of a new page, from blocks or Markdown. */
export interface FirstContent {
  readonly frontMatter: MarkdownDraft["frontMatter"];
  /** Returns the nodes of a new page, with or without its front matter as a block. */
  readonly nodes: (
    place: PageTarget,
    matter: { readonly withMatter: boolean },
  ) => Node[] | Promise<Node[]>;
}

/**
 * Reads the first content of a new page, which is at `pointer` in the body. Throws `validation_error`
 * if it is too large.
 */
export async function readContent(
  services: Services,
  { body, caller }: Pick<Call<unknown, unknown, PageCreateInput>, "body" | "caller">,
  pointer = "",
): Promise<FirstContent> {
  const { markdown, markdown_variant: variant } = body;
  const isBeside = (body.children ?? body.content) !== undefined;
  if (markdown === undefined || isBeside) {
    return { frontMatter: undefined, nodes: (place) => draftAt(place, firstBlocks(body)) };
  }
  const drafted = await services.readMarkdown(markdown, caller, variant).catch((error) => {
    throw belowPointer(pointer, error);
  });
  const originals = new Set(drafted.nodes.flatMap((node) => originalOf(node) ?? []));
  await requireOriginals(
    services,
    caller.workspace,
    [...originals].map((id) => ({ id, pointer: `${pointer}/markdown` })),
  );
  return {
    frontMatter: drafted.frontMatter,
    nodes: (place, matter) => placeNodes(drafted, place, matter),
  };
}

function draftAt({ pageId, edit, newId }: PageTarget, blocks: readonly BlockInput[]): Node[] {
  return draftBlocks(blocks, {
    parent: { kind: "page", id: pageId, containerId: pageId },
    gap: { after: null, before: null },
    edit,
    newId,
  });
}
