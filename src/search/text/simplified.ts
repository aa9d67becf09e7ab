/**
 * Replaces traditional Chinese characters by simplified ones, one by one (OpenCC's table).
 *
 * @module
 */
import table from "opencc-js/dict/TSCharacters";
import { lazy } from "../../shared/lazy.ts";

const HAN = /\p{Script=Han}/gu;
const HAS_HAN = /\p{Script=Han}/u;

const simple = lazy(readTable);

/** Returns the text with simplified characters; the second time it changes nothing. */
export function simplified(text: string): string {
  if (!HAS_HAN.test(text)) return text;
  const characters = simple();
  return text.replace(HAN, (character) => characters.get(character) ?? character);
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
