/**
 * Finds duplicate member names in a JSON text, which `JSON.parse` silently merges.
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

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Returns the paths of members that repeat a name of their object. The text must be valid JSON. */
export function findDuplicateKeys(text: string): string[][] {
  const levels: Level[] = [];
  const duplicates: string[][] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === "{") levels.push({ names: new Set(), key: "", expectsName: true });
    else if (token === "[") levels.push({ names: undefined, key: 0, expectsName: false });
    else if (token === "}" || token === "]") levels.pop();
    else if (level !== undefined && token === ",") startNext(level);
    else if (level?.expectsName && isDuplicate(level, token)) duplicates.push(pathOf(levels));
  }
  return duplicates;
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
