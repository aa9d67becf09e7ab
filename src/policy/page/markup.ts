/**
 * Pieces of HTML that cannot be broken out of.
 *
 * @module
 */
import { escape } from "@std/html/entities";

// The standard library carries no types on npm; these are its own.
const escapeText: (text: string) => string = escape;

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Html[];

/** Puts values into HTML, and leaves its spaces alone: text is escaped, and what is undefined leaves nothing. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toText(parts[index])).join("") };
}

function toText(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escapeText(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}
