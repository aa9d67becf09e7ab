/**
 * Phrases of scripts without spaces that may begin and end within words of a text.
 *
 * @module
 */
import type { Phrase } from "./query.ts";
import { isUnspaced } from "./segment.ts";

const patterns = new WeakMap<Phrase, RegExp>();

/**
 * Returns the pattern that finds a phrase in a spaced text, wherever words of scripts without spaces are
 * divided. It begins and ends at characters, not at spaces.
 */
export function insidePattern(phrase: Phrase): RegExp {
  const known = patterns.get(phrase);
  if (known !== undefined) return known;
  const pattern = new RegExp(sourceOf(phrase), "gu");
  patterns.set(phrase, pattern);
  return pattern;
}

function sourceOf({ terms, isPrefix }: Phrase): string {
  const [first = "", last = ""] = [terms.at(0), terms.at(-1)];
  const words = terms.map((term, index) => {
    const before = terms[index - 1];
    const gap = before === undefined ? "" : isUnspaced(before) && isUnspaced(term) ? " ?" : " ";
    return gap + (isUnspaced(term) ? [...term].join(" ?") : term);
  });
  const end = isPrefix || isUnspaced(last) ? "" : "(?= )";
  return (isUnspaced(first) ? "" : "(?<= )") + words.join("") + end;
}
