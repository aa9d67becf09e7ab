/**
 * Recognizes paragraphs that stand for other blocks: a single link whose title names the type, or
 * only images.
 *
 * @module
 */
import type { Image, ImageReference, Link, Paragraph } from "mdast";
import { blockKinds } from "../blocks/kinds.ts";
import type { BlockType } from "../blocks/types.ts";
import { defaultForm } from "./default_form.ts";

/** Types of blocks that are printed as a link. */
const LINK_TYPES: readonly BlockType[] = [
  ...blockKinds.filter((kind) => defaultForm(kind) === "link").map(({ type }) => type),
  "link_to_page",
  "child_page",
  "child_database",
];

/** Title of a link that stands for a mention. */
export const MENTION = "mention";

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

/** The images of a paragraph that contains only images and space; otherwise none. */
export function imagesOf({ children }: Paragraph): (Image | ImageReference)[] {
  const images = children.filter((child) =>
    child.type === "image" || child.type === "imageReference"
  );
  const rest = children.filter((child) => !isSpace(child)).length;
  return images.length === rest ? images : [];
}

/** Whether a paragraph stands for a block of another type. */
export function isForm(paragraph: Paragraph): boolean {
  return linkForm(paragraph) !== undefined || imagesOf(paragraph).length > 0;
}

function isSpace(child: Paragraph["children"][number]): boolean {
  return child.type === "break" || child.type === "text" && child.value.trim() === "";
}
