/**
 * Text with styles, links and mentions.
 *
 * @module
 */
import { plainText, type RichText, toRichText } from "../../values/rich_text.ts";
import { texts } from "../shared/operators.ts";
import { inPieces, richTextKind } from "../shared/rich_text.ts";

export const richText = {
  ...richTextKind,
  conditions: { operators: texts, alsoNamed: ["text"] },
  texts: (stored: RichText) => [plainText(stored)],
  toText: plainText,
  fromText: (text: string) => toRichText(inPieces(text) ?? []),
};
