/**
 * The member names of a JSON text, which `JSON.parse` would quietly merge.
 *
 * @module
 */

/** An object or array that is open while the text is read. */
interface Level {
  /** Names that the object has so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The name or index that is being read. */
  key: string | number;
  expectsName: boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Paths of the members whose name their object already has; the text must be valid JSON. */
export function findRepeatedKeys(text: string): string[][] {
  const levels: Level[] = [];
  const repeated: string[][] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === "{") levels.push({ names: new Set(), key: "", expectsName: true });
    else if (token === "[") levels.push({ names: undefined, key: 0, expectsName: false });
    else if (token === "}" || token === "]") levels.pop();
    else if (level !== undefined && token === ",") startNext(level);
    else if (level?.expectsName && isRepeated(level, token)) repeated.push(pathOf(levels));
  }
  return repeated;
}

function startNext(level: Level): void {
  level.expectsName = level.names !== undefined;
  if (typeof level.key === "number") level.key += 1;
}

function isRepeated(level: Level, token: string): boolean {
  const name = String(JSON.parse(token));
  const repeated = level.names?.has(name) === true;
  level.names?.add(name);
  level.key = name;
  level.expectsName = false;
  return repeated;
}

function pathOf(levels: readonly Level[]): string[] {
  return levels.map((level) => String(level.key));
}
