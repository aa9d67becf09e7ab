/**
 * Plurals that stemmers tell from their singulars, or whose beginnings differ: `leaf` and `leaves`,
 * `luz` and `luces`, `journal` and `journaux`.
 *
 * @module
 */

/** Endings of one word, folded: of the singular and of its plurals. */
type Endings = readonly [singular: string, ...plurals: string[]];

const ENDINGS = new Map<string, readonly Endings[]>(Object.entries({
  en: [
    ["f", "ves"],
    ["fe", "ves"],
    ["sis", "ses"],
    ["man", "men"],
    ["child", "children"],
    ["foot", "feet"],
    ["goose", "geese"],
    ["mouse", "mice"],
    ["tooth", "teeth"],
  ],
  es: [["z", "ces"]],
  fr: [["al", "aux"], ["ail", "aux"]],
  nl: [["s", "zen"], ["f", "ven"]],
  pt: [
    ["ao", "oes", "aes", "aos"],
    ["al", "ais"],
    ["el", "eis"],
    ["il", "is", "eis"],
    ["ol", "ois"],
    ["ul", "uis"],
    ["em", "ens"],
    ["im", "ins"],
    ["om", "ons"],
    ["um", "uns"],
  ],
}));
/** Letters before an ending, at least, unless the ending is a word. */
const FEWEST_BEFORE = 2;
const LONG = 4;

/** Returns how a folded word may be written in the other number; none for most words. */
export function otherNumbers(word: string, language: string): string[] {
  const found = (ENDINGS.get(language) ?? []).flatMap(([singular, ...plurals]) => [
    ...plurals.flatMap((plural) => replaced(word, singular, plural)),
    ...plurals.flatMap((plural) => replaced(word, plural, singular)),
  ]);
  return [...new Set(found)];
}

function replaced(word: string, ending: string, other: string): string[] {
  const before = word.length - ending.length;
  const isEnough = before >= FEWEST_BEFORE || before === 0 && ending.length >= LONG;
  return isEnough && word.endsWith(ending) ? [word.slice(0, before) + other] : [];
}
