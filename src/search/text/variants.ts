/**
 * Other ways to write the words of a text, by which they are found, too: `nodejs` of `node.js`,
 * `a4711` of `A-4711`, `1000000` of `1,000,000`, `user name` of `userName`, `csharp` of `C#`,
 * `mueller` of `Müller`, `1.2.3` of `v1.2.3`, `aujourdhui` of `aujourd'hui`.
 *
 * @module
 */
import { compoundTerm } from "./compounds.ts";
import { isContracted, withoutElision } from "./elisions.ts";
import { lazy } from "../../shared/lazy.ts";
import { normalized } from "../../shared/normalize.ts";
import { foldWord } from "./fold.ts";
import { isUnspaced, type TextRange } from "./segment.ts";

/** Terms in the place of a piece of text. */
export interface Variant extends TextRange {
  readonly terms: readonly string[];
  /** True if the piece means this alone: `C#` is not `C`. */
  readonly isName?: true;
}

const LETTER = String.raw`\p{L}\p{N}\p{M}`;
const JOINT = String.raw`[-.,'’_\u2010\u2011\u00A0\u2009\u202F]`;
/** Pieces that joints hold together, perhaps with the signs of a name such as `.NET` or `C++`. */
const WRITTEN = new RegExp(
  String
    .raw`(?<![${LETTER}.])\.?[${LETTER}]+(?:${JOINT}[${LETTER}]+)*(?:(?:\+\+?|#)(?![${LETTER}+#]))?`,
  "gu",
);
/** Without any of these, words are as they are. */
const REMARKABLE =
  /[-.,'’_\u2010\u2011\u00A0\u2009\u202F+#][\p{L}\p{N}]|\p{L}[+#]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[äöüøåÄÖÜØÅ]|\p{Lu}\p{Ll}{8}/u;

const NUMBER =
  /^(\d{1,3}(?:([.,'’_\u00A0\u2009\u202F])\d{2,3})(?:\2\d{2,3})*(?<=\2\d{3}))(?:[.,](\d+))?$/u;
/** Words that no joint makes one: a number in groups, or a name such as `.NET`. */
const NOT_JOINED = /^\.|[,\u00A0\u2009\u202F]/u;
const BETWEEN = /[-._'’\u2010\u2011]/u;
/** Numbers that would become another number: `3.14`, `10-12`. */
const BETWEEN_DIGITS = /\p{N}[-._'’\u2010\u2011]\p{N}/u;
/** A version number of at least two numbers: `v2` is not `2`. */
const VERSION = /^v(\d+\.\d.*)$/iu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const SIGNED = /^(.*\p{L})(\+\+?|#)$/u;
const DOTTED = /^\.(\p{L}[\p{L}\p{N}]*)$/u;

const SIGNS = new Map([["+", "plus"], ["++", "plusplus"], ["#", "sharp"]]);
const TWO_LETTERS = new Map(Object.entries({ ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" }));
const HAS_UMLAUT = /[äöüøå]/u;
const UMLAUTS = /[äöüøå]/gu;
/** Pieces of one word; more of them are an address or a list. */
const MOST_PIECES = 4;
const TERM_LENGTH = 64;
const PIECE = /[\p{L}\p{N}\p{M}]+/gu;
const NO_LETTER = /[^\p{L}\p{N}\p{M}]+/gu;
/** Common words of German, Danish, Norwegian and Swedish. */
const GERMANIC =
  /(?<!\p{L})(?:und|der|die|das|ist|nicht|mit|von|für|ein|og|ikke|det|av|af|som|och|att|för)(?!\p{L})/iu;
/** Characters of a text that may have none of them. */
const SHORT = 60;

/**
 * Returns the variants in a text, in order; of umlauts and compounds where the language may have
 * them. A question has those of umlauts always, and is no text that is found by the end of its
 * compounds. `isGerman` is asked only if it matters, because it looks through the whole text.
 */
export function variantsOf(
  text: string,
  isQuestion = false,
  isGerman = lazy(() => isQuestion || takesUmlauts(text)),
): Variant[] {
  if (!REMARKABLE.test(text)) return [];
  return [...text.matchAll(WRITTEN)].flatMap(({ 0: written, index: start }) => {
    if (!REMARKABLE.test(written) && !written.startsWith(".")) return [];
    if (isUnspaced(written)) return [];
    const whole = nameOf(written) ?? numberOf(written) ?? versionOf(written) ??
      joinedOf(withoutElision(written));
    const pieces = [...written.matchAll(PIECE)].flatMap(({ 0: piece, index }) => [
      ...variant(humpsOf(piece), start + index, piece),
      ...variant(isGerman() ? withTwoLetters(piece) : undefined, start + index, piece),
      ...variant(isGerman() && !isQuestion ? asCompound(piece) : undefined, start + index, piece),
    ]);
    return [...variant(whole, start, written), ...pieces];
  });
}

type Way = Pick<Variant, "terms" | "isName">;

function variant(way: Way | undefined, start: number, written: string): Variant[] {
  const terms = way?.terms.filter((term) => term !== "") ?? [];
  return terms.length === 0 ? [] : [{ ...way, terms, start, end: start + written.length }];
}

/**
 * Finnish, Turkish and others do not write umlauts with two letters; a short text may be a name.
 */
export function takesUmlauts(text: string): boolean {
  return text.length < SHORT || GERMANIC.test(text);
}

/** A name that ends or begins with a sign, in letters. */
function nameOf(written: string): Way | undefined {
  const [, letters = "", signs = ""] = SIGNED.exec(written) ?? [];
  const sign = SIGNS.get(signs);
  if (sign !== undefined) return { terms: [joined(letters) + sign], isName: true };
  const [, dotted] = DOTTED.exec(written) ?? [];
  return dotted === undefined ? undefined : { terms: [`dot${joined(dotted)}`], isName: true };
}

/** A number without the separators of its thousands; its fraction is a term of its own. */
function numberOf(written: string): Way | undefined {
  const [, whole, , fraction] = NUMBER.exec(written) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, "");
  return { terms: fraction === undefined ? [digits] : [digits, fraction] };
}

function versionOf(written: string): Way | undefined {
  const [, numbers] = VERSION.exec(written) ?? [];
  return numbers === undefined ? undefined : { terms: (numbers.match(PIECE) ?? []).map(joined) };
}

function joinedOf(written: string): Way | undefined {
  if (NOT_JOINED.test(written) || BETWEEN_DIGITS.test(written) || isContracted(written)) {
    return undefined;
  }
  const { length } = written.split(BETWEEN);
  if (length < 2 || length > MOST_PIECES) return undefined;
  return { terms: [joined(written)] };
}

function humpsOf(piece: string): Way | undefined {
  const humps = piece.split(HUMP);
  return humps.length < 2 ? undefined : { terms: humps.map(joined) };
}

function withTwoLetters(piece: string): Way | undefined {
  const word = normalized(piece, "NFC").toLowerCase();
  if (!HAS_UMLAUT.test(word)) return undefined;
  return { terms: [joined(word.replace(UMLAUTS, (letter) => TWO_LETTERS.get(letter) ?? letter))] };
}

function asCompound(piece: string): Way | undefined {
  const term = compoundTerm(piece, joined(piece));
  return term === undefined ? undefined : { terms: [term] };
}

/** The letters and digits as one term. */
function joined(written: string): string {
  return foldWord(written.replace(NO_LETTER, "")).replace(NO_LETTER, "").slice(0, TERM_LENGTH)
    .toWellFormed();
}
