/**
 * Strict JSON (RFC 8259, I-JSON RFC 7493): input that two parsers could read differently, or that
 * cannot be represented exactly, is rejected.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { atOnce, yieldToEventLoop } from "../shared/yield_to_event_loop.ts";
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
export async function parseLargeJson(bytes: Uint8Array): Promise<unknown> {
  const steps = parseSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}

/** Parses a body in steps of a few milliseconds each. */
function* parseSteps(bytes: Uint8Array): Generator<void, unknown> {
  const text = decodeUtf8(bytes);
  // Before parsing, because the parser's time and stack grow with the depth.
  checkDepth(text);
  yield;
  const value = parse(text);
  yield;
  yield* checkTokens(text);
  return value;
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid("bad syntax", cause);
  }
}

/** Characters whose tokens are checked in one step. */
const STEP = 50_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

// Not a pattern: on text that is not parsed yet, it could be made to backtrack at every quote.
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString && char === BACKSLASH) i++;
    else if (char === QUOTE) inString = !inString;
    else if (!inString) depth += nesting(char);
    if (depth > LIMITS.jsonDepth) throw invalid(`deeper than ${LIMITS.jsonDepth} levels`);
  }
}

function nesting(char: number): number {
  if (char === 0x7b || char === 0x5b) return 1;
  return char === 0x7d || char === 0x5d ? -1 : 0;
}

// Each match is one token: a string, a bracket, a colon, or a number.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;

/** INVARIANT: the text is valid JSON, so a string before a colon is a name. */
function* checkTokens(text: string): Generator<void, void> {
  const names: Set<string>[] = [];
  let last = "";
  let step = STEP;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (index > step) {
      step = index + STEP;
      yield;
    }
    if (token === "{" || token === "[") names.push(new Set());
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") addName(names.at(-1), last);
    else if (token.startsWith('"')) checkString(token);
    else checkNumber(token);
    last = token;
  }
}

function addName(names: Set<string> | undefined, token: string): void {
  const name: string = token.includes("\\") ? JSON.parse(token) : token.slice(1, -1);
  if (names?.has(name)) throw invalid(`duplicate name ${JSON.stringify(name.slice(0, 55))}`);
  names?.add(name);
  if (names !== undefined && names.size > LIMITS.jsonNames) {
    throw invalid(`more than ${LIMITS.jsonNames} names in one object`);
  }
}

function checkString(token: string): void {
  if (!token.includes("\\u")) return;
  const text: string = JSON.parse(token);
  if (!text.isWellFormed()) throw invalid("lone surrogate");
  if (text.includes("\0")) throw invalid("NUL character");
}

function checkNumber(token: string): void {
  const value = Number(token);
  if (!Number.isFinite(value)) throw invalid(`number out of range: ${token.slice(0, 55)}`);
  if (
    Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(token) &&
    !isRepresentable(token, value)
  ) {
    throw invalid(`integer not exact in a double: ${token.slice(0, 55)}`);
  }
}

/**
 * Returns whether the double equals this integer or prints as it, so that clients can send back
 * what they got.
 */
function isRepresentable(token: string, value: number): boolean {
  return String(value) === token || BigInt(value) === BigInt(token);
}
