/**
 * Blocks that are printed as a paragraph with one link, whose title names the type; and paragraphs
 * that hold images alone.
 *
 * @module
 */
import type { Image, ImageReference, Link, Paragraph } from "mdast";

/** Types of blocks that lead to something. */
export const LINK_TYPES = [
  "bookmark",
  "embed",
  "video",
  "pdf",
  "audio",
  "file",
  "link_preview",
  "link_to_page",
  "child_page",
  "child_database",
] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** Title of a link that is a mention. */
export const MENTION = "mention";

const TITLE = new RegExp(`^(${LINK_TYPES.join("|")})(?:: (.*))?$`, "s");

/** The title of the link; a file's has its name, a single line. */
export function linkTitle(type: LinkType, name: string): string {
  return name === "" ? type : `${type}: ${name}`;
}

/** What a paragraph's only link stands for; undefined where it is a text like any other. */
export function linkForm(
  { children }: Paragraph,
): { readonly type: LinkType; readonly name: string; readonly link: Link } | undefined {
  const [link] = children;
  if (children.length !== 1 || link?.type !== "link") return undefined;
  const [, type, name = ""] = TITLE.exec(link.title ?? "") ?? [];
  const found = LINK_TYPES.find((one) => one === type);
  return found && { type: found, name, link };
}

/** The images of a paragraph that holds nothing else but space; none where it is a text. */
export function imagesOf({ children }: Paragraph): (Image | ImageReference)[] {
  const images = children.filter((child) =>
    child.type === "image" || child.type === "imageReference"
  );
  const rest = children.filter((child) => !isSpace(child)).length;
  return images.length === rest ? images : [];
}

/** Whether a paragraph is a block of another type. */
export function isForm(paragraph: Paragraph): boolean {
  return linkForm(paragraph) !== undefined || imagesOf(paragraph).length > 0;
}

function isSpace(child: Paragraph["children"][number]): boolean {
  return child.type === "break" || child.type === "text" && child.value.trim() === "";
}
