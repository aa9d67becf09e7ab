/**
 * Functions of the formula language on texts.
 *
 * @module
 */
import { indexIn, splitBy } from "../../../shared/text_search.ts";
import { type Match, matchesOf, PATTERN, replaceMatches } from "../patterns.ts";
import { BOOLEAN, listOf, NUMBER, TEXT } from "../types.ts";
import { textOf } from "../values.ts";
import { checkLength, type ComputeBudget, MAX_LIST, spend } from "../compute_budget.ts";
import { define, type FormulaFunction } from "./define.ts";
import { any, number, oneOf, optional, rest, text, textOrList } from "./parameters.ts";

/** Characters whose case changes, per unit of budget. */
const CASES_PER_UNIT = 16;

const pattern = () => oneOf(text("pattern"), PATTERN);

function* first(matches: Iterable<Match>): Generator<Match> {
  for (const match of matches) {
    yield match;
    return;
  }
}

/** The text repeated; throws a `LimitError` if the result would be too long. */
function repeated(value: string, times: number): string {
  const count = Math.max(0, Math.trunc(times));
  checkLength(value.length * count);
  return value.repeat(count);
}

/** Returns the text; charges for letters such as `ﬃ`, which take ten times as long as others. */
function chargedForCase(value: string, budget: ComputeBudget): string {
  spend(budget, value.length / CASES_PER_UNIT);
  return value;
}

function padWidth(width: number): number {
  checkLength(width);
  return width;
}

const PARTS: readonly FormulaFunction[] = [
  define({
    name: "length",
    parameters: [textOrList("value")],
    returns: NUMBER,
    description: "The number of characters in a text, in UTF-16 code units, or of items in a list.",
    examples: [['length("hello")', "5"], ["length([1, 2, 3])", "3"]],
    call: ([value]) => value.length,
  }),
  define({
    name: "substring",
    parameters: [text("text"), number("start"), optional(number("end"))],
    returns: TEXT,
    description: "The characters from one index, from 0, up to but not including another.",
    examples: [['substring("Notion", 0, 3)', '"Not"'], ['substring("Notion", 3)', '"ion"']],
    call: ([value, start, end]) => value.substring(start, end),
  }),
  define({
    name: "contains",
    parameters: [text("text"), text("part")],
    returns: BOOLEAN,
    description: "Whether a text contains another; case-sensitive.",
    examples: [['contains("Notion", "ot")', "true"], ['contains("Notion", "OT")', "false"]],
    call: ([value, part]) => indexIn(value, part) >= 0,
  }),
  define({
    name: "split",
    parameters: [text("text"), text("separator")],
    returns: listOf(TEXT),
    description: "The parts of a text between separators.",
    examples: [['split("apple,pear", ",")', '["apple", "pear"]']],
    call: ([value, separator]) => value === "" ? [] : splitBy(value, separator, MAX_LIST + 1),
  }),
];

const PATTERNS: readonly FormulaFunction[] = [
  define({
    name: "test",
    parameters: [text("text"), pattern()],
    returns: BOOLEAN,
    description: "Whether a regular expression matches anywhere in a text.",
    examples: [['test("Room 12", "\\\\d+")', "true"], ['test("Room", "\\\\d+")', "false"]],
    call: ([value, one], frame) => !matchesOf(one, value, frame).next().done,
  }),
  define({
    name: "match",
    parameters: [text("text"), pattern()],
    returns: listOf(TEXT),
    description: "All matches of a regular expression in a text.",
    examples: [['match("Rooms 12 and 14", "\\\\d+")', '["12", "14"]']],
    call: ([value, one], frame) =>
      [...matchesOf(one, value, frame)].map(({ groups: [whole = ""] }) => whole),
  }),
  define({
    name: "replace",
    parameters: [text("text"), pattern(), optional(text("replacement"))],
    returns: TEXT,
    description:
      "The text with the first match of a regular expression replaced; `$1` stands for its first group.",
    examples: [['replace("Notion Notion", "N", "M")', '"Motion Notion"'], [
      'replace("12:30", "(\\\\d+):(\\\\d+)", "$2:$1")',
      '"30:12"',
    ]],
    call: ([text, one, replacement = ""], frame) =>
      replaceMatches(first(matchesOf(one, text, frame)), { text, replacement }, frame),
  }),
  define({
    name: "replaceAll",
    parameters: [text("text"), pattern(), optional(text("replacement"))],
    returns: TEXT,
    description: "The text with all matches of a regular expression replaced.",
    examples: [['replaceAll("Notion Notion", "N", "M")', '"Motion Motion"'], [
      'replaceAll("a1b2", "\\\\d")',
      '"ab"',
    ]],
    call: ([text, one, replacement = ""], frame) =>
      replaceMatches(matchesOf(one, text, frame), { text, replacement }, frame),
  }),
];

const SHAPES: readonly FormulaFunction[] = [
  define({
    name: "lower",
    parameters: [text("text")],
    returns: TEXT,
    description: "The text in lower case.",
    examples: [['lower("NOTION")', '"notion"']],
    call: ([value], frame) => chargedForCase(value, frame).toLowerCase(),
  }),
  define({
    name: "upper",
    parameters: [text("text")],
    returns: TEXT,
    description: "The text in upper case.",
    examples: [['upper("notion")', '"NOTION"']],
    call: ([value], frame) => chargedForCase(value, frame).toUpperCase(),
  }),
  define({
    name: "trim",
    parameters: [text("text")],
    returns: TEXT,
    description: "The text without white space at its ends.",
    examples: [['trim("  Notion ")', '"Notion"']],
    call: ([value]) => value.trim(),
  }),
  define({
    name: "repeat",
    parameters: [text("text"), number("times")],
    returns: TEXT,
    description: "The text repeated that many times.",
    examples: [['repeat("0", 4)', '"0000"']],
    call: ([value, times]) => repeated(value, times),
  }),
  define({
    name: "padStart",
    parameters: [text("text"), number("width"), optional(text("filling"))],
    returns: TEXT,
    description: "The text padded at the start to a width, with spaces by default.",
    examples: [['padStart("9", 2, "0")', '"09"']],
    call: ([value, width, filling]) => value.padStart(padWidth(width), filling),
  }),
  define({
    name: "padEnd",
    parameters: [text("text"), number("width"), optional(text("filling"))],
    returns: TEXT,
    description: "The text padded at the end to a width, with spaces by default.",
    examples: [['padEnd("9", 2, "0")', '"90"']],
    call: ([value, width, filling]) => value.padEnd(padWidth(width), filling),
  }),
];

const LOOKS: readonly FormulaFunction[] = [
  define({
    name: "link",
    parameters: [text("text"), text("url")],
    returns: TEXT,
    description: "The text. Results of the API have no links.",
    examples: [['link("Notion", "https://notion.so")', '"Notion"']],
    call: ([value]) => value,
  }),
  define({
    name: "style",
    parameters: [text("text"), text("style"), rest(text("styles"))],
    returns: TEXT,
    description: "The text. Results of the API have no styles.",
    examples: [['style("Notion", "b", "blue")', '"Notion"']],
    call: ([value]) => value,
  }),
  define({
    name: "unstyle",
    parameters: [text("text"), rest(text("styles"))],
    returns: TEXT,
    description: "The text.",
    examples: [['unstyle("Notion", "b")', '"Notion"']],
    call: ([value]) => value,
  }),
  define({
    name: "format",
    parameters: [any("value")],
    returns: TEXT,
    description: "The value as text.",
    examples: [["format(1234)", '"1234"'], ["format(now())", '"August 30, 2023 17:55"']],
    call: ([value], frame) => textOf(value, frame),
  }),
];

export const TEXTS: readonly FormulaFunction[] = [...PARTS, ...PATTERNS, ...SHAPES, ...LOOKS];
