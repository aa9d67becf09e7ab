/**
 * Properties whose values are rich text.
 *
 * @module
 */
import { EMPTY, textCell } from "../../schema/cells.ts";
import { LIMITS } from "../../values/limits.ts";
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
} from "../../values/rich_text.ts";
import { propertyKind } from "../property_kind.ts";
import { whole } from "./collect.ts";
import { yamlText } from "./front_matter.ts";
import { NO_CONFIG } from "./no_config.ts";

/** The definition that a title and a rich text have in common. */
export const richTextKind = propertyKind({
  config: NO_CONFIG,
  input: richTextInput,
  output: richText,
  item: richTextItem,
  toStored: (given: RichTextInput) => given.length === 0 ? undefined : toRichText(given),
  issues: (given, _property, { pointer }) => richTextIssues(given, pointer),
  isSelfContained: true,
  toRead: (stored) => stored ?? [],
  emptyCell: EMPTY,
  cell,
  formula: { type: "text", value: plainText },
  collect: {
    parts: whole(collectedKey),
    cells: (read) => read.length === 0 ? [] : [cell(read)],
  },
  mentions: hasMentions,
  fromYaml: (value) => inPieces(yamlText(value)),
});

/** A mention counts as something, as its name is filled in later. */
function cell(richText: RichText) {
  const text = plainText(richText);
  return text === "" && !hasMentions(richText) ? EMPTY : textCell(text);
}

function collectedKey(richText: RichText): string {
  // The name of a mention may not be filled in yet.
  return hasMentions(richText) ? JSON.stringify(richText) : plainText(richText);
}

// A character has one or two UTF-16 code units.
const PIECE = new RegExp(`[^]{1,${LIMITS.textContent / 2}}`, "gu");

/**
 * The text as rich text, cut where one item would be too long, never inside a character; undefined
 * if there is no text.
 */
export function inPieces(text: string | undefined): RichTextInput | undefined {
  return text?.match(PIECE)?.map((content) => ({ text: { content } }));
}
