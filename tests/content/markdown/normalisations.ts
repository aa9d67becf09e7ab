/**
 * Every difference that converting Markdown to blocks and back may make, as normalisations of its
 * tree. `docs/markdown.md` lists them for clients.
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

/** The normalised tree. */
export function normalised(root: Root): Canonical[] {
  return flowOf(root.children, definitionsIn(root));
}

function flowOf(content: readonly RootContent[], definitions: Definitions): Canonical[] {
  const joined: Canonical[] = [];
  for (const node of content.flatMap((node) => blockOf(node, definitions))) {
    const last = joined.at(-1);
    // Neighbouring lists of the same kind are joined.
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
      // Headings have three levels.
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
      // An empty comment is dropped, a break alone is an empty paragraph, and other HTML becomes
      // code.
      if (node.value === "<!-- -->") return [];
      if (node.value === "<br>") return [{ type: "paragraph", runs: [] }];
      return [codeOf({ type: "code", lang: "html", value: node.value })];
    case "table":
      return [tableOf(node, definitions)];
    case "math":
      return [{ type: "math", value: node.value }];
    case "definition":
      // References are resolved to links.
      return [];
    default:
      return [{ type: node.type }];
  }
}

function paragraphOf({ children }: Paragraph, definitions: Definitions): Canonical[] {
  // Images that share a paragraph only with images get a paragraph each.
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

/** The start of a list and whether it is loose are lost. */
function listOf({ ordered, children }: List, definitions: Definitions): Canonical {
  const items = children.map((item) => ({
    checked: item.checked ?? null,
    content: flowOf(item.children, definitions),
  }));
  return { type: "list", ordered: ordered === true, items };
}

/** Languages have one name; an unknown one, with everything after it, becomes a caption. */
function codeOf(node: Code): Canonical {
  const { language, caption } = fromCodeInfo(node);
  return { type: "code", ...toCodeInfo(language, caption), value: node.value };
}

/** Columns lose their alignment, and rows have the length of the first. */
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

/** A text becomes a list of runs, each with its set of marks; their nesting does not matter. */
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
      // Inline HTML becomes text, and a soft line break becomes a space.
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
      // An inline image becomes a link, or text if it is inside a link.
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

/** Links lose their title, and links without a target become text. */
function linkMark(url: string): string[] {
  return url === "" ? [] : [`link:${url}`];
}

function definitionsIn(node: Nodes): Map<string, Definition> {
  if (node.type === "definition") return new Map([[node.identifier, node]]);
  if (!("children" in node)) return new Map();
  // The first of several definitions counts.
  return new Map(node.children.toReversed().flatMap((child) => [...definitionsIn(child)]));
}
