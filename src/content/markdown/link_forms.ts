/**
 * Recognizes paragraphs that stand for other blocks: a single link whose title names the type, or
 * only images.
 *
 * @module
 */
import type { Image, ImageReference, Link, LinkReference, Paragraph } from "mdast";
import { blockKinds } from "../blocks/kinds.ts";
import type { BlockType } from "../blocks/types.ts";
import { normalizeId } from "../values/ids.ts";
import { type Addressed, idInUrl, kindInUrl } from "../values/page_urls.ts";
import { defaultForm } from "./default_form.ts";

/** Types of blocks that are printed as a link. */
const LINK_TYPES: readonly BlockType[] = [
  ...blockKinds.filter((kind) => defaultForm(kind) === "link").map(({ type }) => type),
  "link_to_page",
  "child_page",
  "child_database",
];

/** Title of a link that stands for a mention. */
const MENTION = "mention";
const MENTION_TITLE = /^mention(?:: (user|page|database))?$/;

/** The title of a link to an object, with the kind of object if the URL does not say it. */
export function targetTitle(title: string, kind: Addressed, url: string): string {
  return kindInUrl(url) === kind || kind === "page" ? title : `${title}: ${kind}`;
}

/** The title of a link that stands for a mention. */
export function mentionTitle(kind: Addressed, url: string): string {
  return targetTitle(MENTION, kind, url);
}

/** Returns the mention that a link stands for; undefined for other links. */
export function mentionIn(
  url: string,
  title: string | null | undefined,
): { readonly kind: Addressed; readonly id: string } | undefined {
  const match = MENTION_TITLE.exec(title ?? "");
  return match === null ? undefined : targetIn(url, match[1]);
}

/** The object that a URL leads to, with the kind that its title names. */
export function targetIn(
  url: string,
  named: string | undefined,
): { readonly kind: Addressed; readonly id: string } | undefined {
  const id = idInUrl(url);
  if (id === undefined) return undefined;
  const kind = KINDS.find((one) => one === named) ?? kindInUrl(url) ?? "page";
  return { kind, id: normalizeId(id) };
}

const KINDS: readonly Addressed[] = ["user", "page", "database", "comment"];

const TITLE = new RegExp(`^(${LINK_TYPES.join("|")})(?:: (.*))?$`, "s");

/** The title of the link; for a file, with its name in a single line. */
export function linkTitle(type: BlockType, name: string): string {
  return name === "" ? type : `${type}: ${name}`;
}

/** The type that a paragraph with a single link stands for; undefined for an ordinary paragraph. */
export function linkForm(
  { children }: Paragraph,
): { readonly type: BlockType; readonly name: string; readonly link: Link } | undefined {
  const [link] = children;
  if (children.length !== 1 || link?.type !== "link") return undefined;
  const [, type, name = ""] = TITLE.exec(link.title ?? "") ?? [];
  const linkType = LINK_TYPES.find((one) => one === type);
  return linkType && { type: linkType, name, link };
}

/** An image, and the link around it. */
export interface LinkedImage {
  readonly image: Image | ImageReference;
  readonly link: Link | LinkReference | undefined;
}

/**
 * The images of a paragraph that contains only images and space, in links or not; otherwise none.
 */
export function imagesOf({ children }: Paragraph): LinkedImage[] {
  const images: LinkedImage[] = [];
  for (const child of children) {
    if (isSpace(child)) continue;
    const link = child.type === "link" || child.type === "linkReference" ? child : undefined;
    const inside = link === undefined ? [child] : link.children.filter((one) => !isSpace(one));
    for (const image of inside) {
      if (image.type !== "image" && image.type !== "imageReference") return [];
      images.push({ image, link });
    }
    if (inside.length === 0) return [];
  }
  return images;
}

/** Returns whether a paragraph stands for a block of another type. */
export function isForm(paragraph: Paragraph): boolean {
  return linkForm(paragraph) !== undefined || imagesOf(paragraph).length > 0;
}

function isSpace(child: Paragraph["children"][number]): boolean {
  return child.type === "break" || child.type === "text" && child.value.trim() === "";
}
