/**
 * The lines of enhanced Markdown with their indentation, read one after the other.
 *
 * @module
 */

/**
 * A line that opens a code block: the fence and the info string, which has no backtick if the fence
 * is of backticks (CommonMark 0.31.2, section 4.5).
 */
export const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;

/** A line without its indentation. */
export interface Line {
  /** Number of tabs before the text; a few spaces count as one. */
  readonly indent: number;
  readonly text: string;
  /** The whole line, for code. */
  readonly source: string;
}

/** Reads lines in order. */
export interface LineReader {
  /** The next line; undefined at the end. */
  peek(): Line | undefined;
  /** The line after the next one. */
  peekSecond(): Line | undefined;
  /** The next line with text; skips empty ones. */
  peekFilled(): Line | undefined;
  next(): Line | undefined;
}

/** Creates a reader of a text. */
export function readLines(text: string): LineReader {
  const lines = text.split("\n");
  const unit = unitOf(lines);
  let at = 0;
  let parsed: Line | undefined;
  const peek = () => {
    const source = lines[at];
    return parsed ??= source === undefined ? undefined : toLine(source, unit);
  };
  const next = () => {
    const line = peek();
    at++;
    parsed = undefined;
    return line;
  };
  return {
    peek,
    next,
    peekSecond: () => {
      const source = lines[at + 1];
      return source === undefined ? undefined : toLine(source, unit);
    },
    peekFilled: () => {
      while (peek()?.text === "") next();
      return peek();
    },
  };
}

/** How many spaces a tab stands for: as many as the least indented line has, between 2 and 4. */
function unitOf(lines: readonly string[]): number {
  let least = 4;
  for (const line of lines) {
    if (!line.startsWith("  ")) continue;
    const [{ length } = ""] = /^ +(?=\S)/.exec(line) ?? [];
    if (length > 1) least = Math.min(least, length);
  }
  return least;
}

function toLine(source: string, unit: number): Line {
  const [space = ""] = /^[ \t]*/.exec(source) ?? [];
  const tabs = space.split("\t").length - 1;
  const indent = tabs + Math.floor((space.length - tabs) / unit);
  return { indent, text: source.slice(space.length).trimEnd(), source };
}

/** A line of code without the indentation of its block. */
export function withoutIndent({ source }: Line, indent: number): string {
  let at = 0;
  for (let level = 0; level < indent; level++) {
    if (source[at] === "\t") at++;
    else if (source.startsWith("    ", at)) at += 4;
    else break;
  }
  return source.slice(at);
}
