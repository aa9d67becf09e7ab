/**
 * Compares what a command printed with what a page shows.
 *
 * @module
 */

/** The parts of an output that may differ between two runs, and their patterns. */
const VARIABLE: readonly (readonly [shown: string, printed: string])[] = [
  ["…", "[^]*?"],
  ...same(String.raw`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
  ...same(String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`),
  ...same(String.raw`\b(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b`),
  ...same(String.raw`\b\d[\d.,]* ?(?:ms|s|min)\b`),
  ...same(String.raw`\b\d[\d.,]* ?(?:bytes|[kKMG]i?B)\b`),
];

function same(pattern: string): (readonly [string, string])[] {
  return [[pattern, pattern]];
}

const SHOWN = new RegExp(VARIABLE.map(([shown]) => `(${shown})`).join("|"), "g");

/** Returns whether a command printed what a page shows; in JSON, spaces do not count. */
export function isShown(printed: string, shown: string, language = ""): boolean {
  const normalize = language === "json" ? withoutSpaces : withoutTrailingSpaces;
  return new RegExp(`^${patternOf(normalize(shown))}$`).test(normalize(printed));
}

function patternOf(shown: string): string {
  let pattern = "";
  let end = 0;
  for (const match of shown.matchAll(SHOWN)) {
    const which = match.slice(1).findIndex((group) => group !== undefined);
    pattern += RegExp.escape(shown.slice(end, match.index)) + (VARIABLE[which]?.[1] ?? "");
    end = match.index + match[0].length;
  }
  return pattern + RegExp.escape(shown.slice(end));
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}

function withoutTrailingSpaces(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trim();
}
