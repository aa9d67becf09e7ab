/**
 * Parses the regular expressions in patterns, as far as their cost and what they match is known.
 *
 * @module
 */
import {
  ANY_CHARACTER,
  characters,
  type CharacterSet,
  complement,
  NO_CHARACTER,
  range,
} from "./characters.ts";
import { choice, type Expression, repeated, sequence } from "./expression.ts";

/** A pattern is invalid, or means more than these tools can judge. */
export class PatternError extends Error {}

/** Repetitions that are counted, such as `{36}`, are written out up to this number. */
const MAX_REPETITIONS = 64;

const DIGITS = range("0", "9");
const WORD = DIGITS + range("a", "z") + range("A", "Z") + "_";
const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: characters(DIGITS),
  D: complement(characters(DIGITS)),
  w: characters(WORD),
  W: complement(characters(WORD)),
  s: NO_CHARACTER,
  S: ANY_CHARACTER,
};

/** A text and how far it has been read. */
interface Reader {
  readonly text: string;
  at: number;
}

/** Parses a regular expression; throws `PatternError` for constructs other than those of the message. */
export function parseRegularExpression(text: string): Expression {
  const reader = { text, at: 0 };
  const expression = readChoice(reader);
  if (reader.at < text.length) throw unsupported(reader);
  return expression;
}

function readChoice(reader: Reader): Expression {
  const first = readSequence(reader);
  const items = [first];
  while (reader.text[reader.at] === "|") {
    reader.at++;
    items.push(readSequence(reader));
  }
  return items.length === 1 ? first : choice(...items);
}

function readSequence(reader: Reader): Expression {
  const items: Expression[] = [];
  while (reader.at < reader.text.length && !/[|)]/.test(reader.text[reader.at] ?? "")) {
    items.push(readQuantified(reader));
  }
  return sequence(...items);
}

function readQuantified(reader: Reader): Expression {
  const item = readItem(reader);
  const quantifier = /^(?:[?*+]|\{\d+(?:,\d*)?\})/.exec(reader.text.slice(reader.at))?.[0];
  if (quantifier === undefined) return item;
  reader.at += quantifier.length;
  // A lazy quantifier matches the same texts.
  if (reader.text[reader.at] === "?") reader.at++;
  const [least, most] = boundsOf(quantifier);
  if (least > MAX_REPETITIONS || (most !== Infinity && most > MAX_REPETITIONS)) {
    throw new PatternError(`${quantifier} repeats more than ${MAX_REPETITIONS} times`);
  }
  return repeated(item, least, most);
}

function readItem(reader: Reader): Expression {
  const sign = reader.text[reader.at] ?? "";
  if (sign === "(") return readGroup(reader);
  if (sign === "[") return { kind: "character", set: readClass(reader) };
  if (sign === "\\") return { kind: "character", set: readEscape(reader) };
  if (/[\^$?*+{}\]]/.test(sign)) throw unsupported(reader);
  reader.at++;
  return { kind: "character", set: sign === "." ? ANY_CHARACTER : characters(sign) };
}

function readGroup(reader: Reader): Expression {
  if (!reader.text.startsWith("(?:", reader.at)) throw unsupported(reader);
  reader.at += 3;
  const inner = readChoice(reader);
  if (reader.text[reader.at] !== ")") throw unsupported(reader);
  reader.at++;
  return inner;
}

function readEscape(reader: Reader): CharacterSet {
  const sign = reader.text[reader.at + 1] ?? "";
  if (CLASSES[sign] === undefined && /\w/.test(sign)) throw unsupported(reader);
  reader.at += 2;
  return CLASSES[sign] ?? characters(sign);
}

function readClass(reader: Reader): CharacterSet {
  const { text } = reader;
  const isNegated = text[reader.at + 1] === "^";
  reader.at += isNegated ? 2 : 1;
  let set = NO_CHARACTER;
  while (reader.at < text.length && text[reader.at] !== "]") set |= readMember(reader);
  if (text[reader.at] !== "]") throw unsupported(reader);
  reader.at++;
  return isNegated ? complement(set) : set;
}

function readMember(reader: Reader): CharacterSet {
  const { text, at } = reader;
  const sign = text[at] ?? "";
  if (sign === "[" || text.startsWith("&&", at) || text.startsWith("--", at)) {
    throw unsupported(reader);
  }
  if (sign === "\\") return readEscape(reader);
  const last = text[at + 2];
  const isRange = text[at + 1] === "-" && last !== undefined && last !== "]" && last !== "\\";
  reader.at += isRange ? 3 : 1;
  return characters(isRange ? range(sign, last) : sign);
}

function boundsOf(quantifier: string): [least: number, most: number] {
  if (quantifier === "?") return [0, 1];
  if (quantifier === "*") return [0, Infinity];
  if (quantifier === "+") return [1, Infinity];
  const [least = "0", most] = quantifier.slice(1, -1).split(",");
  if (most === undefined) return [Number(least), Number(least)];
  return [Number(least), most === "" ? Infinity : Number(most)];
}

function unsupported({ text, at }: Reader): PatternError {
  return new PatternError(
    `The regular expression at ${
      JSON.stringify(text.slice(at, at + 20))
    } is not supported: it can ` +
      "have characters, classes such as [a-z] and \\d, (?:…), | and quantifiers",
  );
}
