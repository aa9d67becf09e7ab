/**
 * Tags and lists of attributes in enhanced Markdown.
 *
 * @module
 */
import { type Color, color } from "../../values/colors.ts";

/** Attributes by name. */
export type Attributes = ReadonlyMap<string, string>;

/** A tag: opening, closing, or an element without content (`whole`). */
export interface Element {
  readonly kind: "open" | "close" | "whole";
  readonly name: string;
  readonly attributes: Attributes;
}

const NONE: Attributes = new Map();
const TAG = /^<(\/?)([a-z][a-z_-]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*(\/?)>$/;
const ATTRIBUTE = /([a-zA-Z-]+)(?:="([^"]*)")?/g;
const LIST = /^(?:\s*[a-zA-Z-]+="[^"]*")+\s*$/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ['"', "&quot;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"],
]);
const CHARACTERS = new Map([...ENTITIES].map(([character, entity]) => [entity, character]));

/** Parses HTML that is exactly one tag; undefined for anything else. */
export function parseElement(html: string): Element | undefined {
  const [, slash, name, attributes = "", whole] = TAG.exec(html) ?? [];
  if (name === undefined) return undefined;
  const kind = slash ? "close" : whole ? "whole" : "open";
  return { kind, name, attributes: attributesIn(attributes) };
}

/** The tag at the start of a text, and the text behind it; undefined if there is none. */
export function leadingElement(
  text: string,
): { readonly element: Element; readonly rest: string } | undefined {
  if (!text.startsWith("<")) return undefined;
  const end = text.indexOf(">");
  const element = end < 0 ? undefined : parseElement(text.slice(0, end + 1));
  return element && { element, rest: text.slice(end + 1) };
}

/** A text without the list of attributes at its end, and these attributes. */
export function trailingAttributes(
  line: string,
): { readonly text: string; readonly attributes: Attributes } {
  const text = line.trimEnd();
  const start = text.endsWith("}") ? text.lastIndexOf("{") : -1;
  if (start < 0 || text[start - 1] === "\\" || !LIST.test(text.slice(start + 1, -1))) {
    return { text: line, attributes: NONE };
  }
  return {
    text: text.slice(0, start).trimEnd(),
    attributes: attributesIn(text.slice(start + 1, -1)),
  };
}

function attributesIn(text: string): Attributes {
  if (text.trim() === "") return NONE;
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = "", value = "true"]) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  return text.replace(/&(?:[a-z]+|#\d+);/g, (entity) => CHARACTERS.get(entity) ?? entity);
}

type Given = Readonly<Record<string, string | undefined>>;

/** An opening tag; undefined attributes are left out. */
export function openElement(name: string, attributes: Given = {}): string {
  return `<${name}${printAttributes(attributes)}>`;
}

/** A tag without content. */
export function wholeElement(name: string, attributes: Given = {}): string {
  return `<${name}${printAttributes(attributes)}/>`;
}

/** A list of attributes behind a text; `""` if there are none. */
export function attributeList(attributes: Given): string {
  const list = printAttributes(attributes).slice(1);
  return list === "" ? "" : ` {${list}}`;
}

function printAttributes(attributes: Given): string {
  return Object.entries(attributes).map(([name, value]) =>
    value === undefined ? "" : ` ${name}="${escape(value)}"`
  ).join("");
}

function escape(text: string): string {
  return text.replace(/[&"<>\n\r]/g, (character) => ENTITIES.get(character) ?? character);
}

/** The color that an attribute names: `blue_bg` is `blue_background`. */
export function colorIn(attributes: Attributes): Color | undefined {
  const name = attributes.get("color")?.replace(/_bg$/, "_background");
  return color.options.find((one) => one === name);
}

/** The name of a color in attributes; undefined for the default. */
export function colorName(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "default") return undefined;
  return value.replace(/_background$/, "_bg");
}
