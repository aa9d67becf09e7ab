import { InvalidToken } from "./token_errors.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NAMES_AND_BRACES = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * Reads the JSON object of a token's header or payload.
 *
 * Throws `InvalidToken` for anything else: bad UTF-8, a byte order mark, a name given twice in one
 * object, at any depth and in any spelling.
 */
export function parseStrictObject(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidToken("A part of the token is no JSON object");
  }
  if (hasRepeatedName(text)) throw new InvalidToken("A part of the token repeats a name");
  return new Map(Object.entries(value));
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new InvalidToken("A part of the token is no UTF-8", cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidToken("A part of the token is no JSON", cause);
  }
}

/** Expects valid JSON: there a string before a colon is a name of the innermost open object. */
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
