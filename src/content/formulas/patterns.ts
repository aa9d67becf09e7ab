/**
 * Regular expressions of formulas. RE2 matches in linear time, so a client's pattern cannot block
 * the service; it has no look-around and no back-references.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { RE2JS, type RE2JS as Pattern } from "re2js";
import {
  checkLength,
  type ComputeBudget,
  MAX_PATTERN,
  MAX_REPEATED,
  spend,
} from "./compute_budget.ts";
import { classStepsOf } from "./pattern_classes.ts";

/** Characters of a text times instructions of a pattern, per unit of budget. */
const STEPS_PER_UNIT = 8;
/** Units of work that compiling any pattern takes, and each step of one. */
const BASE_COST = 200;
const STEP_COST = 8;
/** References and texts of a replacement, per unit of budget. */
const PARTS_PER_UNIT = 8;
/** Steps of a pattern: they take time and memory before the pattern is used. */
const MAX_STEPS = MAX_PATTERN + MAX_REPEATED;
/** Instructions that a pattern of so many steps is compiled to, at most. */
const MAX_PROGRAM = 2 * MAX_STEPS + 10;
/** Instructions and characters of the patterns in the cache, each about 200 bytes with what matches it. */
const MAX_CACHED = 100_000;

interface Compiled {
  /** Undefined for a text that is not a pattern. */
  readonly pattern: Pattern | undefined;
}

const compiled = new LRUCache<string, Compiled>({
  maxSize: MAX_CACHED,
  sizeCalculation: ({ pattern }, text) =>
    1 + text.length + (pattern === undefined ? 0 : pattern.programSize() + classStepsOf(text)),
});

/** The values that a `pattern` parameter accepts. */
export const PATTERN = {
  expects:
    `a regular expression of at most ${MAX_PATTERN} characters, or ${MAX_STEPS} with its repetitions and classes written out, without look-around and back-references,`,
  find: patternOf,
  size: sizeOf,
  cost: costOf,
};

/**
 * Units of work that compiling a pattern takes about, or failing to. Charged even for a cached
 * pattern, so that results do not depend on the cache.
 */
function costOf(text: string): number {
  if (text.length > MAX_PATTERN) return BASE_COST;
  const steps = Math.min(Math.max(text.length, sizeOf(text)), MAX_STEPS);
  return BASE_COST + steps * STEP_COST;
}

/** About how many steps a pattern is compiled to; 0 if it is too long to be compiled. */
function sizeOf(text: string): number {
  return text.length > MAX_PATTERN ? 0 : stepsOf(text) + classStepsOf(text);
}

/** The compiled pattern; undefined if the text is not a pattern. */
export function patternOf(text: string): Pattern | undefined {
  if (text.length > MAX_PATTERN) return undefined;
  const cached = compiled.get(text);
  if (cached !== undefined) return cached.pattern;
  const pattern = sizeOf(text) > MAX_STEPS ? undefined : compile(text);
  compiled.set(text, { pattern });
  return pattern;
}

function compile(text: string): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    // In case the steps were counted wrong: what is kept stays small.
    return pattern.programSize() > MAX_PROGRAM ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/**
 * Quoted characters, flags and repetitions; escaped characters and classes, which are one step each,
 * and any other character.
 */
const TOKEN =
  /\\(?:Q(?<quoted>[^]*?)(?:\\E|$)|[pPx]\{[^}]*\}|[^])|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?[imsU-]*\)|\{(?<least>\d+)(?<comma>,(?<most>\d*))?\}|[^]/gu;

/** Returns about how many steps a pattern is compiled to; its repetitions are written out. */
function stepsOf(pattern: string): number {
  const outer: number[] = [];
  let steps = 0;
  // The steps of the element that a repetition repeats, also across flags and empty quotes.
  let last = 0;
  for (const { 0: token, groups = {} } of pattern.matchAll(TOKEN)) {
    const { quoted, least } = groups;
    if (token.startsWith("(?") || quoted === "") continue;
    if (token === "(") {
      outer.push(steps);
      steps = 0;
    } else if (token === ")") {
      last = steps + 2;
      steps = (outer.pop() ?? 0) + last;
    } else if (token === "*" || token === "+" || token === "?") {
      last++;
      steps++;
    } else if (least !== undefined) {
      const { comma, most } = groups;
      const optional = comma === undefined ? 0 : Math.max(1, Number(most) - Number(least));
      const repeated = Number(least) * last + optional * (last + 1);
      steps += repeated - last;
      last = repeated;
    } else {
      last = 1;
      steps += quoted?.length ?? 1;
    }
  }
  return outer.reduce((sum, before) => sum + before, steps);
}

/** One match of a pattern. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, then each group. */
  readonly groups: readonly string[];
}

/** All matches of a pattern from left to right, without overlaps. */
export function* matchesOf(
  pattern: Pattern,
  text: string,
  budget: ComputeBudget,
): Generator<Match> {
  const matcher = pattern.matcher(text);
  let offset = 0;
  while (true) {
    // A search may read the rest of the text, even if it finds a match early.
    spend(budget, 1 + Math.ceil((text.length - offset) * pattern.programSize() / STEPS_PER_UNIT));
    if (!matcher.find()) return;
    offset = matcher.end();
    const groups = Array.from(
      { length: matcher.groupCount() + 1 },
      (_, group) => matcher.group(group) ?? "",
    );
    yield { start: matcher.start(), end: offset, groups };
  }
}

/**
 * Replaces the matches in a text; `$1` and `$&` in the replacement stand for a group and the match.
 */
export function replaceMatches(
  matches: Iterable<Match>,
  { text, replacement }: { readonly text: string; readonly replacement: string },
  budget: ComputeBudget,
): string {
  const parts = partsOf(replacement);
  spend(budget, parts.length / PARTS_PER_UNIT);
  let offset = 0;
  let result = "";
  for (const { start, end, groups } of matches) {
    spend(budget, parts.length / PARTS_PER_UNIT);
    result += text.slice(offset, start);
    for (const part of parts) {
      result += typeof part === "string" ? part : groups[part] ?? `$${part}`;
      checkLength(result.length);
    }
    offset = end;
  }
  return result + text.slice(offset);
}

/** The characters behind a `$`, and their parts. */
const REFERENCES = new Map<string, string | number>([
  ["$", "$"],
  ["&", 0],
  ...Array.from({ length: 10 }, (_, group) => [`${group}`, group] as const),
]);

/** The texts of a replacement, and the numbers of groups; group 0 is the whole match. */
function partsOf(replacement: string): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  let offset = 0;
  let at = replacement.indexOf("$");
  for (; at >= 0; at = replacement.indexOf("$", at + 2)) {
    const reference = REFERENCES.get(replacement.charAt(at + 1));
    if (reference === undefined) continue;
    if (offset < at) parts.push(replacement.slice(offset, at));
    parts.push(reference);
    offset = at + 2;
  }
  return [...parts, replacement.slice(offset)];
}
