/**
 * Puts pages, databases and uploaded files in the place of the targets in blocks.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import type { RichTextInput, RichTextItemInput } from "../../../content/values/rich_text.ts";
import {
  type BlockBody,
  makeBlock,
  mapBlocks,
  type OpenBlock,
  openBlock,
  plainTextOf,
} from "../links/blocks.ts";
import { type LinkTarget, parseTarget } from "../links/target.ts";
import { baseOf, endingOf, stemOf } from "../source/names.ts";

/** A page or database on the server. */
export interface WrittenNode {
  readonly id: string;
  readonly kind: "page" | "database";
  readonly title: string;
  readonly url: string;
}

/** The written objects that link targets have become. */
export interface Written {
  node(key: string): WrittenNode | undefined;
  /** The ID of an upload. */
  file(path: string): string | undefined;
}

/** The targets in blocks. */
export function targetsIn(blocks: readonly BlockInput[]): LinkTarget[] {
  return [...urlsIn(blocks)].flatMap((url) => parseTarget(url) ?? []);
}

function* urlsIn(blocks: readonly BlockInput[]): Generator<string> {
  for (const block of blocks) {
    const { body } = openBlock(block);
    if (body.external !== undefined) yield body.external.url;
    for (const text of [body.rich_text ?? [], body.caption ?? [], ...body.cells ?? []]) {
      for (const item of text) if ("text" in item && item.text.link) yield item.text.link.url;
    }
    yield* urlsIn(body.children ?? []);
  }
}

/** Returns the blocks as they can be written. Links to what was not written become text. */
export function settleBlocks(blocks: readonly BlockInput[], written: Written): BlockInput[] {
  return mapBlocks(blocks, (block) => settleBlock(block, written));
}

/** Types whose files can be children. */
const TAKES_CHILDREN = new Set([
  ...["bulleted_list_item", "numbered_list_item", "to_do", "toggle", "quote", "callout"],
]);

function settleBlock({ type, body }: OpenBlock, written: Written): BlockInput[] {
  const alone = type === "paragraph" ? loneTarget(body) : undefined;
  if (alone !== undefined) return [loneBlock(alone, body, written)];
  if (body.external !== undefined) return [settleMedia(type, body, written)];
  const files = filesIn(body).flatMap((path) => fileBlock({ path, caption: [] }, written) ?? []);
  const settled = settleTexts(body, written);
  if (files.length === 0) return [makeBlock(type, settled)];
  if (TAKES_CHILDREN.has(type)) {
    return [makeBlock(type, { ...settled, children: [...files, ...settled.children ?? []] })];
  }
  // A row cannot have anything beside it in its table.
  return type === "table_row" ? [makeBlock(type, settled)] : [makeBlock(type, settled), ...files];
}

function settleTexts(body: BlockBody, written: Written): BlockBody {
  const { rich_text, caption, cells } = body;
  const settle = (text: RichTextInput) => text.map((item) => settleItem(item, written));
  return {
    ...body,
    ...(rich_text && { rich_text: settle(rich_text) }),
    ...(caption && { caption: settle(caption) }),
    ...(cells && { cells: cells.map(settle) }),
  };
}

function settleItem(item: RichTextItemInput, written: Written): RichTextItemInput {
  if (!("text" in item) || !item.text.link) return item;
  const target = parseTarget(item.text.link.url);
  if (target === undefined) return item;
  const { link: _, ...text } = item.text;
  const node = target.kind === "node" ? written.node(target.key) : undefined;
  if (node === undefined || target.kind !== "node") return { ...item, text };
  if (!names(text.content, target.key, node)) {
    return { ...item, text: { ...text, link: { url: node.url } } };
  }
  const { text: _text, ...rest } = item;
  return { ...rest, type: "mention", mention: mentionOf(node) };
}

/**
 * Returns whether a link shows the name of its target, so that it may as well show the present one.
 */
function names(content: string, key: string, { title }: WrittenNode): boolean {
  const text = baseOf(content.trim().toLowerCase());
  return text === title.trim().toLowerCase() || text === stemOf(key).toLowerCase();
}

function mentionOf({ id, kind }: WrittenNode) {
  return kind === "page" ? { page: { id } } : { database: { id } };
}

interface LoneTarget {
  readonly target: LinkTarget;
  readonly text: RichTextItemInput;
}

/** The target of a paragraph that is nothing but one link. */
export function loneTarget({ rich_text = [], children }: BlockBody): LoneTarget | undefined {
  const texts = rich_text.filter((item) => !("text" in item) || item.text.content.trim() !== "");
  const [text] = texts;
  if (texts.length !== 1 || children !== undefined || text === undefined || !("text" in text)) {
    return undefined;
  }
  const target = parseTarget(text.text.link?.url ?? "");
  return target && { target, text };
}

function loneBlock({ target, text }: LoneTarget, body: BlockBody, written: Written): BlockInput {
  if (target.kind === "file") {
    const caption = plainTextOf([text]).trim();
    const isName = caption === baseOf(target.path) || caption === stemOf(target.path);
    const file = fileBlock({
      path: target.path,
      caption: isName ? [] : [{ text: { content: caption } }],
    }, written);
    return file ?? makeBlock("paragraph", settleTexts(body, written));
  }
  const node = written.node(target.key);
  if (node === undefined) return makeBlock("paragraph", settleTexts(body, written));
  return {
    link_to_page: node.kind === "page" ? { page_id: node.id } : { database_id: node.id },
  };
}

function settleMedia(type: string, body: BlockBody, written: Written): BlockInput {
  const target = parseTarget(body.external?.url ?? "");
  if (target === undefined) return makeBlock(type, body);
  const caption = (body.caption ?? []).map((item) => settleItem(item, written));
  const block = target.kind === "file" && fileBlock({ path: target.path, caption }, written);
  return block || makeBlock("paragraph", { rich_text: caption });
}

/** The files that a text links to among other words. */
function filesIn({ rich_text = [] }: BlockBody): string[] {
  const paths = rich_text.flatMap((item) => {
    const target = "text" in item ? parseTarget(item.text.link?.url ?? "") : undefined;
    return target?.kind === "file" ? [target.path] : [];
  });
  return [...new Set(paths)];
}

/** The block of an uploaded file; undefined if it was not uploaded. */
export function fileBlock(
  { path, caption }: { readonly path: string; readonly caption: RichTextInput },
  written: Written,
): BlockInput | undefined {
  const id = written.file(path);
  if (id === undefined) return undefined;
  const file = { file_upload: { id }, ...(caption.length > 0 && { caption }) };
  switch (mediaOf(path)) {
    case "image":
      return { image: file };
    case "video":
      return { video: file };
    case "audio":
      return { audio: file };
    case "pdf":
      return { pdf: file };
    default:
      return { file: { ...file, name: baseOf(path) } };
  }
}

/** The media type of each ending that browsers show. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["svg", "image/svg+xml"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["heic", "image/heic"],
  ["ico", "image/vnd.microsoft.icon"],
  ["mp4", "video/mp4"],
  ["m4v", "video/mp4"],
  ["mov", "video/quicktime"],
  ["webm", "video/webm"],
  ["mkv", "video/x-matroska"],
  ["mp3", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["ogg", "audio/ogg"],
  ["wav", "audio/wav"],
  ["flac", "audio/flac"],
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["json", "application/json"],
  ["canvas", "application/json"],
  ["zip", "application/zip"],
]);

/** The media type of a file, by its ending. */
export function mediaTypeOf(path: string): string {
  return MEDIA_TYPES.get(endingOf(path)) ?? "application/octet-stream";
}

/** How a file is shown. */
export function mediaOf(path: string): "image" | "video" | "audio" | "pdf" | "file" {
  const type = mediaTypeOf(path);
  if (type === "application/pdf") return "pdf";
  const [kind] = type.split("/");
  return kind === "image" || kind === "video" || kind === "audio" ? kind : "file";
}
