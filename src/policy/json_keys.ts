/**
 * Faults that `JSON.parse` does not report: duplicate member names, which it silently merges, and
 * values that are nested so deeply that recursive functions run out of stack.
 *
 * @module
 */

/** An object or array that has begun and not yet ended. */
interface Level {
  /** Names so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** The current name or index. */
  key: string | number;
  expectsName: boolean;
}

/** No file of a policy needs more levels of objects and arrays. */
const MAX_DEPTH = 32;

/** Returns the paths of members that repeat a name of their object. The text must be valid JSON. */
export function findDuplicateKeys(text: string): string[][] {
  const levels: Level[] = [];
  const duplicates: string[][] = [];
  for (const { start, end } of tokensOf(text)) {
    const level = levels.at(-1);
    const token = text[start];
    if (token === "{") levels.push({ names: new Set(), key: "", expectsName: true });
    else if (token === "[") levels.push({ names: undefined, key: 0, expectsName: false });
    else if (token === "}" || token === "]") levels.pop();
    else if (level !== undefined && token === ",") startNext(level);
    else if (level?.expectsName && isDuplicate(level, text.slice(start, end))) {
      duplicates.push(pathOf(levels));
    }
  }
  return duplicates;
}

/**
 * Returns why a JSON text cannot be used although it is valid: it is nested too deeply. Undefined
 * if it can be used.
 */
export function findDepthIssue(text: string): string | undefined {
  let depth = 0;
  for (const { start } of tokensOf(text)) {
    const token = text[start];
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) return `Values are nested more than ${MAX_DEPTH} levels deep`;
  }
  return undefined;
}

interface Token {
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the strings, brackets and commas of a JSON text. A regular expression for whole strings
 * would run out of stack on one of some megabytes.
 */
function* tokensOf(text: string): Generator<Token> {
  const mark = /["{}[\],]/g;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const start = match.index;
    if (match[0] === '"') mark.lastIndex = endOfString(text, start);
    yield { start, end: mark.lastIndex };
  }
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

/** A character is escaped if the number of backslashes before it is odd. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === "\\") first--;
  return (index - first) % 2 === 1;
}

function startNext(level: Level): void {
  level.expectsName = level.names !== undefined;
  if (typeof level.key === "number") level.key += 1;
}

function isDuplicate(level: Level, token: string): boolean {
  const name = String(JSON.parse(token));
  const duplicate = level.names?.has(name) === true;
  level.names?.add(name);
  level.key = name;
  level.expectsName = false;
  return duplicate;
}

function pathOf(levels: readonly Level[]): string[] {
  return levels.map((level) => String(level.key));
}
