/**
 * Prints and reads the HTML tags for everything that Markdown has no syntax for.
 *
 * @module
 */

export type Attributes = Readonly<Record<string, string | undefined>>;

/** One tag: opening, closing, or an element without content (`whole`). */
export interface Tag {
  readonly kind: "open" | "close" | "whole";
  readonly name: string;
  /** `data-` attributes, without the prefix. */
  readonly data: ReadonlyMap<string, string>;
}

/** An empty paragraph, or a line break where Markdown has no syntax for it. */
export const BREAK = "<br>";
/**
 * An empty text, so that a child is not read as the text of its parent. Also separates two
 * formulas.
 */
export const EMPTY_TEXT = "<!-- -->";

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ['"', "&quot;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"],
]);
const CHARACTERS = new Map([...ENTITIES].map(([character, entity]) => [entity, character]));

const TAG = /^<(\/?)(details|summary|aside|div|span|u)((?: data-[a-z]+="[^"]*")*)>(<\/div>)?$/;

/** An opening tag; undefined attributes are left out. */
export function openTag(name: string, data: Attributes = {}): string {
  const attributes = Object.entries(data).map(([key, value]) =>
    value === undefined ? "" : ` data-${key}="${escape(value)}"`
  );
  return `<${name}${attributes.join("")}>`;
}

export function closeTag(name: string): string {
  return `</${name}>`;
}

/** Parses HTML that is exactly one of the printed tags; undefined for all other HTML. */
export function parseTag(html: string): Tag | undefined {
  const [, slash, name, attributes = "", end] = TAG.exec(html) ?? [];
  if (name === undefined || (end !== undefined && name !== "div")) return undefined;
  const pairs = [...attributes.matchAll(/data-([a-z]+)="([^"]*)"/g)];
  const data = new Map(pairs.map(([, key = "", value = ""]) => [key, unescape(value)]));
  return { kind: end !== undefined ? "whole" : slash ? "close" : "open", name, data };
}

/**
 * Matches the tags among siblings: returns indexes of closing tags by the index of their opening
 * tag. `tagAt` returns the tag at an index, if there is one.
 */
export function matchTags(
  count: number,
  tagAt: (index: number) => Tag | undefined,
): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open = new Map<string, number[]>();
  for (let index = 0; index < count; index++) {
    const tag = tagAt(index);
    if (tag === undefined || tag.kind === "whole") continue;
    const starts = open.getOrInsertComputed(tag.name, () => []);
    const start = tag.kind === "open" ? void starts.push(index) : starts.pop();
    if (start !== undefined) ends.set(start, index);
  }
  return ends;
}

function escape(text: string): string {
  return text.replace(/[&"<>\n\r]/g, (character) => ENTITIES.get(character) ?? character);
}

function unescape(text: string): string {
  return text.replace(/&(?:[a-z]+|#\d+);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}
