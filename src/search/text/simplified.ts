/**
 * Replaces traditional Chinese characters by simplified ones, one by one (OpenCC's table).
 *
 * @module
 */
import table from "opencc-js/dict/TSCharacters";
import { lazy } from "../../shared/lazy.ts";

const HAS_HAN = /\p{Script=Han}/u;

const simplifiedBy = lazy(readTable);

/** Returns the text with simplified characters; the second time it changes nothing. */
export function simplified(text: string): string {
  if (!HAS_HAN.test(text)) return text;
  const characters = simplifiedBy();
  let simple = "";
  for (const character of text) simple += characters.get(character) ?? character;
  return simple;
}

/** Reads `traditional simplified|…`; of several simplified characters the first is the usual one. */
function readTable(): ReadonlyMap<string, string> {
  const pairs = String(table).split("|").map((pair) => pair.split(" "));
  const direct = new Map(pairs.map(([from = "", to = ""]) => [from, to]));
  const end = (character: string): string => {
    const next = direct.get(character);
    return next === undefined || next === character ? character : end(next);
  };
  return new Map([...direct.keys()].map((character) => [character, end(character)]));
}
