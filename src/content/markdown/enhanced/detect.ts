/**
 * Tells enhanced Markdown, which is read line by line, from CommonMark.
 *
 * @module
 */
import { FENCE } from "./lines.ts";

/** Lines that only enhanced Markdown has; CommonMark would show them as text or code. */
const LINE = new RegExp(
  String.raw`^[ \t]*(?:` +
    String.raw`</?(?:callout|columns?|synced_block(?:_reference)?|mention-[a-z-]+)(?:\s[^>]*)?>` +
    String.raw`|<(?:empty-block|table_of_contents)(?:\s[^>]*)?/>` +
    String.raw`|<(?:page|database|unknown)\s+url="[^>]*>` +
    String.raw`|<(audio|video|file|pdf|embed)\s+src="[^"<>]*"[^<>]*>[^<>]+</\1>\s*$` +
    String.raw`|:::+ *callout\b` +
    String
      .raw`|<(?:details|table|tr|td|video|audio|file|pdf)\s[^>]*\b(?:color|header-row|header-column|fit-page-width)=")`,
);
/** Attributes at the end of a line. */
const ATTRIBUTES = /(?:^|[^\\])\{(?:color|toggle)="[a-z_]+"(?:\s+[a-z]+="[^"]*")*\}\s*$/;
/** Tags inside a line that only enhanced Markdown has, if they end. */
const INLINE =
  /(?<!\\)<(?:mention-(?:user|page|database|data-source|date|agent)\b|span underline="true")/;

const MATH_FENCE = /^[ \t]*(\${2,})[ \t]*$/;

/** Returns whether a text has a construct of enhanced Markdown outside of code and formulas. */
export function isEnhanced(text: string): boolean {
  const lines = text.split("\n").filter(outsideOfFences());
  return lines.some(hasConstruct) || isIndentedByTabs(lines);
}

/** Tells for one line after the other whether it is outside of fences. */
function outsideOfFences(): (line: string) => boolean {
  let fence = "";
  return (line) => {
    const [, mark = ""] = FENCE.exec(line) ?? MATH_FENCE.exec(line) ?? [];
    if (fence === "") {
      fence = mark;
      return mark === "";
    }
    if (mark.startsWith(fence)) fence = "";
    return false;
  };
}

function hasConstruct(line: string): boolean {
  // Most lines have neither tags nor attributes.
  if (!/[<{]|:::/.test(line) || /^ {4}/.test(line)) return false;
  return LINE.test(line) || ATTRIBUTES.test(line) ||
    hasTag(line) && !/`[^`]*<(?:mention-|span )/.test(line);
}

function hasTag(line: string): boolean {
  const { index = line.length } = INLINE.exec(line) ?? {};
  return line.includes(">", index);
}

const PLAIN = /^(?![-*+] |\d+[.)] |[|#>~`<]|\s)./;

/**
 * Returns whether a paragraph or quote has a child: a line below it that starts with one tab. A
 * text with other indentation, or with paragraphs of several lines, is CommonMark.
 */
function isIndentedByTabs(lines: readonly string[]): boolean {
  let hasChild = false;
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1] ?? "";
    if (/^ {2,}\S/.test(line) || PLAIN.test(line) && PLAIN.test(previous)) return false;
    if (/^\t[^\t |]/.test(line) && (PLAIN.test(previous) || previous.startsWith("> "))) {
      hasChild = true;
    }
  }
  return hasChild;
}
