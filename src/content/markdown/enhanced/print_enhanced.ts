/**
 * Prints a portion of a page as enhanced Markdown: tags and attributes for what Markdown has no syntax
 * for, and tabs for children.
 *
 * @module
 */
import type { BlockValue } from "../../blocks/types.ts";
import type { Icon } from "../../values/icons.ts";
import type { UrlOf } from "../../values/page_urls.ts";
import { plainText, type RichText } from "../../values/rich_text.ts";
import { toCodeInfo } from "../code_info.ts";
import { iconText, mediaUrl } from "../to_flow.ts";
import { attributeList, colorName, openElement, wholeElement } from "./attributes.ts";
import { escapeText, printInline } from "./print_inline.ts";

/** A block with all that is shown of it. */
export interface EnhancedBlock {
  readonly id: string;
  readonly type: string;
  /** The stored value, with names filled in. */
  readonly value: BlockValue;
  /** The title of the page or database that the block is or links to; otherwise `""`. */
  readonly title: string;
  /** The number of a numbered item in its list. */
  readonly number: number;
  readonly children: readonly EnhancedBlock[];
}

export interface EnhancedOptions {
  readonly urlOf: UrlOf;
  /** Returns the URL of a block. */
  readonly blockUrl: (id: string) => string;
}

/** The text of these blocks, one line or more for each, with a line end at the end. */
export function printEnhanced(
  blocks: readonly EnhancedBlock[],
  options: EnhancedOptions,
): string {
  const lines: string[] = [];
  printAll(blocks, { ...options, indent: "", lines });
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

interface Printing extends EnhancedOptions {
  readonly indent: string;
  readonly lines: string[];
}

function printAll(blocks: readonly EnhancedBlock[], printing: Printing): void {
  for (const block of blocks) (PRINTERS.get(block.type) ?? unknown)(block, printing);
}

function below(printing: Printing): Printing {
  return { ...printing, indent: `${printing.indent}\t` };
}

function print({ indent, lines }: Printing, text: string): void {
  lines.push(text === "" ? "" : `${indent}${text}`);
}

type Printer = (block: EnhancedBlock, printing: Printing) => void;

/** A line of text behind a marker, and the children below it. */
function marked(markerOf: (block: EnhancedBlock) => string): Printer {
  return (block, printing) => {
    const { value, children } = block;
    const text = printInline(textIn(value, "rich_text"), printing.urlOf);
    const attributes = attributeList({
      toggle: value.is_toggleable === true ? "true" : undefined,
      color: colorName(value.color),
    });
    print(printing, `${markerOf(block)} ${text}${attributes}`.trimEnd());
    printAll(children, below(printing));
  };
}

const paragraph: Printer = ({ value, children }, printing) => {
  const text = printInline(textIn(value, "rich_text"), printing.urlOf);
  const color = colorName(value.color);
  print(
    printing,
    text === "" ? wholeElement("empty-block", { color }) : text + attributeList({ color }),
  );
  printAll(children, below(printing));
};

const toggle: Printer = ({ value, children }, printing) => {
  print(printing, openElement("details", { color: colorName(value.color) }));
  print(printing, `<summary>${printInline(textIn(value, "rich_text"), printing.urlOf)}</summary>`);
  printAll(children, below(printing));
  print(printing, "</details>");
};

const callout: Printer = ({ value, children }, printing) => {
  const text = printInline(textIn(value, "rich_text"), printing.urlOf);
  // Sound because a callout's icon is stored as `toIcon` returns it.
  const icon = iconText(value.icon as Icon);
  print(printing, openElement("callout", { icon, color: colorName(value.color) }));
  const inside = below(printing);
  // The first paragraph would be taken for the text.
  if (text !== "") print(inside, text);
  else if (children[0]?.type === "paragraph") print(inside, wholeElement("empty-block"));
  printAll(children, inside);
  print(printing, "</callout>");
};

const code: Printer = ({ value }, printing) => {
  const text = plainText(textIn(value, "rich_text")).replace(/\r\n?/g, "\n");
  const caption = plainText(textIn(value, "caption"));
  // The info string of a fence of backticks has no backtick.
  const mark = caption.includes("`") ? "~" : "`";
  const runs = text.match(mark === "~" ? /~{3,}/g : /`{3,}/g) ?? [];
  const fence = mark.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  print(printing, fence + infoOf(String(value.language), caption));
  // Code has no escapes: a line keeps its own indentation behind that of the block.
  for (const line of text.split("\n")) printing.lines.push(`${printing.indent}${line}`);
  print(printing, fence);
};

function infoOf(language: string, caption: string): string {
  if (caption.trim() === "") return language;
  const { lang, meta } = toCodeInfo(language, caption.replace(/\s+/g, " "));
  return [lang, meta].filter(Boolean).join(" ");
}

const equation: Printer = ({ value }, printing) => {
  const expression = String(value.expression).replace(/\r\n?/g, "\n");
  const longest = Math.max(1, ...[...expression.matchAll(/\${2,}/g)].map(([run]) => run.length));
  const fence = "$".repeat(longest + 1);
  print(printing, fence);
  for (const line of expression.split("\n")) printing.lines.push(`${printing.indent}${line}`);
  print(printing, fence);
};

const table: Printer = ({ value, children }, printing) => {
  const flag = (isSet: unknown) => isSet === true ? "true" : undefined;
  print(
    printing,
    openElement("table", {
      "header-row": flag(value.has_column_header),
      "header-column": flag(value.has_row_header),
    }),
  );
  for (const row of children) {
    // Sound because cells are stored as `toRichText` returns them.
    const cells = (row.value.cells ?? []) as RichText[];
    print(printing, "<tr>");
    for (const cell of cells) print(printing, `<td>${printInline(cell, printing.urlOf)}</td>`);
    print(printing, "</tr>");
  }
  print(printing, "</table>");
};

/** Children between two tags. */
function enclosed(
  name: string,
  attributesOf: (
    block: EnhancedBlock,
    printing: Printing,
  ) => Readonly<Record<string, string | undefined>>,
): Printer {
  return (block, printing) => {
    print(printing, openElement(name, attributesOf(block, printing)));
    printAll(block.children, below(printing));
    print(printing, `</${name}>`);
  };
}

const synced: Printer = (block, printing) => {
  // Sound because it is stored as `syncedFrom` returns it.
  const from = block.value.synced_from as { readonly block_id: string } | null | undefined;
  const name = from ? "synced_block_reference" : "synced_block";
  const url = printing.blockUrl(from ? from.block_id : block.id);
  enclosed(name, () => ({ url }))(block, printing);
};

/** A file or an address, with its caption. */
function media(tag: string): Printer {
  return ({ value }, printing) => {
    const src = typeof value.url === "string" ? value.url : mediaUrl(value);
    const name = typeof value.name === "string" && value.name !== "" ? value.name : undefined;
    const caption = printInline(textIn(value, "caption"), printing.urlOf);
    print(printing, `${openElement(tag, { src, name })}${caption}</${tag}>`);
  };
}

const image: Printer = ({ value }, printing) => {
  const url = mediaUrl(value);
  // Links inside brackets would end them.
  const caption = escapeText(plainText(textIn(value, "caption")));
  const target = /^[^\s<>()\\]+$/.test(url)
    ? url
    : `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`;
  print(printing, `![${caption}](${target})`);
};

function reference(kind: "page" | "database", { title, url }: {
  readonly title: string;
  readonly url: string;
}): string {
  return `${openElement(kind, { url })}${escapeText(title || "Untitled")}</${kind}>`;
}

const linkToPage: Printer = ({ value, title }, printing) => {
  const id = String(value[String(value.type)]);
  const kind = value.type === "database_id" ? "database" : "page";
  const url = printing.urlOf(value.type === "comment_id" ? "comment" : kind, id);
  print(printing, reference(kind, { title, url }));
};

const unknown: Printer = ({ id, type }, printing) => {
  print(printing, wholeElement("unknown", { url: printing.blockUrl(id), alt: type }));
};

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ["paragraph", paragraph],
  ["heading_1", marked(() => "#")],
  ["heading_2", marked(() => "##")],
  ["heading_3", marked(() => "###")],
  ["bulleted_list_item", marked(() => "-")],
  ["numbered_list_item", marked(({ number }) => `${number}.`)],
  ["to_do", marked(({ value }) => value.checked === true ? "- [x]" : "- [ ]")],
  ["quote", marked(() => ">")],
  ["toggle", toggle],
  ["template", toggle],
  ["callout", callout],
  ["code", code],
  ["equation", equation],
  // A page that begins with a divider must not be read as one with front matter.
  ["divider", (_, printing) => print(printing, printing.lines.length === 0 ? "***" : "---")],
  ["breadcrumb", (_, printing) => print(printing, wholeElement("breadcrumb"))],
  [
    "table_of_contents",
    ({ value }, printing) =>
      print(printing, wholeElement("table_of_contents", { color: colorName(value.color) })),
  ],
  ["table", table],
  ["column_list", enclosed("columns", () => ({}))],
  [
    "column",
    enclosed("column", ({ value }) => ({
      "width-ratio": value.width_ratio === undefined ? undefined : String(value.width_ratio),
    })),
  ],
  ["synced_block", synced],
  ["image", image],
  ...["audio", "video", "pdf", "file", "embed", "bookmark"].map(
    (tag): [string, Printer] => [tag, media(tag)],
  ),
  ["link_preview", media("bookmark")],
  ["link_to_page", linkToPage],
  [
    "child_page",
    ({ id, title }, printing) =>
      print(printing, reference("page", { title, url: printing.urlOf("page", id) })),
  ],
  [
    "child_database",
    ({ id, title }, printing) =>
      print(printing, reference("database", { title, url: printing.urlOf("database", id) })),
  ],
]);

function textIn(value: BlockValue, key: "rich_text" | "caption"): RichText {
  // Sound because rich text is stored as `toRichText` returns it.
  return (value[key] ?? []) as RichText;
}
