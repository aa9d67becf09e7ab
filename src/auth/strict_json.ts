import { InvalidToken } from "./token_errors.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NAMES_AND_BRACES = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * Parses the JSON object of a token's header or payload.
 *
 * Throws `InvalidToken` for anything else: invalid UTF-8, a byte order mark, or a duplicate name in
 * one object, at any depth and in any spelling.
 */
export function parseStrictObject(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidToken("A part of the token is not a JSON object");
  }
  if (hasRepeatedName(text)) throw new InvalidToken("A part of the token has a duplicate name");
  return new Map(Object.entries(value));
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new InvalidToken("A part of the token is not UTF-8", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidToken("A part of the token is not JSON", { cause });
  }
}

/**
 * The text must be valid JSON; a string before a colon is then a name in the innermost open object.
 */
function hasRepeatedName(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(NAMES_AND_BRACES)) {
    if (token === "{") open.push(new Set());
    if (token === "}") open.pop();
    const names = open.at(-1);
    if (colon === undefined || names === undefined) continue;
    const name: string = JSON.parse(token.slice(0, -colon.length));
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}
