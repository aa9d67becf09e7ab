/**
 * Findings as text for a terminal: place, message, source line and a caret below it.
 *
 * @module
 */
import type { Finding } from "../lint/finding.ts";

/** Colours a text, or returns it unchanged if colours are off. */
export type Paint = (style: keyof typeof STYLES, text: string) => string;

const STYLES = { error: 31, warning: 33, good: 32, bold: 1, dim: 2 } as const;

/** Creates a painter that uses terminal escape codes if `color` is set. */
export function createPaint(color: boolean): Paint {
  return (style, text) => color ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** Returns all findings and their number. */
export function toText(findings: readonly Finding[], paint: Paint): string {
  if (findings.length === 0) return `${paint("good", "No finding")}\n`;
  return [...findings.map((finding) => describe(finding, paint)), `${sumUp(findings)}\n`].join(
    "\n",
  );
}

function describe(
  { file, span, level, message, code, hint, excerpt }: Finding,
  paint: Paint,
): string {
  const margin = " ".repeat(String(span.line).length);
  const shown = windowOf(excerpt, span);
  const place = paint("bold", `${file}:${span.line}:${span.column}`);
  const caret = `${" ".repeat(shown.before)}${paint(level, "^".repeat(shown.length))}`;
  return [
    `${place}: ${paint(level, level)}: ${message} ${paint("dim", `[${code}]`)}`,
    `  ${span.line} | ${shown.text}`,
    `  ${margin} | ${caret}${hint === undefined ? "" : ` ${hint}`}`,
    "",
  ].join("\n");
}

/** Longer lines are cut around the place: a minified file is one line. */
const MAX_LINE = 160;
const CONTEXT = 40;

export interface Window {
  readonly text: string;
  /** Characters before the place. */
  readonly before: number;
  readonly length: number;
}

/** Returns as much of a line as fits a terminal, around a place. */
export function windowOf(line: string, { column, length }: Finding["span"]): Window {
  if (line.length <= MAX_LINE) return { text: line, before: column - 1, length };
  const start = Math.max(0, column - 1 - CONTEXT);
  const end = Math.min(line.length, start + MAX_LINE);
  const head = start > 0 ? "…" : "";
  const before = head.length + column - 1 - start;
  return {
    text: `${head}${line.slice(start, end)}${end < line.length ? "…" : ""}`,
    before,
    length: Math.min(length, end - column + 1),
  };
}

function sumUp(findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === "error").length;
  return `${count(errors, "error")}, ${count(findings.length - errors, "warning")}`;
}

/** Returns `1 error`, `2 errors`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
