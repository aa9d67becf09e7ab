import { createHash } from "node:crypto";

/** Returns the Content Security Policy source that allows an inline text, by its hash. */
export function cspSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
