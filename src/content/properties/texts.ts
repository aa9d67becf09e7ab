/**
 * Properties that are text: rich text, addresses, phone numbers.
 *
 * @module
 */
import * as v from "valibot";
import type { PropertyOf } from "../schema/property.ts";
import { LIMITS } from "../values/limits.ts";
import { type Cell, EMPTY } from "../schema/cells.ts";
import { fold, sortKey } from "../schema/collation.ts";
import {
  hasMentions,
  plainText,
  type RichText,
  richText,
  type RichTextInput,
  richTextInput,
  richTextIssues,
  richTextItem,
  toRichText,
} from "../values/rich_text.ts";
import type { PropertyKind } from "./property_type.ts";

/** The cell of a text. */
export function textCell(text: string): Cell {
  return { number: null, key: sortKey(text), text: fold(text) };
}

type RichTextKind = PropertyKind<
  PropertyOf<"title" | "rich_text">,
  RichTextInput,
  RichText,
  RichText
>;

/** A title stays one: it is never turned into another type. */
export const title: RichTextKind = {
  input: richTextInput,
  output: richText,
  item: richTextItem,
  emptyCell: EMPTY,
  keep: (given) => given.length === 0 ? undefined : toRichText(given),
  issues: (given, _property, { pointer }) => richTextIssues(given, pointer),
  answer: (kept) => kept ?? [],
  cells: (kept) => [isBlank(kept) ? EMPTY : textCell(plainText(kept))],
  mentions: hasMentions,
};

export const richTextProperty: RichTextKind = {
  ...title,
  toText: plainText,
  fromText: (text) => toRichText(pieces(text).map((content) => ({ text: { content } }))),
};

/** Whether it reads as nothing; a mention's name is not there yet, so it counts as something. */
function isBlank(richText: RichText): boolean {
  return plainText(richText) === "" && !hasMentions(richText);
}

// A character has one or two UTF-16 code units.
const PIECE = new RegExp(`[^]{1,${LIMITS.textContent / 2}}`, "gu");

/** The text cut where one item of rich text would be too long, never inside a character. */
function pieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}

type PlainTextKind = PropertyKind<
  PropertyOf<"url" | "email" | "phone_number">,
  string | null,
  string,
  string | null
>;

function plainTextKind(maxLength: number): PlainTextKind {
  const text = v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
  return {
    input: v.nullable(text),
    output: v.nullable(v.string()),
    emptyCell: EMPTY,
    keep: (given) => given ?? undefined,
    answer: (kept) => kept ?? null,
    cells: (kept) => [textCell(kept)],
    toText: (kept) => kept,
    fromText: (given) => v.is(text, given) ? given : undefined,
  };
}

export const url = plainTextKind(LIMITS.url);
export const email = plainTextKind(LIMITS.email);
export const phoneNumber = plainTextKind(LIMITS.phoneNumber);
