/**
 * Converts the inline content of mdast to rich text.
 *
 * @module
 */
import type { Definition, PhrasingContent } from "mdast";
import { color } from "../values/colors.ts";
import { LIMITS } from "../values/limits.ts";
import type { MentionInput } from "../values/mention.ts";
import type { RichTextItemInput } from "../values/rich_text.ts";
import { EMPTY_TEXT, matchTags, parseTag, type Tag } from "./html.ts";
import { mentionIn } from "./link_forms.ts";
import { joinItems } from "./rich_text_limits.ts";

/** The targets of references, by identifier. */
export type Definitions = ReadonlyMap<string, Pick<Definition, "url" | "title">>;

type Annotations = NonNullable<RichTextItemInput["annotations"]>;

interface Style {
  readonly annotations: Annotations;
  readonly url: string | undefined;
}

const PLAIN: Style = { annotations: {}, url: undefined };
const LINE_BREAK = /^<br ?\/?>$/i;

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
  const tags = content.map((node) => node.type === "html" ? parseTag(node.value) : undefined);
  const ends = matchTags(content.length, (index) => inlineTag(tags[index]));
  const items: RichTextItemInput[] = [];
  for (let index = 0; index < content.length; index++) {
    const node = content[index];
    const end = ends.get(index);
    const tag = tags[index];
    if (node === undefined) continue;
    if (end === undefined || tag === undefined) items.push(...itemsIn(node, context));
    else {
      items.push(...itemsOf(content.slice(index + 1, end), marked(context, tagged(tag))));
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
  return content === "" ? [] : [{
    text: { content, ...(url !== undefined && { link: { url } }) },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }];
}

function htmlItems(value: string, context: PhrasingContext): RichTextItemInput[] {
  if (value === EMPTY_TEXT) return [];
  return textItems(LINE_BREAK.test(value) ? "\n" : value.replaceAll("\n", " "), context);
}

function mathItems(value: string, context: PhrasingContext): RichTextItemInput[] {
  const expression = value.replaceAll("\n", " ");
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
  return [...itemsOf(children, context), ...textItems(` (${url})`, context)];
}

function imageItems(
  target: Target,
  alt: string | null | undefined,
  context: PhrasingContext,
): RichTextItemInput[] {
  const value = alt || target?.url || "";
  // An image inside a link keeps the link's target rather than its own URL.
  if (context.style.url !== undefined) return textItems(value, context);
  return linkItems(target && { url: target.url }, [{ type: "text", value }], context);
}

function mentionOf(url: string, title: string | null | undefined): MentionInput | undefined {
  const { kind, id = "" } = mentionIn(url, title) ?? {};
  if (kind === "user") return { user: { id } };
  if (kind === "page") return { page: { id } };
  return kind === "database" ? { database: { id } } : undefined;
}
