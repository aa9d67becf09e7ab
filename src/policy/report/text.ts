/**
 * Findings for people: the place, the sentence, the line and a caret under it.
 *
 * @module
 */
import type { Finding } from "../lint/finding.ts";

/** Paints a piece of text; without colours it answers the text itself. */
export type Paint = (style: keyof typeof STYLES, text: string) => string;

const STYLES = { error: 31, warning: 33, good: 32, bold: 1, dim: 2 } as const;

/** Paints by terminal codes, or not at all. */
export function createPaint(color: boolean): Paint {
  return (style, text) => color ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** All findings and their sum. */
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
  const place = paint("bold", `${file}:${span.line}:${span.column}`);
  const caret = `${" ".repeat(span.column - 1)}${paint(level, "^".repeat(span.length))}`;
  return [
    `${place}: ${paint(level, level)}: ${message} ${paint("dim", `[${code}]`)}`,
    `  ${span.line} | ${excerpt}`,
    `  ${margin} | ${caret}${hint === undefined ? "" : ` ${hint}`}`,
    "",
  ].join("\n");
}

function sumUp(findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === "error").length;
  return `${count(errors, "error")}, ${count(findings.length - errors, "warning")}`;
}

/** `1 error`, `2 errors`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
