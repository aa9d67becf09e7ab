/**
 * Names of files and folders that every system takes, made from titles.
 *
 * @module
 */

/** Bytes of a name without its ending. */
const MAX_BYTES = 80;
// Windows refuses these, and Obsidian cannot link to names with # ^ [ ].
const REFUSED = /[\\/:*?"<>|#^[\]\p{Cc}]+/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns a name for a title: `Untitled` if nothing is left of it. */
export function safeName(title: string): string {
  const name = cut(title.normalize("NFC").replace(REFUSED, " ").replace(/\s+/g, " ").trim())
    .replace(/^[. ]+|[. ]+$/g, "");
  if (name === "") return "Untitled";
  return RESERVED.test(name) ? `${name}_` : name;
}

/** Cuts a text to the largest number of bytes, between characters. */
function cut(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES));
  return text.slice(0, read);
}

/** Returns a safe name for a file, with its ending. */
export function safeFileName(name: string): string {
  const [, stem = "", ending = ""] = /^(.*?)(\.[A-Za-z0-9]{1,16})?$/s.exec(name) ?? [];
  return safeName(stem) + ending;
}

/** Gives each name of one folder to one object; names that differ by case only are the same. */
export function createNames(
  reserved: Iterable<string> = [],
): (title: string, id: string) => string {
  const taken = new Set<string>(reserved);
  return (title, id) => {
    const name = safeName(title);
    const candidates = [name, `${name} ${id.slice(-6)}`, `${name} ${id.replaceAll("-", "")}`];
    const free = candidates.find((candidate) => !taken.has(candidate.toLowerCase())) ?? id;
    taken.add(free.toLowerCase());
    return free;
  };
}
