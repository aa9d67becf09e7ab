import { createHash } from "node:crypto";

/** A text as Content Security Policy names what may stand in a page. */
export function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
