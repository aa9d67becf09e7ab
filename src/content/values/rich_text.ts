/**
 * Rich text: styled pieces of text, mentions and equations in order.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { part } from "../../shared/part_validator.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { color } from "./colors.ts";
import { dateIssues } from "./dates.ts";
import { LIMITS } from "./limits.ts";
import { mention, mentionInput, mentionText, toMention } from "./mention.ts";
import { byKey } from "./union.ts";
import { urlInput } from "./urls.ts";

const annotations = v.object({
  bold: v.boolean(),
  italic: v.boolean(),
  strikethrough: v.boolean(),
  underline: v.boolean(),
  code: v.boolean(),
  color,
});
export type Annotations = v.InferOutput<typeof annotations>;

const annotationsInput = v.strictObject({
  bold: v.exactOptional(v.boolean()),
  italic: v.exactOptional(v.boolean()),
  strikethrough: v.exactOptional(v.boolean()),
  underline: v.exactOptional(v.boolean()),
  code: v.exactOptional(v.boolean()),
  color: v.exactOptional(color),
});

/** The annotations of plain text. */
export const PLAIN: Annotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};

const ignored = "Ignored. It is derived from the other fields.";

const itemInput = {
  annotations: v.exactOptional(annotationsInput),
  plain_text: v.exactOptional(v.pipe(v.string(), v.description(ignored))),
  href: v.exactOptional(v.pipe(v.nullable(v.string()), v.description(ignored))),
};

const content = v.pipe(v.string(), v.maxLength(LIMITS.textContent));
const linkInput = v.strictObject({
  type: v.exactOptional(
    v.pipe(v.literal("url"), v.description("Accepted, because older clients send it.")),
  ),
  url: urlInput,
});
const equationInput = v.strictObject({
  expression: v.pipe(
    v.string(),
    v.maxLength(LIMITS.equation),
    v.description("Equation in KaTeX syntax."),
  ),
});

/** An item of rich text in a request. */
export const richTextItemInput = part(byKey({
  text: v.strictObject({
    type: v.exactOptional(v.literal("text")),
    text: v.strictObject({ content, link: v.exactOptional(v.nullable(linkInput)) }),
    ...itemInput,
  }),
  mention: v.strictObject({
    type: v.exactOptional(v.literal("mention")),
    mention: mentionInput,
    ...itemInput,
  }),
  equation: v.strictObject({
    type: v.exactOptional(v.literal("equation")),
    equation: equationInput,
    ...itemInput,
  }),
}));
component(
  richTextItemInput,
  "RichTextItemInput",
  "A run of text to write: exactly one of `text`, `mention` and `equation`. An item that you read from the API is accepted as it is.",
);
export type RichTextItemInput = v.InferOutput<typeof richTextItemInput>;

/** Rich text in a request. Items in the form of responses are accepted, too. */
export const richTextInput = v.pipe(v.array(richTextItemInput), v.maxLength(LIMITS.array));
export type RichTextInput = v.InferOutput<typeof richTextInput>;

const common = { annotations, plain_text: v.string(), href: v.nullable(v.string()) };

/** An item of rich text in responses. */
export const richTextItem = v.variant("type", [
  v.object({
    type: v.literal("text"),
    text: v.object({ content: v.string(), link: v.nullable(v.object({ url: v.string() })) }),
    ...common,
  }),
  v.object({ type: v.literal("mention"), mention, ...common }),
  v.object({
    type: v.literal("equation"),
    equation: v.object({ expression: v.string() }),
    ...common,
  }),
]);
component(
  richTextItem,
  "RichTextItem",
  "A run of text in one style: plain text, a mention or an equation.",
);
export type RichTextItem = v.InferOutput<typeof richTextItem>;

/** Rich text in responses. */
export const richText = v.array(richTextItem);
export type RichText = v.InferOutput<typeof richText>;

/** The stored form of valid rich text. */
export function toRichText(input: RichTextInput): RichText {
  return input.map(toItem);
}

/** The plain text; without the names of mentioned objects unless they are filled in. */
export function plainText(richText: RichText): string {
  return richText.map((item) => item.plain_text).join("");
}

/**
 * Returns whether it mentions users, pages or databases, whose names are filled in when it is read.
 */
export function hasMentions(richText: RichText): boolean {
  return richText.some((item) => item.type === "mention" && isNamed(item.mention.type));
}

/** Issues of mentioned dates, which the schema cannot find. */
export function richTextIssues(input: RichTextInput, pointer: string): ValidationIssue[] {
  return input.flatMap((item, index) => {
    if (!("mention" in item) || !("date" in item.mention)) return [];
    return dateIssues(item.mention.date, `${pointerTo(pointer, index)}/mention/date`);
  });
}

function toItem(input: RichTextItemInput): RichTextItem {
  const annotations = { ...PLAIN, ...input.annotations };
  if ("text" in input) return textItem(input.text, annotations);
  if ("equation" in input) return equationItem(input.equation.expression, annotations);
  const mention = toMention(input.mention);
  return { type: "mention", mention, annotations, plain_text: mentionText(mention), href: null };
}

interface TextInput {
  readonly content: string;
  readonly link?: { readonly url: string } | null;
}

function textItem({ content, link }: TextInput, annotations: Annotations): RichTextItem {
  const text = { content, link: link ? { url: link.url } : null };
  return { type: "text", text, annotations, plain_text: content, href: link?.url ?? null };
}

function equationItem(expression: string, annotations: Annotations): RichTextItem {
  const equation = { expression };
  return { type: "equation", equation, annotations, plain_text: expression, href: null };
}

function isNamed(type: string): boolean {
  return type === "user" || type === "page" || type === "database";
}
