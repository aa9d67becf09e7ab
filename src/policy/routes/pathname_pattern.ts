/**
 * Parses the pathname of a `URLPattern` (WHATWG URL Pattern, section 2).
 *
 * @module
 */
import { ANY_CHARACTER, characters, complement } from "./characters.ts";
import { EMPTY, type Expression, repeated, sequence } from "./expression.ts";
import { parseRegularExpression, PatternError } from "./regular_expression.ts";

/** A character of a segment. */
const SEGMENT: Expression = { kind: "character", set: complement(characters("/")) };
const NAMED = repeated(SEGMENT, 1, Infinity);
const WILDCARD = repeated({ kind: "character", set: ANY_CHARACTER }, 0, Infinity);

/** A pathname and how far it has been read. */
interface Reader {
  readonly text: string;
  at: number;
}

/** Parses a pathname as `URLPattern` prints it; throws `PatternError` for what cannot be judged. */
export function parsePathname(text: string): Expression {
  const reader = { text, at: 0 };
  const items: Expression[] = [];
  while (reader.at < text.length) items.push(readPart(reader, items));
  return sequence(...items);
}

/** Takes the slash before a group off the items if the group is repeated together with it. */
function readPart(reader: Reader, items: Expression[]): Expression {
  if (reader.text[reader.at] === "{") return readBraces(reader);
  const start = reader.at;
  const matcher = readMatcher(reader);
  if (matcher === undefined) return literal(readCharacter(reader));
  const modifier = readModifier(reader);
  if (modifier === "") return matcher;
  const hasPrefix = /(?:^|[^\\])\/$/.test(reader.text.slice(0, start));
  const prefix = hasPrefix ? items.pop() ?? EMPTY : EMPTY;
  return modified({ prefix, matcher, suffix: EMPTY }, modifier);
}

function readBraces(reader: Reader): Expression {
  reader.at++;
  const prefix = readLiterals(reader);
  const matcher = readMatcher(reader);
  const suffix = matcher === undefined ? EMPTY : readLiterals(reader);
  if (reader.text[reader.at] !== "}") throw new PatternError("Braces contain more than one group");
  reader.at++;
  return modified({ prefix, matcher, suffix }, readModifier(reader));
}

function readLiterals(reader: Reader): Expression {
  const found: Expression[] = [];
  const { text } = reader;
  while (reader.at < text.length && !/[{}:(*]/.test(text[reader.at] ?? "")) {
    found.push(literal(readCharacter(reader)));
  }
  return sequence(...found);
}

const NAME = /^:[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u;

function readMatcher(reader: Reader): Expression | undefined {
  if (reader.text[reader.at] === "*") {
    reader.at++;
    return WILDCARD;
  }
  const name = NAME.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += name.length;
  if (reader.text[reader.at] === "(") return readExpression(reader);
  return name === "" ? undefined : NAMED;
}

function readExpression(reader: Reader): Expression {
  const { text, at } = reader;
  reader.at = endOfGroup(text, at);
  return parseRegularExpression(text.slice(at + 1, reader.at - 1));
}

/** Returns where the regular expression ends that a parenthesis begins. */
function endOfGroup(text: string, begin: number): number {
  let depth = 0;
  let at = begin;
  do {
    if (text[at] === "\\") at++;
    else if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    at++;
  } while (depth > 0 && at < text.length);
  return at;
}

/** An escape, or a class with its members. */
const ATOM = /\\.|\[(?:\\.|[^\\\]])*\]/gs;
const MEMBERS: Readonly<Record<string, string>> = { "\\d": "0-9", "\\w": "A-Za-z0-9_" };
const CLASSES: Readonly<Record<string, string>> = {
  "\\d": "[0-9]",
  "\\D": "[^0-9]",
  "\\w": "[A-Za-z0-9_]",
  "\\W": "[^A-Za-z0-9_]",
};

/**
 * Returns a pathname that matches the same texts, without `\d` and `\w`, which mean ASCII: Deno compiles
 * them with all of Unicode to check them, and takes 3 ms for each repetition of each.
 */
export function withAsciiClasses(pathname: string): string {
  const parts: string[] = [];
  for (let at = 0; at < pathname.length;) {
    const isGroup = pathname[at] === "(";
    const end = isGroup ? endOfGroup(pathname, at) : at + (pathname[at] === "\\" ? 2 : 1);
    const part = pathname.slice(at, end);
    parts.push(
      isGroup ? part.replace(ATOM, (atom) => CLASSES[atom] ?? withAsciiMembers(atom)) : part,
    );
    at = end;
  }
  return parts.join("");
}

/** Classes in which `\d` or `\w` may be an end of a range, which is invalid: `[!-\d]`, `[\w-.]`. */
const IN_RANGE = /[^[^]-\\[dw]|\\[dw]-[^\]]/;

/** Members of a class in ASCII. One that may be invalid stays so: `[!-\d]` would become a range. */
function withAsciiMembers(part: string): string {
  if (!part.startsWith("[") || IN_RANGE.test(part)) return part;
  return part.replace(/\\./gs, (member) => MEMBERS[member] ?? member);
}

function readModifier(reader: Reader): string {
  const modifier = /^[?*+]/.exec(reader.text.slice(reader.at))?.[0] ?? "";
  reader.at += modifier.length;
  return modifier;
}

function readCharacter(reader: Reader): string {
  if (reader.text[reader.at] === "\\") reader.at++;
  return reader.text[reader.at++] ?? "";
}

function literal(sign: string): Expression {
  return { kind: "character", set: characters(sign) };
}

interface Group {
  readonly prefix: Expression;
  readonly matcher: Expression | undefined;
  readonly suffix: Expression;
}

function modified({ prefix, matcher = EMPTY, suffix }: Group, modifier: string): Expression {
  const whole = sequence(prefix, matcher, suffix);
  if (modifier === "") return whole;
  if (modifier === "?") return repeated(whole, 0, 1);
  return repeated(whole, modifier === "+" ? 1 : 0, Infinity);
}
