/**
 * Inline content of mdast as rich text.
 *
 * @module
 */
import type { Definition, PhrasingContent } from "mdast";
import { color } from "../values/colors.ts";
import { LIMITS } from "../values/limits.ts";
import type { MentionInput } from "../values/mention.ts";
import type { RichTextItemInput } from "../values/rich_text.ts";
import { matchTags, NOTHING, parseTag, type Tag } from "./html.ts";
import { MENTION } from "./link_forms.ts";
import { joined } from "./runs.ts";

/** What references lead to, by identifier. */
export type Definitions = ReadonlyMap<string, Pick<Definition, "url" | "title">>;

type Annotations = NonNullable<RichTextItemInput["annotations"]>;

interface Style {
  readonly annotations: Annotations;
  readonly url: string | undefined;
}

const PLAIN: Style = { annotations: {}, url: undefined };
const MENTIONED = /\/v2\/(users|pages|databases)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LINE_BREAK = /^<br ?\/?>$/i;

/** The rich text of inline content, each item within its bounds; there may be more than 100. */
export function fromPhrasing(
  content: readonly PhrasingContent[],
  definitions: Definitions,
): RichTextItemInput[] {
  return joined(itemsOf(content, { style: PLAIN, definitions }));
}

interface Reading {
  readonly style: Style;
  readonly definitions: Definitions;
}

function itemsOf(content: readonly PhrasingContent[], reading: Reading): RichTextItemInput[] {
  const tags = content.map((node) => node.type === "html" ? parseTag(node.value) : undefined);
  const ends = matchTags(content.length, (index) => inlineTag(tags[index]));
  const items: RichTextItemInput[] = [];
  for (let index = 0; index < content.length; index++) {
    const node = content[index];
    const end = ends.get(index);
    const tag = tags[index];
    if (node === undefined) continue;
    if (end === undefined || tag === undefined) items.push(...itemsIn(node, reading));
    else {
      items.push(...itemsOf(content.slice(index + 1, end), marked(reading, tagged(tag))));
      index = end;
    }
  }
  return items;
}

function inlineTag(tag: Tag | undefined): Tag | undefined {
  if (tag?.name === "u") return tag;
  return tag?.name === "span" && (tag.kind === "close" || tagged(tag).color) ? tag : undefined;
}

function tagged({ name, data }: Tag): Annotations {
  if (name === "u") return { underline: true };
  const shade = color.options.find((one) => one === data.get("color"));
  return shade === undefined ? {} : { color: shade };
}

function itemsIn(node: PhrasingContent, reading: Reading): RichTextItemInput[] {
  switch (node.type) {
    case "text":
      // A line end is no more than a space, one that is meant is a break.
      return textItems(node.value.replaceAll("\n", " "), reading);
    case "break":
      return textItems("\n", reading);
    case "html":
      return htmlItems(node.value, reading);
    case "inlineCode":
      return textItems(node.value.replaceAll("\n", " "), marked(reading, { code: true }));
    case "inlineMath":
      return mathItems(node.value, reading);
    case "strong":
      return itemsOf(node.children, marked(reading, { bold: true }));
    case "emphasis":
      return itemsOf(node.children, marked(reading, { italic: true }));
    case "delete":
      return itemsOf(node.children, marked(reading, { strikethrough: true }));
    case "link":
      return linkItems(node, node.children, reading);
    case "linkReference":
      return linkItems(reading.definitions.get(node.identifier), node.children, reading);
    case "image":
      return imageItems(node, node.alt, reading);
    case "imageReference":
      return imageItems(reading.definitions.get(node.identifier), node.alt, reading);
    case "footnoteReference":
      return textItems(`[^${node.label ?? node.identifier}]`, reading);
  }
}

function marked({ style, definitions }: Reading, more: Annotations): Reading {
  return { style: { ...style, annotations: { ...style.annotations, ...more } }, definitions };
}

function textItems(content: string, { style: { annotations, url } }: Reading): RichTextItemInput[] {
  return content === "" ? [] : [{
    text: { content, ...(url !== undefined && { link: { url } }) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }];
}

function htmlItems(value: string, reading: Reading): RichTextItemInput[] {
  if (value === NOTHING) return [];
  return textItems(LINE_BREAK.test(value) ? "\n" : value.replaceAll("\n", " "), reading);
}

function mathItems(value: string, reading: Reading): RichTextItemInput[] {
  const expression = value.replaceAll("\n", " ");
  // What is too long for a formula stays as the text that it is.
  if (expression.length > LIMITS.equation) return textItems(`$${expression}$`, reading);
  const { annotations } = reading.style;
  return [{
    equation: { expression },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }];
}

type Target = Pick<Definition, "url" | "title"> | undefined;

function linkItems(
  target: Target,
  children: readonly PhrasingContent[],
  reading: Reading,
): RichTextItemInput[] {
  const url = target?.url ?? "";
  const mention = target?.title === MENTION ? mentionOf(url) : undefined;
  if (mention !== undefined) {
    const [first] = itemsOf(children, reading);
    return [{ mention, ...(first?.annotations && { annotations: first.annotations }) }];
  }
  const { annotations } = reading.style;
  if (url.length <= LIMITS.url) {
    // A link to nowhere is its text.
    const style = { annotations, url: url === "" ? undefined : url };
    return itemsOf(children, { ...reading, style });
  }
  return [...itemsOf(children, reading), ...textItems(` (${url})`, reading)];
}

function imageItems(
  target: Target,
  alt: string | null | undefined,
  reading: Reading,
): RichTextItemInput[] {
  const value = alt || target?.url || "";
  // What the image itself is linked to matters more than where the image lies.
  if (reading.style.url !== undefined) return textItems(value, reading);
  return linkItems(target && { url: target.url }, [{ type: "text", value }], reading);
}

function mentionOf(url: string): MentionInput | undefined {
  const [, kind, id = ""] = MENTIONED.exec(url) ?? [];
  if (kind === "users") return { user: { id } };
  if (kind === "pages") return { page: { id } };
  return kind === "databases" ? { database: { id } } : undefined;
}
