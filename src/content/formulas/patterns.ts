/**
 * Regular expressions of formulas, by an engine whose time grows with the text and not with the
 * pattern's turns: a client's pattern must not hold the service up. Look-around and back-references,
 * which no such engine has, are refused.
 *
 * @module
 */
import { RE2JS, type RE2JS as Pattern } from "re2js";
import { checkLength, type ComputeBudget, MAX_PATTERN, spend } from "./compute_budget.ts";

/** Characters of a text, times instructions of a pattern, that cost one unit of work. */
const STEPS_PER_UNIT = 16;
const MAX_KEPT = 200;

/** Patterns compiled lately; undefined stands for those that are none. */
const compiled = new Map<string, Pattern | undefined>();

/** The choice of the parameter that is a pattern. */
export const PATTERN = {
  expects:
    `a regular expression without look-around and back-references, of ${MAX_PATTERN} characters at most,`,
  find: patternOf,
  // About what it takes to compile it, also where it is kept: a value must not hang on that.
  cost: (text: string) => 200 + 4 * (patternOf(text)?.programSize() ?? 0),
};

/** The compiled pattern; undefined where a text is none. */
export function patternOf(text: string): Pattern | undefined {
  const known = compiled.get(text);
  if (known !== undefined || compiled.has(text)) return known;
  if (compiled.size >= MAX_KEPT) compiled.clear();
  const pattern = text.length > MAX_PATTERN ? undefined : compile(text);
  compiled.set(text, pattern);
  return pattern;
}

function compile(text: string): Pattern | undefined {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
}

/** One place where a pattern matches. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match, then what each pair of parentheses took. */
  readonly groups: readonly string[];
}

/** The places where a pattern matches, from left to right, each after the last. */
export function* matchesOf(pattern: Pattern, text: string, work: ComputeBudget): Generator<Match> {
  const matcher = pattern.matcher(text);
  let place = 0;
  while (true) {
    // A search may look at all that is left, whatever it finds.
    spend(work, 1 + Math.ceil((text.length - place) * pattern.programSize() / STEPS_PER_UNIT));
    if (!matcher.find()) return;
    place = matcher.end();
    const groups = Array.from(
      { length: matcher.groupCount() + 1 },
      (_, group) => matcher.group(group) ?? "",
    );
    yield { start: matcher.start(), end: place, groups };
  }
}

/** The text with matches replaced; `$1` and `$&` in the replacement stand for what matched. */
export function replaceMatches(
  text: string,
  matches: Iterable<Match>,
  replacement: string,
): string {
  let place = 0;
  let result = "";
  for (const { start, end, groups } of matches) {
    result += text.slice(place, start) + expanded(replacement, groups);
    checkLength(result.length);
    place = end;
  }
  return result + text.slice(place);
}

function expanded(replacement: string, groups: readonly string[]): string {
  if (!replacement.includes("$")) return replacement;
  return replacement.replace(/\$(?:(\$)|(&)|(\d))/g, (letters, dollar, whole, group) => {
    if (dollar !== undefined) return "$";
    return groups[whole === undefined ? Number(group) : 0] ?? letters;
  });
}
