/**
 * Resolves the links, pictures and callouts in the blocks of a file.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { isEmoji } from "../../../content/values/icons.ts";
import type { RichTextInput, RichTextItemInput } from "../../../content/values/rich_text.ts";
import { wikiItems } from "../markdown/wiki_text.ts";
import type { ReportLoss } from "../plan.ts";
import {
  type BlockBody,
  makeBlock,
  mapBlocks,
  type OpenBlock,
  plainParagraph,
  plainTextOf,
} from "./blocks.ts";
import type { LinkIndex } from "./link_index.ts";
import { isAbsolute, targetUrl } from "./target.ts";

export interface LinkContext {
  readonly index: LinkIndex;
  /** The file with the blocks. */
  readonly from: string;
  readonly report: ReportLoss;
}

const MEDIA = new Set(["image", "video", "pdf", "audio", "file"]);
const MAX_ITEMS = 100;

/** Returns the blocks with targets in place of relative links and wiki links. */
export function linkBlocks(blocks: readonly BlockInput[], context: LinkContext): BlockInput[] {
  return mapBlocks(blocks, (block) => linkBlock(block, context));
}

function linkBlock({ type, body }: OpenBlock, context: LinkContext): BlockInput[] {
  if (MEDIA.has(type)) return [linkMedia(type, body, context)];
  if (type === "code") return [makeBlock(type, body)];
  const linked = linkTexts(body, context);
  if (type === "to_do") return fit(type, withoutLeadingSpace(linked));
  return type === "quote" ? [calloutOf(linked) ?? makeBlock(type, linked)] : fit(type, linked);
}

function linkTexts(body: BlockBody, context: LinkContext): BlockBody {
  const { rich_text, caption, cells } = body;
  return {
    ...body,
    ...(rich_text && { rich_text: linkText(rich_text, context) }),
    ...(caption && { caption: linkText(caption, context).slice(0, MAX_ITEMS) }),
    ...(cells && { cells: cells.map((cell) => linkText(cell, context).slice(0, MAX_ITEMS)) }),
  };
}

function linkText(text: RichTextInput, context: LinkContext): RichTextItemInput[] {
  const { index, from, report } = context;
  const missing = (name: string) => report({ where: from, what: `no page or file "${name}"` });
  return text.flatMap((item) =>
    wikiItems(linkItem(item, context), (name) => index.resolveName(name, from), missing)
  );
}

function linkItem(item: RichTextItemInput, context: LinkContext): RichTextItemInput {
  if (!("text" in item) || !item.text.link) return item;
  const url = linkedUrl(item.text.link.url, context);
  const { link: _, ...text } = item.text;
  return url === undefined ? { ...item, text } : { ...item, text: { ...text, link: { url } } };
}

/** The URL to write; undefined for a link inside the page or to nowhere. */
function linkedUrl(url: string, { index, from, report }: LinkContext): string | undefined {
  const target = index.resolveUrl(url, from);
  if (target !== undefined) return url.startsWith("#") ? undefined : targetUrl(target);
  if (isAbsolute(url)) return url;
  if (!url.startsWith("#")) report({ where: from, what: `no page or file "${url}"` });
  return undefined;
}

function linkMedia(type: string, body: BlockBody, context: LinkContext): BlockInput {
  const { external } = body;
  if (external === undefined) return makeBlock(type, body);
  const url = linkedUrl(external.url, context);
  if (url !== undefined) return makeBlock(type, { ...body, external: { url } });
  const caption = plainTextOf(body.caption ?? []);
  return plainParagraph([caption, external.url].filter((text) => text !== "").join(": "));
}

/** Exports write two spaces behind the box of a task. */
function withoutLeadingSpace(body: BlockBody): BlockBody {
  const [first, ...rest] = body.rich_text ?? [];
  if (first === undefined || !("text" in first)) return body;
  const text = { ...first.text, content: first.text.content.trimStart() };
  return { ...body, rich_text: [{ ...first, text }, ...rest] };
}

/** A text that has become too long goes on in paragraphs behind it. */
function fit(type: string, body: BlockBody): BlockInput[] {
  const { rich_text = [] } = body;
  if (rich_text.length <= MAX_ITEMS) return [makeBlock(type, body)];
  const more: BlockInput[] = [];
  for (let start = MAX_ITEMS; start < rich_text.length; start += MAX_ITEMS) {
    more.push({ paragraph: { rich_text: rich_text.slice(start, start + MAX_ITEMS) } });
  }
  return [makeBlock(type, { ...body, rich_text: rich_text.slice(0, MAX_ITEMS) }), ...more];
}

const CALLOUT = /^\[!([\w-]+)\]\s*/;
const ICONS: ReadonlyMap<string, string> = new Map([
  ["abstract", "📋"],
  ["bug", "🐛"],
  ["caution", "⚠️"],
  ["danger", "⚡"],
  ["error", "⚡"],
  ["example", "📑"],
  ["failure", "❌"],
  ["faq", "❓"],
  ["help", "❓"],
  ["important", "🔥"],
  ["info", "ℹ️"],
  ["note", "✏️"],
  ["question", "❓"],
  ["quote", "💬"],
  ["success", "✅"],
  ["tip", "💡"],
  ["todo", "☑️"],
  ["warning", "⚠️"],
]);

/** The callout that a quote of the form `[!type] title` stands for. */
function calloutOf({ rich_text = [], children }: BlockBody): BlockInput | undefined {
  const [first, ...rest] = rich_text;
  if (first === undefined || !("text" in first)) return undefined;
  const [mark, type = ""] = CALLOUT.exec(first.text.content) ?? [];
  if (mark === undefined) return undefined;
  const icon = ICONS.get(type.toLowerCase()) ?? "✏️";
  const title = first.text.content.slice(mark.length);
  const text = title === "" && rest.length === 0
    ? [{ text: { content: type.charAt(0).toUpperCase() + type.slice(1).toLowerCase() } }]
    : [{ ...first, text: { ...first.text, content: title } }, ...rest];
  return {
    callout: {
      rich_text: text.filter((item) => !("text" in item) || item.text.content !== ""),
      ...(isEmoji(icon) && { icon: { emoji: icon } }),
      ...(children && { children }),
    },
  };
}
