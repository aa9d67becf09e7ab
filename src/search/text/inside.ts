/**
 * Finds phrases wherever words of scripts without spaces are divided.
 *
 * @module
 */
import { extended, type Pattern, patternOf } from "../../shared/text_search.ts";
import type { Phrase } from "./query.ts";
import { isUnspaced } from "./segment.ts";

/** The place of a phrase in a spaced text. */
interface Inside {
  readonly start: number;
  readonly end: number;
}

interface WantedInside extends Pattern {
  readonly startsAnywhere: boolean;
  readonly endsAnywhere: boolean;
}

// One phrase is looked for in thousands of texts.
const wantedByPhrase = new WeakMap<Phrase, WantedInside>();

/**
 * Yields where a phrase is in a spaced text, however its words of scripts without spaces are
 * divided there. It begins and ends at characters, not at spaces.
 */
export function* findInside(words: string, phrase: Phrase): Generator<Inside> {
  const wanted = wantedByPhrase.get(phrase) ?? wantedInside(phrase);
  wantedByPhrase.set(phrase, wanted);
  const { length } = wanted.text;
  const opening = wanted.text.charAt(0);
  if (opening === "") return;
  const next = (from: number) => {
    const at = words.indexOf(opening, from);
    return at < 0 ? words.length : at;
  };
  // The places of the last code units that were compared: some spaces between them were not.
  const places = new Int32Array(length);
  let compared = 0;
  let matched = 0;
  for (let at = next(0); at < words.length; at = matched === 0 ? next(at + 1) : at + 1) {
    if (words.charAt(at) === " " && isWithinUnspaced(words, at)) continue;
    matched = extended(wanted, matched, words.charCodeAt(at));
    places[compared % length] = at;
    compared++;
    if (matched < length) continue;
    const [start, end] = [places[compared % length] ?? 0, at + 1];
    const isFound = (wanted.startsAnywhere || words.charAt(start - 1) === " ") &&
      (wanted.endsAnywhere || words.charAt(end) === " ");
    if (isFound) yield { start, end };
    matched = isFound ? 0 : wanted.borders[length - 1] ?? 0;
  }
}

function wantedInside({ terms, isPrefix }: Phrase): WantedInside {
  const spaced = terms.join(" ");
  const text = spaced.replaceAll(" ", (space, at) => isWithinUnspaced(spaced, at) ? "" : space);
  return {
    ...patternOf(text),
    startsAnywhere: isUnspaced(terms.at(0) ?? ""),
    endsAnywhere: isPrefix || isUnspaced(terms.at(-1) ?? ""),
  };
}

/** Returns whether a letter beside this space is of a script without spaces. */
function isWithinUnspaced(words: string, space: number): boolean {
  const start = LOW_SURROGATE.test(words.charAt(space - 1)) ? space - 2 : space - 1;
  const after = words.codePointAt(space + 1);
  return isUnspaced(words.slice(Math.max(0, start), space)) ||
    after !== undefined && isUnspaced(String.fromCodePoint(after));
}

const LOW_SURROGATE = /[\uDC00-\uDFFF]/;
