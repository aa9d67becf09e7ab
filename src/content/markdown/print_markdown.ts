/**
 * Prints mdast as Markdown: CommonMark with the tables, task lists and strikethrough of GFM, and
 * math.
 *
 * @module
 */
import type { Heading, Root, RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mathToMarkdown } from "mdast-util-math";
import {
  type Handle,
  type Info,
  type Options,
  type SafeConfig,
  type State,
  toMarkdown,
  type Unsafe,
} from "mdast-util-to-markdown";
import { isPlain, isPlainDestination } from "./plain_phrasing.ts";
import { printFormula } from "./inline_math.ts";

/** Texts that need an escape besides those that the library knows of. */
export const UNSAFE: readonly Unsafe[] = [
  // These would make a text enhanced Markdown.
  { character: "{", after: "(?:color|toggle)=", inConstruct: "phrasing" },
  { character: ":", after: "::+ *callout", atBreak: true },
  // These would be addresses; the library escapes them only in front of some characters.
  {
    character: ".",
    before: "[Ww]{3}",
    inConstruct: "phrasing",
    notInConstruct: ["autolink", "link", "image", "label"],
  },
  { character: "<", after: "[^\\s<>]*@", inConstruct: "phrasing" },
];

const OPTIONS: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false, tableCellPadding: true }), mathToMarkdown()],
  unsafe: [...UNSAFE],
  bullet: "-",
  // A page that begins with a divider must not be read as one with front matter.
  rule: "*",
  // `Handle` accepts any node, but each handler only receives nodes of the type it is registered
  // for.
  handlers: {
    root: printRoot as Handle,
    heading: printHeading as Handle,
    inlineMath: printFormula,
  },
};

/** The text of these blocks, separated by blank lines and with a line end at the end. */
export function printMarkdown(children: RootContent[]): string {
  return toMarkdown({ type: "root", children }, OPTIONS);
}

function isPlainTitle(title: string): boolean {
  return !/[^\w :.-]/.test(title);
}

/**
 * Prints the root with two shortcuts: texts that cannot need an escape skip the library's slow
 * escaping, and positions are not tracked, because nothing reads them.
 */
function printRoot(node: Root, _parent: unknown, state: State, info: Info): string {
  const safe = state.safe.bind(state);
  const { unsafe } = state;
  state.safe = (value, config) => {
    const text = value ?? "";
    if (isHarmless(text, config, state)) return text;
    const whole = `${config.before ?? ""}${text}${config.after ?? ""}`;
    // The library compares each with the place of the text, which takes most of the time of short ones.
    state.unsafe = unsafe.filter(({ character }) => whole.includes(character));
    const escaped = safe(value, config);
    state.unsafe = unsafe;
    return escaped;
  };
  state.createTracker = () => UNTRACKED;
  const containerPhrasing = state.containerPhrasing.bind(state);
  state.containerPhrasing = (node, info) => printed(node.children) ?? containerPhrasing(node, info);
  const indentAny = state.indentLines;
  state.indentLines = (text, indent) =>
    (text.includes("\r") ? indentAny : indentLines)(text, indent);
  return state.containerFlow(node, info);
}

/** The text of inline content that is already printed. */
function printed([only, ...more]: readonly RootContent[]): string | undefined {
  return only?.type === "html" && more.length === 0 ? only.value : undefined;
}

/**
 * Indents lines that end with line feeds in one pass. Deep lists are indented again at every level.
 */
function indentLines(text: string, indent: IndentMap): string {
  let end = text.indexOf("\n");
  if (end < 0) return indent(text, 0, text === "");
  const [filled, blank] = [indent("", 1, false), indent("", 1, true)];
  let indented = indent(text.slice(0, end), 0, end === 0);
  while (end >= 0) {
    const start = end + 1;
    end = text.indexOf("\n", start);
    const isBlank = end === start || start === text.length;
    indented += `\n${isBlank ? blank : filled}${text.slice(start, end < 0 ? undefined : end)}`;
  }
  return indented;
}

/** Like the library's handler, which also searches for line ends; these headings have none. */
function printHeading(node: Heading, _parent: unknown, state: State, info: Info): string {
  const exits = [state.enter("headingAtx"), state.enter("phrasing")];
  const text = state.containerPhrasing(node, { ...info, before: "# ", after: "\n" });
  for (const exit of exits.reverse()) exit();
  const marks = "#".repeat(node.depth);
  // Markdown would drop space after the marks.
  const shown = text.replace(/^[ \t]/, (space) => `&#x${space.charCodeAt(0).toString(16)};`);
  return text === "" ? marks : `${marks} ${shown}`;
}

type IndentMap = Parameters<State["indentLines"]>[1];

const NOWHERE = { now: { line: 1, column: 1 }, lineShift: 0 };
const UNTRACKED: ReturnType<State["createTracker"]> = {
  current: () => NOWHERE,
  shift: () => {},
  move: (value) => value ?? "",
};

/** Checks for constructs in which different characters need escapes. */
const PLAIN_IN: ReadonlyMap<string | undefined, (value: string) => boolean> = new Map([
  ["destinationRaw", isPlainDestination],
  ["titleQuote", isPlainTitle],
]);

function isHarmless(value: string, { before, after }: SafeConfig, { stack }: State): boolean {
  const isPlainHere = PLAIN_IN.get(stack.at(-1));
  if (isPlainHere !== undefined) return isPlainHere(value);
  const hasEdge = value.startsWith(" ") && /[\r\n]$/.test(before ?? "") ||
    value.endsWith(" ") && /^[\r\n]/.test(after ?? "");
  // It could be the stop of `www.`, which begins an address.
  const isStopOfAddress = value === "." && /[wW]$/.test(before ?? "");
  return !hasEdge && !isStopOfAddress && isPlain(value);
}
