/**
 * Converts the HTML of the vendor's exports, and plain HTML, to blocks.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { fromCodeInfo } from "../../../content/markdown/code_info.ts";
import { plainItems, splitItems } from "../../../content/markdown/rich_text_limits.ts";
import { isEmoji } from "../../../content/values/icons.ts";
import { type BlockBody, makeBlock, openBlock } from "../links/blocks.ts";
import { COLORS } from "./colors.ts";
import {
  attribute,
  type ChildNode,
  classesOf,
  type Element,
  elementsOf,
  findAll,
  findFirst,
  hasClass,
  isElement,
  textIn,
} from "./elements.ts";
import { BLOCK_TAGS, equationIn, phrasing } from "./phrasing.ts";

/** The blocks of nodes. Text between elements becomes paragraphs. */
export function flow(nodes: readonly ChildNode[]): BlockInput[] {
  const blocks: BlockInput[] = [];
  let text: ChildNode[] = [];
  const endText = () => {
    const rich_text = phrasing(text);
    if (rich_text.length > 0) blocks.push(...texts("paragraph", { rich_text }));
    text = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !BLOCK_TAGS.has(node.tagName)) {
      // An image between blocks is one itself.
      if (isElement(node) && node.tagName === "img") {
        endText();
        blocks.push(...image(node, []));
      } else text.push(node);
      continue;
    }
    endText();
    // Parsers move the children of a `<p>` behind it, indented.
    if (hasClass(node, "indented")) addChildren(blocks, flow(node.childNodes));
    else blocks.push(...block(node));
  }
  endText();
  return blocks;
}

function addChildren(blocks: BlockInput[], children: readonly BlockInput[]): void {
  const last = blocks.pop();
  const { type, body } = openBlock(last ?? { paragraph: { rich_text: [] } });
  blocks.push(makeBlock(type, { ...body, children: [...body.children ?? [], ...children] }));
}

function block(element: Element): BlockInput[] {
  switch (element.tagName) {
    case "p":
      return paragraph(element);
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return texts(
        headingType(element),
        withColor(element, { rich_text: phrasing(element.childNodes) }),
      );
    case "ul":
    case "ol":
      return list(element);
    case "details":
      return details(element);
    case "blockquote":
      return texts("quote", withColor(element, textAndChildren(element.childNodes)));
    case "pre":
      return code(element);
    case "hr":
      return [{ divider: {} }];
    case "figure":
    case "aside":
      return figure(element);
    case "table":
      return table(element);
    case "nav":
      return hasClass(element, "table_of_contents")
        ? [{ table_of_contents: {} }]
        : flow(element.childNodes);
    default:
      return container(element);
  }
}

/** A block with this text, and paragraphs for what is too long for it. */
function texts(type: string, body: BlockBody): BlockInput[] {
  const [rich_text = [], ...more] = splitItems(body.rich_text ?? []);
  const rest = more.map((text): BlockInput => ({ paragraph: { rich_text: text } }));
  return [makeBlock(type, { ...body, rich_text }), ...rest];
}

function paragraph(element: Element): BlockInput[] {
  const body = textAndChildren(element.childNodes);
  const isEmpty = body.rich_text?.length === 0 && body.children === undefined;
  // Parsers leave an empty paragraph without an ID where they move blocks out of one.
  if (isEmpty && attribute(element, "id") === "") return [];
  return texts("paragraph", withColor(element, body));
}

function headingType({ tagName }: Element): string {
  return tagName === "h1" || tagName === "h2" ? tagName.replace("h", "heading_") : "heading_3";
}

/** The text at the start of nodes, and the blocks in and behind it. */
function textAndChildren(nodes: readonly ChildNode[]): BlockBody {
  const first = nodes.findIndex((node) => isElement(node) && BLOCK_TAGS.has(node.tagName));
  const end = first < 0 ? nodes.length : first;
  const rich_text = phrasing(nodes.slice(0, end));
  const blocks = nodes.slice(end).flatMap((node) =>
    isElement(node) && hasClass(node, "indented") ? flow(node.childNodes) : flow([node])
  );
  const [head] = blocks;
  const isText = rich_text.length === 0 && head?.paragraph !== undefined;
  const children = isText ? blocks.slice(1) : blocks;
  const own = isText ? head?.paragraph?.children ?? [] : [];
  const all = [...own, ...children];
  return {
    rich_text: isText ? head?.paragraph?.rich_text ?? [] : rich_text,
    ...(all.length > 0 && { children: all }),
  };
}

function withColor(element: Element, body: BlockBody): BlockBody {
  const name = [...classesOf(element)].map((one) => /^block-color-(\w+)$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  const color = COLORS.get(name ?? "");
  return color === undefined ? body : { ...body, ...{ color } };
}

function list(element: Element): BlockInput[] {
  const isTasks = hasClass(element, "to-do-list");
  const isToggle = hasClass(element, "toggle");
  const type = element.tagName === "ol" ? "numbered_list_item" : "bulleted_list_item";
  return elementsOf(element).filter(({ tagName }) => tagName === "li").flatMap((item) => {
    const inner = findFirst(item, ({ tagName }) => tagName === "details");
    if (isToggle && inner !== undefined) return details(inner);
    if (isTasks || checkboxOf(item) !== undefined) return [task(item)];
    return texts(type, withColor(element, textAndChildren(item.childNodes)));
  });
}

function checkboxOf(item: Element): Element | undefined {
  return elementsOf(item).find((one) =>
    hasClass(one, "checkbox") || one.tagName === "input" && attribute(one, "type") === "checkbox"
  );
}

function task(item: Element): BlockInput {
  const box = checkboxOf(item);
  const checked = box !== undefined &&
    (hasClass(box, "checkbox-on") || box.attrs.some(({ name }) => name === "checked"));
  const body = textAndChildren(item.childNodes.filter((node) => node !== box));
  return makeBlock("to_do", { ...body, ...{ checked } });
}

function details(element: Element): BlockInput[] {
  const summary = elementsOf(element).find(({ tagName }) => tagName === "summary");
  const heading = summary && elementsOf(summary).find(({ tagName }) => /^h[1-6]$/.test(tagName));
  const rich_text = phrasing((heading ?? summary)?.childNodes ?? []);
  const children = flow(element.childNodes.filter((node) => node !== summary));
  const body = { rich_text, ...(children.length > 0 && { children }) };
  if (heading === undefined) return texts("toggle", body);
  return [makeBlock(headingType(heading), { ...body, ...{ is_toggleable: true } })];
}

function code(element: Element): BlockInput[] {
  const inner = findFirst(element, ({ tagName }) => tagName === "code") ?? element;
  const name = [...classesOf(inner)].map((one) => /^language-(.+)$/i.exec(one)?.[1])
    .find((one) => one !== undefined);
  const { language } = fromCodeInfo({ lang: name ?? null });
  return splitItems(plainItems(textIn(inner))).map((rich_text) => ({
    code: { rich_text, language },
  }));
}

function figure(element: Element): BlockInput[] {
  const classes = classesOf(element);
  if (classes.has("callout") || element.tagName === "aside") return [callout(element)];
  const caption = phrasing(
    findFirst(element, ({ tagName }) => tagName === "figcaption")?.childNodes ?? [],
  );
  const formula = classes.has("equation") ? equationIn(element) : undefined;
  if (formula !== undefined) return [{ equation: { expression: formula } }];
  const picture = findFirst(element, ({ tagName }) => tagName === "img");
  const link = findFirst(element, ({ tagName }) => tagName === "a");
  const url = link === undefined ? "" : attribute(link, "href");
  if (classes.has("image") && picture !== undefined) return image(picture, caption, url);
  if (url === "") return flow(element.childNodes);
  if (link !== undefined && hasClass(link, "bookmark")) return [{ bookmark: { url, caption } }];
  if (findFirst(element, (one) => hasClass(one, "source")) !== undefined) {
    const name = textIn(link).trim() || url;
    return [{
      paragraph: { rich_text: [{ text: { content: name.slice(0, 2_000), link: { url } } }] },
    }];
  }
  return [{
    paragraph: { rich_text: phrasing(link?.childNodes ?? []).map((item) => linked(item, url)) },
  }];
}

type Item = ReturnType<typeof phrasing>[number];

function linked(item: Item, url: string): Item {
  return "text" in item ? { ...item, text: { ...item.text, link: { url } } } : item;
}

/** A picture. Exports link it to its file. */
function image(element: Element, caption: Item[], link = ""): BlockInput[] {
  const source = attribute(element, "src");
  const url = /^(?:https?|data):/.test(source) || link === "" ? source : link;
  return url === "" || url.startsWith("data:") ? [] : [{ image: { external: { url }, caption } }];
}

function callout(element: Element): BlockInput {
  const icon = findFirst(element, (one) => hasClass(one, "icon"));
  const emoji = icon === undefined ? "" : attribute(icon, "data-emoji") || textIn(icon).trim();
  const picture = icon !== undefined && icon.tagName === "img" ? attribute(icon, "src") : "";
  const holder = elementsOf(element).at(-1);
  const isDivided = elementsOf(element).length > 1 && holder?.tagName === "div";
  const nodes = isDivided ? holder.childNodes : element.childNodes.filter((node) => node !== icon);
  const look = isEmoji(emoji)
    ? { icon: { emoji } }
    : /^https?:/.test(picture)
    ? { icon: { external: { url: picture } } }
    : {};
  return makeBlock("callout", { ...withColor(element, textAndChildren(nodes)), ...look });
}

function table(element: Element): BlockInput[] {
  const rows = findAll(element, ({ tagName }) => tagName === "tr").map((row) =>
    elementsOf(row).filter(({ tagName }) => tagName === "td" || tagName === "th")
  );
  const width = Math.max(0, ...rows.map(({ length }) => length));
  // The rows of a database are files of their own.
  const isDatabase = hasClass(element, "collection-content");
  if (isDatabase || width === 0 || width > 100) return [];
  const children = rows.map((cells): BlockInput => ({
    table_row: {
      cells: Array.from(
        { length: width },
        (_, at) => phrasing(cells[at]?.childNodes ?? []).slice(0, 100),
      ),
    },
  }));
  const head = findFirst(element, ({ tagName }) => tagName === "thead");
  const has_column_header = head !== undefined ||
    (rows[0] ?? []).every((cell) => cell.tagName === "th");
  return [{ table: { table_width: width, has_column_header, children } }];
}

function container(element: Element): BlockInput[] {
  if (hasClass(element, "column-list")) {
    const columns = elementsOf(element).map((column): BlockInput => {
      const children = flow(column.childNodes);
      return {
        column: { children: children.length > 0 ? children : [{ paragraph: { rich_text: [] } }] },
      };
    });
    return columns.length >= 2
      ? [{ column_list: { children: columns } }]
      : columns.flatMap(({ column }) => [...column?.children ?? []]);
  }
  if (hasClass(element, "collection-content")) return [];
  const formula = equationIn(element);
  return formula === undefined ? flow(element.childNodes) : [{ equation: { expression: formula } }];
}
