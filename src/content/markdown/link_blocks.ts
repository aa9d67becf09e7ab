/**
 * Reads paragraphs that stand for a block of another type.
 *
 * @module
 */
import type { Image, ImageReference, Link, LinkReference, Paragraph } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import type { BlockKind } from "../blocks/kinds.ts";
import { LIMITS } from "../values/limits.ts";
import type { RichTextInput, RichTextItemInput } from "../values/rich_text.ts";
import { blockOf, createdKinds } from "./default_form.ts";
import { fromPhrasing } from "./from_phrasing.ts";
import { imagesOf, type LinkedImage, linkForm, targetIn } from "./link_forms.ts";
import { plainItems, splitItems } from "./rich_text_limits.ts";
import type { FlowContext } from "./text_blocks.ts";
import { countUrl } from "./url_limit.ts";

interface Target {
  readonly url: string;
  readonly name: string;
  readonly caption: RichTextInput;
}

type Reader = (target: Target) => BlockInput | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...createdKinds("link").map((kind): [string, Reader] => [kind.type, linkReader(kind)]),
  // Clients cannot create link previews.
  ["link_preview", ({ url, caption }) => ({ bookmark: { url, ...captioned(caption) } })],
  ["link_to_page", linkToPage],
  // A text cannot create pages or databases, so these become links to existing ones.
  ["child_page", linkToPage],
  ["child_database", (target) => linkToPage({ ...target, name: "database" })],
]);

function linkReader({ type, fields }: BlockKind): Reader {
  return ({ url, name, caption }) =>
    blockOf(type, {
      ...("url" in fields ? { url } : { external: { url } }),
      ...("caption" in fields && captioned(caption)),
      ...("name" in fields && name !== "" && { name }),
    });
}

/**
 * The blocks for a paragraph that stands for another type; undefined if it is an ordinary
 * paragraph.
 */
export function formBlocks(paragraph: Paragraph, context: FlowContext): BlockInput[] | undefined {
  const form = linkForm(paragraph);
  if (form === undefined) return imageBlocks(imagesOf(paragraph), context);
  const { type, name, link: { url, children } } = form;
  const text = fromPhrasing(children, context.definitions);
  const block = isUrl(url) && name.length <= LIMITS.name
    ? READERS.get(type)?.({ url, name, caption: captionOf(text, name || url) })
    : undefined;
  return block && [block];
}

function imageBlocks(
  images: readonly LinkedImage[],
  { definitions }: FlowContext,
): BlockInput[] | undefined {
  const urlOf = (node: Image | ImageReference | Link | LinkReference) => {
    const url = "url" in node ? node.url : definitions.get(node.identifier)?.url ?? "";
    countUrl(url);
    return url;
  };
  const blocks = images.flatMap(({ image, link }): BlockInput[] => {
    const url = urlOf(image);
    const target = link === undefined ? "" : urlOf(link);
    // A linked caption needs a text.
    const caption = plainItems(image.alt || (isUrl(target) ? target : ""));
    const linked = isUrl(target) ? caption.map((item) => withLink(item, target)) : caption;
    return isUrl(url) ? [{ image: media(url, firstGroup(linked)) }] : [];
  });
  return blocks.length > 0 && blocks.length === images.length ? blocks : undefined;
}

function withLink(item: RichTextItemInput, url: string): RichTextItemInput {
  return "text" in item ? { ...item, text: { ...item.text, link: { url } } } : item;
}

/** The text of the link; empty if it only repeats the target. */
function captionOf(text: readonly RichTextItemInput[], target: string): RichTextInput {
  const plain = text.map((item) => "text" in item ? item.text.content : "").join("");
  return plain === target ? [] : firstGroup(text);
}

function linkToPage({ url, name }: Target): BlockInput | undefined {
  const target = targetIn(url, name);
  if (target === undefined || target.kind === "user") return undefined;
  const { kind, id } = target;
  if (kind === "comment") return { link_to_page: { comment_id: id } };
  return { link_to_page: kind === "page" ? { page_id: id } : { database_id: id } };
}

function media(url: string, caption: RichTextInput): NonNullable<BlockInput["image"]> {
  return { external: { url }, ...captioned(caption) };
}

function captioned(caption: RichTextInput): { readonly caption?: RichTextInput } {
  return caption.length > 0 ? { caption } : {};
}

function firstGroup(items: readonly RichTextItemInput[]): RichTextInput {
  return splitItems(items)[0] ?? [];
}

function isUrl(url: string): boolean {
  return url !== "" && url.length <= LIMITS.url;
}
