/**
 * Strict JSON (RFC 8259, I-JSON RFC 7493): input that two parsers could read differently, or that
 * cannot be represented exactly, is rejected.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { atOnce, createRest, withRests } from "../shared/yield_to_event_loop.ts";
import { LIMITS } from "./request.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a body. Throws `invalid_json` for bad UTF-8, a byte order mark, bad syntax, deep nesting,
 * duplicate or too many names, lone surrogates, NUL, numbers out of range, and integers that a
 * double cannot represent.
 */
export function parseJson(bytes: Uint8Array): unknown {
  return atOnce(parseSteps(bytes));
}

/** Like `parseJson()`, but other requests run between its steps. */
export function parseLargeJson(bytes: Uint8Array): Promise<unknown> {
  return withRests(parseSteps(bytes), createRest());
}

/** Characters that are parsed in one step. */
const STEP = 5_000;

/** An array or object that has begun. */
type Container =
  | { readonly end: typeof CLOSE_ARRAY; readonly value: unknown[] }
  | {
    readonly end: typeof CLOSE_OBJECT;
    readonly value: Record<string, unknown>;
    size: number;
    /** The name of the member whose value comes next. */
    name: string;
  };

/**
 * Parses a body in steps of up to a few milliseconds. `JSON.parse()` cannot pause, and takes up to a
 * tenth of a second for a megabyte of objects that differ in their names.
 */
function* parseSteps(bytes: Uint8Array): Generator<void, unknown> {
  const reader = createReader(decodeUtf8(bytes));
  const open: Container[] = [];
  for (let step = STEP;;) {
    if (reader.at() > step) {
      step = reader.at() + STEP;
      yield;
    }
    const begun = beginContainer(reader, open.length);
    if (begun !== undefined && !reader.take(begun.end)) {
      open.push(begun);
      readName(reader, begun);
      continue;
    }
    let value = begun === undefined ? reader.scalar() : begun.value;
    let parent = open.at(-1);
    for (; parent !== undefined && !addValue(reader, parent, value); parent = open.at(-1)) {
      value = parent.value;
      open.pop();
    }
    if (parent === undefined) {
      reader.expectEnd();
      return value;
    }
    readName(reader, parent);
  }
}

function beginContainer(reader: Reader, depth: number): Container | undefined {
  const isArray = reader.take(OPEN_ARRAY);
  if (!isArray && !reader.take(OPEN_OBJECT)) return undefined;
  if (depth === LIMITS.jsonDepth) throw invalid(`deeper than ${LIMITS.jsonDepth} levels`);
  return isArray
    ? { end: CLOSE_ARRAY, value: [] }
    : { end: CLOSE_OBJECT, value: {}, size: 0, name: "" };
}

/** Returns true if another value follows in the container, and false behind its end. */
function addValue(reader: Reader, parent: Container, value: unknown): boolean {
  if (parent.end === CLOSE_ARRAY) parent.value.push(value);
  else setMember(parent.value, parent.name, value);
  if (reader.take(COMMA)) return true;
  reader.expect(parent.end);
  return false;
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else {
    // An assignment would set the prototype.
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

/** Reads the name of the next member; does nothing in an array. */
function readName(reader: Reader, container: Container): void {
  if (container.end === CLOSE_ARRAY) return;
  const name = reader.string();
  reader.expect(COLON);
  if (Object.hasOwn(container.value, name)) {
    throw invalid(`duplicate name ${JSON.stringify(name.slice(0, 55))}`);
  }
  if (++container.size > LIMITS.jsonNames) {
    throw invalid(`more than ${LIMITS.jsonNames} names in one object`);
  }
  container.name = name;
}

function invalid(detail: string, cause?: unknown): AppError {
  return new AppError("invalid_json", `Error parsing JSON body: ${detail}`, { cause });
}

function decodeUtf8(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw invalid("not UTF-8", cause);
  }
  if (text.startsWith("\ufeff")) throw invalid("byte order mark");
  return text;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = [["true", true], ["false", false], ["null", null]] as const;

/** Reads the tokens of a text, with white space before them. All but `at` and `take` throw. */
interface Reader {
  at(): number;
  /** Passes a character if it is the next one. */
  take(char: number): boolean;
  expect(char: number): void;
  expectEnd(): void;
  string(): string;
  /** A string, number, boolean or null. */
  scalar(): unknown;
}

function createReader(text: string): Reader {
  let at = 0;
  const peek = (): number => {
    let char = text.charCodeAt(at);
    while (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09) {
      char = text.charCodeAt(++at);
    }
    return char;
  };
  const take = (char: number): boolean => {
    if (peek() !== char) return false;
    at++;
    return true;
  };
  const expect = (char: number): void => {
    if (!take(char)) throw badSyntax();
  };
  const string = (): string => {
    if (peek() !== QUOTE) throw badSyntax();
    const start = at;
    at = endOfString(text, start);
    return readString(text.slice(start, at));
  };
  const number = (): number => {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) throw badSyntax();
    const token = text.slice(at, NUMBER.lastIndex);
    at = NUMBER.lastIndex;
    return readNumber(token);
  };
  const scalar = (): unknown => {
    if (peek() === QUOTE) return string();
    const literal = LITERALS.find(([token]) => text.startsWith(token, at));
    if (literal === undefined) return number();
    at += literal[0].length;
    return literal[1];
  };
  const expectEnd = (): void => {
    if (!Number.isNaN(peek())) throw badSyntax();
  };
  return { at: () => at, take, expect, expectEnd, string, scalar };
}

/** The index behind the quote that ends the string that starts here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1;; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
    else if (!(char >= 0x20)) throw badSyntax();
  }
}

function badSyntax(cause?: unknown): AppError {
  return invalid("bad syntax", cause);
}

/** Reads a string with its quotes. Not a part of the text, which would keep all of it in memory. */
function readString(token: string): string {
  const value = unescape(token);
  if (!token.includes("\\u")) return value;
  if (!value.isWellFormed()) throw invalid("lone surrogate");
  if (value.includes("\0")) throw invalid("NUL character");
  return value;
}

function unescape(token: string): string {
  try {
    return JSON.parse(token);
  } catch (cause) {
    throw badSyntax(cause);
  }
}

function readNumber(token: string): number {
  const value = Number(token);
  if (!Number.isFinite(value)) throw invalid(`number out of range: ${token.slice(0, 55)}`);
  if (
    Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(token) &&
    !isRepresentable(token, value)
  ) {
    throw invalid(`integer not exact in a double: ${token.slice(0, 55)}`);
  }
  return value;
}

/**
 * Returns whether the double equals this integer or prints as it, so that clients can send back
 * what they got.
 */
function isRepresentable(token: string, value: number): boolean {
  return String(value) === token || BigInt(value) === BigInt(token);
}
