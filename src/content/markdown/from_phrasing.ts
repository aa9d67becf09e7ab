/**
 * Converts the inline content of mdast to rich text.
 *
 * @module
 */
import type { Definition, PhrasingContent } from "mdast";
import { LIMITS } from "../values/limits.ts";
import type { MentionInput } from "../values/mention.ts";
import type { RichTextItemInput } from "../values/rich_text.ts";
import { colorIn, parseElement } from "./enhanced/attributes.ts";
import { mentionOfElement } from "./enhanced/mentions.ts";
import { EMPTY_TEXT, matchTags, parseTag, type Tag } from "./html.ts";
import { withoutBackticks } from "./inline_math.ts";
import { mentionIn } from "./link_forms.ts";
import { joinItems } from "./rich_text_limits.ts";
import { countUrl } from "./url_limit.ts";

/** The targets of references, by identifier. */
export type Definitions = ReadonlyMap<string, Pick<Definition, "url" | "title">>;

type Annotations = NonNullable<RichTextItemInput["annotations"]>;

interface Style {
  readonly annotations: Annotations;
  readonly url: string | undefined;
}

const PLAIN: Style = { annotations: {}, url: undefined };
const LINE_BREAK = /^<br ?\/?>$/i;
/** The text of the link to an image that is inside a link. */
const IMAGE_LINK = " (image)";

/**
 * The rich text of inline content. Each item is within its limits; there may be more than 100
 * items.
 */
export function fromPhrasing(
  content: readonly PhrasingContent[],
  definitions: Definitions,
): RichTextItemInput[] {
  return joinItems(itemsOf(content, { style: PLAIN, definitions }));
}

interface PhrasingContext {
  readonly style: Style;
  readonly definitions: Definitions;
}

function itemsOf(
  content: readonly PhrasingContent[],
  context: PhrasingContext,
): RichTextItemInput[] {
  const tags = content.map((node) => node.type === "html" ? inlineTag(node.value) : undefined);
  const ends = matchTags(content.length, (index) => tags[index]);
  const items: RichTextItemInput[] = [];
  for (let index = 0; index < content.length; index++) {
    const node = content[index];
    const end = ends.get(index);
    const tag = tags[index];
    if (node === undefined) continue;
    if (end === undefined || tag === undefined) {
      items.push(...itemsIn(afterBreak(node, content[index - 1]), context));
    } else {
      items.push(...enclosedItems(tag, content.slice(index + 1, end), context));
      index = end;
    }
  }
  return items;
}

/** A text behind `<br>` without the line end between them, which would be a space. */
function afterBreak(node: PhrasingContent, previous: PhrasingContent | undefined): PhrasingContent {
  const isBehind = node.type === "text" && previous?.type === "html" &&
    LINE_BREAK.test(previous.value);
  return isBehind ? { ...node, value: node.value.replace(/^\n/, "") } : node;
}

/** The tag of a style or a mention; undefined for other HTML. */
function inlineTag(html: string): Tag | undefined {
  const tag = parseTag(html) ?? elementTag(html);
  if (tag?.name === "u" || tag?.name.startsWith("mention-")) return tag;
  if (tag?.name !== "span") return undefined;
  return tag.kind === "close" || Object.keys(tagged(tag)).length > 0 ? tag : undefined;
}

function elementTag(html: string): Tag | undefined {
  const element = parseElement(html);
  return element && { kind: element.kind, name: element.name, data: element.attributes };
}

/** Styles that a span may name, besides its color. */
const STYLES = ["bold", "italic", "strikethrough", "underline", "code"] as const;

function tagged({ name, data }: Tag): Annotations {
  if (name === "u") return { underline: true };
  const color = colorIn(data);
  const styles = STYLES.filter((style) => data.get(style) === "true");
  return {
    ...Object.fromEntries(styles.map((style) => [style, true])),
    ...(color !== undefined && { color }),
  };
}

function enclosedItems(
  tag: Tag,
  content: readonly PhrasingContent[],
  context: PhrasingContext,
): RichTextItemInput[] {
  if (!tag.name.startsWith("mention-")) return itemsOf(content, marked(context, tagged(tag)));
  const { annotations } = context.style;
  const mention = mentionOfElement(tag.name, tag.data);
  return mention === undefined ? itemsOf(content, context) : [mentionItem(mention, annotations)];
}

function mentionItem(mention: MentionInput, annotations: Annotations): RichTextItemInput {
  return { mention, ...(Object.keys(annotations).length > 0 && { annotations }) };
}

function itemsIn(node: PhrasingContent, context: PhrasingContext): RichTextItemInput[] {
  switch (node.type) {
    case "text":
      // A line end in the text is only a space; hard line breaks are nodes of their own.
      return textItems(node.value.replaceAll("\n", " "), context);
    case "break":
      return textItems("\n", context);
    case "html":
      return htmlItems(node.value, context);
    case "inlineCode":
      return textItems(node.value.replaceAll("\n", " "), marked(context, { code: true }));
    case "inlineMath":
      return mathItems(node.value, context);
    case "strong":
      return itemsOf(node.children, marked(context, { bold: true }));
    case "emphasis":
      return itemsOf(node.children, marked(context, { italic: true }));
    case "delete":
      return itemsOf(node.children, marked(context, { strikethrough: true }));
    case "link":
      return linkItems(node, node.children, context);
    case "linkReference":
      return linkItems(context.definitions.get(node.identifier), node.children, context);
    case "image":
      return imageItems(node, node.alt, context);
    case "imageReference":
      return imageItems(context.definitions.get(node.identifier), node.alt, context);
    case "footnoteReference":
      return textItems(`[^${node.label ?? node.identifier}]`, context);
  }
}

function marked({ style, definitions }: PhrasingContext, more: Annotations): PhrasingContext {
  return { style: { ...style, annotations: { ...style.annotations, ...more } }, definitions };
}

function textItems(
  content: string,
  { style: { annotations, url } }: PhrasingContext,
): RichTextItemInput[] {
  if (content === "") return [];
  if (url !== undefined) countUrl(url);
  return [{
    text: { content, ...(url !== undefined && { link: { url } }) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }];
}

function htmlItems(value: string, context: PhrasingContext): RichTextItemInput[] {
  if (value === EMPTY_TEXT) return [];
  const tag = elementTag(value);
  const mention = tag && mentionOfElement(tag.name, tag.data);
  if (mention !== undefined && tag?.kind === "whole") {
    return [mentionItem(mention, context.style.annotations)];
  }
  return textItems(LINE_BREAK.test(value) ? "\n" : value.replaceAll("\n", " "), context);
}

function mathItems(value: string, context: PhrasingContext): RichTextItemInput[] {
  const expression = withoutBackticks(value.replaceAll("\n", " "));
  // An expression that is too long for an equation stays text.
  if (expression.length > LIMITS.equation) return textItems(`$${expression}$`, context);
  const { annotations } = context.style;
  return [{
    equation: { expression },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }];
}

type Target = Pick<Definition, "url" | "title"> | undefined;

function linkItems(
  target: Target,
  children: readonly PhrasingContent[],
  context: PhrasingContext,
): RichTextItemInput[] {
  const url = target?.url ?? "";
  const mention = mentionOf(url, target?.title);
  if (mention !== undefined) {
    const [first] = itemsOf(children, context);
    return [{ mention, ...(first?.annotations && { annotations: first.annotations }) }];
  }
  const { annotations } = context.style;
  if (url.length <= LIMITS.url) {
    // A link without a target is only its text.
    const style = { annotations, url: url === "" ? undefined : url };
    return itemsOf(children, { ...context, style });
  }
  countUrl(url);
  return [...itemsOf(children, context), ...textItems(` (${url})`, context)];
}

function imageItems(
  target: Target,
  alt: string | null | undefined,
  context: PhrasingContext,
): RichTextItemInput[] {
  const value = alt || target?.url || "";
  if (!alt) countUrl(value);
  const { annotations, url } = context.style;
  if (url !== undefined) {
    // The text leads to the target of the link, and what follows it to the image.
    const own = target === undefined || target.url.length > LIMITS.url ? undefined : target.url;
    return [
      ...textItems(value, context),
      ...(own ? textItems(IMAGE_LINK, { ...context, style: { annotations, url: own } }) : []),
    ];
  }
  return linkItems(target && { url: target.url }, [{ type: "text", value }], context);
}

function mentionOf(url: string, title: string | null | undefined): MentionInput | undefined {
  const { kind, id = "" } = mentionIn(url, title) ?? {};
  if (kind === "user") return { user: { id } };
  if (kind === "page") return { page: { id } };
  return kind === "database" ? { database: { id } } : undefined;
}
