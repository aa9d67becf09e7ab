/**
 * All in which Markdown that went through blocks may differ from what it was, and nothing else.
 * `docs/markdown.md` says the same to clients.
 *
 * @module
 */
import type {
  Code,
  Definition,
  List,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
} from "mdast";
import { fromCodeInfo, toCodeInfo } from "../../../src/content/markdown/code_info.ts";

type Definitions = ReadonlyMap<string, Definition>;
type Canonical = Readonly<Record<string, unknown>>;

/** A tree as it is compared. */
export function normalised(root: Root): Canonical[] {
  return flowOf(root.children, definitionsIn(root));
}

function flowOf(content: readonly RootContent[], definitions: Definitions): Canonical[] {
  const joined: Canonical[] = [];
  for (const node of content.flatMap((node) => blockOf(node, definitions))) {
    const last = joined.at(-1);
    // Neighbouring lists of one kind are one list.
    if (node.type === "list" && last?.type === "list" && last.ordered === node.ordered) {
      joined[joined.length - 1] = { ...last, items: [...itemsIn(last), ...itemsIn(node)] };
    } else joined.push(node);
  }
  return joined;
}

function itemsIn({ items }: Canonical): unknown[] {
  return Array.isArray(items) ? items : [];
}

function blockOf(node: RootContent, definitions: Definitions): Canonical[] {
  switch (node.type) {
    case "paragraph":
      return paragraphOf(node, definitions);
    case "heading":
      // There are three levels of headings.
      return [{
        type: "heading",
        depth: Math.min(node.depth, 3),
        runs: runsOf(node.children, definitions),
      }];
    case "blockquote":
      return [{ type: "quote", content: flowOf(node.children, definitions) }];
    case "list":
      return [listOf(node, definitions)];
    case "code":
      return [codeOf(node)];
    case "html":
      // An empty comment is nothing, a break alone an empty paragraph; other HTML is kept as code.
      if (node.value === "<!-- -->") return [];
      if (node.value === "<br>") return [{ type: "paragraph", runs: [] }];
      return [codeOf({ type: "code", lang: "html", value: node.value })];
    case "table":
      return [tableOf(node, definitions)];
    case "math":
      return [{ type: "math", value: node.value }];
    case "definition":
      // What a reference leads to stands in its link.
      return [];
    default:
      return [{ type: node.type }];
  }
}

function paragraphOf({ children }: Paragraph, definitions: Definitions): Canonical[] {
  // Images that share a paragraph with nothing else get one each.
  const images = children.filter(isImage).map((image) => ({
    type: "image",
    url: image.type === "image" ? image.url : definitions.get(image.identifier)?.url ?? "",
    alt: image.alt ?? "",
  }));
  const others = children.filter((child) =>
    !isImage(child) && (child.type !== "text" || child.value.trim() !== "")
  );
  const isForm = images.length > 0 && others.length === 0 && images.every(({ url }) => url !== "");
  return isForm ? images : [{ type: "paragraph", runs: runsOf(children, definitions) }];
}

function isImage(
  node: PhrasingContent,
): node is Extract<PhrasingContent, { type: "image" | "imageReference" }> {
  return node.type === "image" || node.type === "imageReference";
}

/** Where a list begins to count, and whether it is loose, is not kept. */
function listOf({ ordered, children }: List, definitions: Definitions): Canonical {
  const items = children.map((item) => ({
    checked: item.checked ?? null,
    content: flowOf(item.children, definitions),
  }));
  return { type: "list", ordered: ordered === true, items };
}

/** A language has one name; one that is unknown, and all behind it, is a caption. */
function codeOf(node: Code): Canonical {
  const { language, caption } = fromCodeInfo(node);
  return { type: "code", ...toCodeInfo(language, caption), value: node.value };
}

/** Columns are not aligned, and every row is as long as the first. */
function tableOf({ children }: Table, definitions: Definitions): Canonical {
  const rows = children.map((row) =>
    row.children.map((cell) => runsOf(cell.children, definitions))
  );
  const width = Math.max(...rows.map((row) => row.length));
  return {
    type: "table",
    rows: rows.map((row) => Array.from({ length: width }, (_, index) => row[index] ?? [])),
  };
}

interface Run {
  readonly text: string;
  readonly marks: string;
}

/** A text is a row of runs, each with the set of its marks, in whatever order they were nested. */
function runsOf(content: readonly PhrasingContent[], definitions: Definitions): Run[] {
  const runs: { text: string; marks: string }[] = [];
  for (const { text, marks } of content.flatMap((node) => runsIn(node, new Set(), definitions))) {
    const last = runs.at(-1);
    if (last?.marks === marks) last.text += text;
    else if (text !== "") runs.push({ text, marks });
  }
  return runs;
}

function runsIn(
  node: PhrasingContent,
  marks: ReadonlySet<string>,
  definitions: Definitions,
): Run[] {
  const run = (text: string, ...more: string[]): Run[] => [
    { text, marks: [...new Set([...marks, ...more])].sort().join(" ") },
  ];
  const inside = (children: readonly PhrasingContent[], ...more: string[]): Run[] =>
    children.flatMap((child) => runsIn(child, new Set([...marks, ...more]), definitions));
  switch (node.type) {
    case "text":
    case "html":
      // HTML in a text is text, and a line end that is no break is a space.
      return run(node.value.replaceAll("\n", " "));
    case "break":
      return [{ text: "\n", marks: "" }];
    case "inlineCode":
      return run(node.value.replaceAll("\n", " "), "code");
    case "inlineMath":
      return run(node.value, "math");
    case "link":
    case "linkReference":
      return inside(node.children, ...linkMark(targetOf(node, definitions)));
    case "image":
    case "imageReference": {
      // An image in a text is a link to it, one in a link is its text.
      const url = targetOf(node, definitions);
      const isLinked = [...marks].some((mark) => mark.startsWith("link:"));
      return run(node.alt || url, ...isLinked ? [] : linkMark(url));
    }
    case "strong":
    case "emphasis":
    case "delete":
      return inside(node.children, node.type);
    default:
      return run(node.type);
  }
}

function targetOf(
  node: { readonly url: string } | { readonly identifier: string },
  definitions: Definitions,
): string {
  return "url" in node ? node.url : definitions.get(node.identifier)?.url ?? "";
}

/** A link has no title, and one to nowhere is none. */
function linkMark(url: string): string[] {
  return url === "" ? [] : [`link:${url}`];
}

function definitionsIn(node: Nodes): Map<string, Definition> {
  if (node.type === "definition") return new Map([[node.identifier, node]]);
  if (!("children" in node)) return new Map();
  // Of several the first counts.
  return new Map(node.children.toReversed().flatMap((child) => [...definitionsIn(child)]));
}
