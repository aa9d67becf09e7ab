/**
 * JSON texts that contain other JSON texts, which are neither parsed nor joined if they are long.
 *
 * @module
 */
import { joinTexts, piecesOf, type Text, textOf } from "./long_text.ts";

/** Returns the list of these values. */
export function listText(values: readonly Text[]): Text {
  return joinTexts(["[", itemsText(values), "]"]);
}

/** Returns these values as they are between the brackets of a list. */
export function itemsText(values: readonly Text[]): Text {
  return joinTexts(values.flatMap((value, index) => index === 0 ? [value] : [",", value]));
}

/** Returns an object, which has members, with one member more. */
export function withMember(object: Text, name: string, value: Text): Text {
  const pieces = piecesOf(object);
  const open = textOf(pieces.with(-1, pieces.at(-1)?.slice(0, -1) ?? ""));
  return joinTexts([open, `,${JSON.stringify(name)}:`, value, "}"]);
}
