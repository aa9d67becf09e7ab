/**
 * Wiki links, embeds and highlights in rich text.
 *
 * @module
 */
import type { RichTextItemInput } from "../../../content/values/rich_text.ts";
import { type LinkTarget, targetUrl } from "../links/target.ts";

type TextItem = Extract<RichTextItemInput, { readonly text: unknown }>;

/** Finds what `[[name]]` means; undefined if there is nothing with this name. */
export type ResolveName = (name: string) => LinkTarget | undefined;

const TOKEN = /!?\[\[([^\[\]\n]{1,500})\]\]|==(?=\S)(.{1,1900}?\S)==/g;

/** Replaces the wiki syntax in an item. `missing` is told of names that lead nowhere. */
export function wikiItems(
  item: RichTextItemInput,
  resolve: ResolveName,
  missing: (name: string) => void,
): RichTextItemInput[] {
  if (!("text" in item) || item.annotations?.code || item.text.link) return [item];
  const { content } = item.text;
  if (!/\[\[|==/.test(content)) return [item];
  const items: RichTextItemInput[] = [];
  let end = 0;
  for (const match of content.matchAll(TOKEN)) {
    const [all, link, marked] = match;
    items.push(withText(item, content.slice(end, match.index)));
    end = match.index + all.length;
    if (marked !== undefined) items.push(highlight(withText(item, marked)));
    else items.push(linkItem(item, link ?? "", { resolve, missing }));
  }
  items.push(withText(item, content.slice(end)));
  return items.filter((one) => !("text" in one) || one.text.content !== "");
}

function linkItem(
  item: TextItem,
  link: string,
  { resolve, missing }: {
    readonly resolve: ResolveName;
    readonly missing: (name: string) => void;
  },
): TextItem {
  const [path = "", label] = link.split(/\\?\|(.*)/s);
  const [name = "", section = ""] = path.split(/#(.*)/s);
  const target = resolve(name.trim());
  const shown = label !== undefined && !/^\d+(?:x\d+)?$/.test(label) ? label : undefined;
  const text = shown ?? (name === "" ? section.replace(/^\^/, "") : name.replace(/\.md$/i, ""));
  if (target === undefined) missing(path);
  return {
    ...item,
    text: { content: text || path, ...(target && { link: { url: targetUrl(target) } }) },
  };
}

function withText(item: TextItem, content: string): TextItem {
  return { ...item, text: { ...item.text, content } };
}

function highlight(item: TextItem): TextItem {
  return { ...item, annotations: { ...item.annotations, color: "yellow_background" } };
}
