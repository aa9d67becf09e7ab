/**
 * HTML templates that escape what is inserted.
 *
 * @module
 */
import { escape } from "@std/html/entities";

// The standard library carries no types on npm; these are its own.
const escapeText: (text: string) => string = escape;

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Html[];

/** Inserts values into HTML: escapes text and skips undefined. Keeps whitespace as written. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + toText(parts[index])).join("") };
}

function toText(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escapeText(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}
