/**
 * The HTML tags that stand for what Markdown has no form for, as they are printed and read.
 *
 * @module
 */

export type Attributes = Readonly<Record<string, string | undefined>>;

/** One tag: at the begin or end of what it holds, or holding nothing. */
export interface Tag {
  readonly kind: "open" | "close" | "whole";
  readonly name: string;
  /** `data-` attributes without that prefix. */
  readonly data: ReadonlyMap<string, string>;
}

/** An empty paragraph, or a line break where Markdown has no form for one. */
export const BREAK = "<br>";
/** An empty text before what would be taken for it; also keeps two formulas apart. */
export const NOTHING = "<!-- -->";

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

/** A tag that begins something; members that are undefined are left out. */
export function openTag(name: string, data: Attributes = {}): string {
  const attributes = Object.entries(data).map(([key, value]) =>
    value === undefined ? "" : ` data-${key}="${escape(value)}"`
  );
  return `<${name}${attributes.join("")}>`;
}

export function closeTag(name: string): string {
  return `</${name}>`;
}

/** The tag that this HTML is, where it is one of those that are printed, alone. */
export function parseTag(html: string): Tag | undefined {
  const [, slash, name, attributes = "", end] = TAG.exec(html) ?? [];
  if (name === undefined || (end !== undefined && name !== "div")) return undefined;
  const pairs = [...attributes.matchAll(/data-([a-z]+)="([^"]*)"/g)];
  const data = new Map(pairs.map(([, key = "", value = ""]) => [key, unescape(value)]));
  return { kind: end !== undefined ? "whole" : slash ? "close" : "open", name, data };
}

/**
 * The places of the closing tags by those of their opening ones, among the HTML of siblings; `tagAt`
 * answers the tag that a sibling is, if it is one.
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
