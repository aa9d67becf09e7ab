/**
 * Shared by the tests of Markdown: conversion of blocks to text and back, and what must be
 * preserved.
 *
 * @module
 */
import { BLOCK_TYPES, type BlockInput } from "../../../src/content/blocks/mod.ts";
import { readMarkdown } from "../../../src/content/markdown/read_markdown.ts";
import {
  type MarkdownVariant,
  type PortionData,
  printPortion,
} from "../../../src/content/markdown/print_portion.ts";
import {
  renderContent,
  type RenderContext,
  type RenderedPage,
} from "../../../src/content/markdown/render_page.ts";
import type { Node } from "../../../src/content/schema/node.ts";
import { fillMentions } from "../../../src/content/values/mentions.ts";
import type { Annotations, RichText } from "../../../src/content/values/rich_text.ts";
import { urlsAt } from "../../../src/content/values/page_urls.ts";
import { drafted, PAGE } from "../blocks_helpers.ts";

const NOBODY: RenderContext = {
  names: { users: new Map(), titles: new Map() },
  publicUrl: "https://recto.test",
};

/**
 * The Markdown of nodes in parts, and the blocks it does not show. Names in mentions are unknown.
 */
export async function rendered(
  nodes: readonly (Node & { readonly length?: number })[],
  variant?: MarkdownVariant,
  onPortion: (portion: PortionData) => void = () => {},
): Promise<Omit<RenderedPage, "parts"> & { readonly parts: readonly string[] }> {
  const docs = new Map(nodes.map(({ id, doc }) => [id, doc]));
  const docsOf = () => Promise.resolve((id: string) => docs.get(id));
  const content = nodes.map((node) => ({ length: node.doc.length, ...node }));
  const { parts, ...ids } = renderContent(PAGE, content, {
    ...NOBODY,
    variant,
    docsOf,
    print: async ({ load }) => {
      const portion = await load();
      onPortion(portion);
      return printPortion(portion);
    },
  });
  return { parts: await Array.fromAsync(parts), ...ids };
}

/** Converts blocks to Markdown. */
export async function printed(blocks: readonly BlockInput[]): Promise<string> {
  return (await rendered(drafted(blocks))).parts.join("");
}

/** Converts blocks to enhanced Markdown. */
export async function printedEnhanced(blocks: readonly BlockInput[]): Promise<string> {
  return (await rendered(drafted(blocks), "enhanced")).parts.join("");
}

/** Converts Markdown to blocks. */
export function read(markdown: string): readonly BlockInput[] {
  return readMarkdown(markdown).blocks;
}

/** Blocks after conversion to Markdown and back. */
export async function returned(blocks: readonly BlockInput[]): Promise<readonly BlockInput[]> {
  return read(await printed(blocks));
}

/** A block's type, texts and children. */
export interface Outline {
  readonly type: string;
  readonly texts: readonly string[];
  readonly children: readonly Outline[];
}

/** Returns the parts that a conversion must preserve: every text with its order and depth. */
export function outlines(blocks: readonly BlockInput[]): Outline[] {
  const below = Map.groupBy(drafted(blocks), ({ parentId }) => parentId);
  const grow = (id: string): Outline[] =>
    (below.get(id) ?? []).map((node) => ({
      type: node.type,
      texts: textsOf(
        node.type,
        JSON.parse(fillMentions(node.doc, { ...NOBODY.names, urlOf: urlsAt(NOBODY) })),
      ),
      children: grow(node.id),
    }));
  return grow(PAGE);
}

interface Value {
  readonly rich_text?: RichText;
  readonly caption?: RichText;
  readonly cells?: readonly RichText[];
  readonly expression?: string;
  readonly url?: string;
  readonly name?: string;
  readonly external?: { readonly url: string };
}

function textsOf(type: string, value: Value): string[] {
  const { rich_text = [], caption = [], cells = [], external } = value;
  const source = (text: string) => text.replace(/\r\n?/g, "\n");
  const line = (text: string) => text.replace(/\s+/g, " ").trim();
  return [
    // Formulas are text in code, which has only line feeds.
    type === "code"
      ? source(rich_text.map(({ plain_text }) => plain_text).join(""))
      : textIn(rich_text),
    // Captions have one line.
    line(textIn(caption)),
    ...cells.map(textIn),
    source(value.expression ?? ""),
    value.url ?? external?.url ?? "",
    line(value.name ?? ""),
  ];
}

function textIn(richText: RichText): string {
  return runsOf(richText).map(({ text }) => text).join("");
}

/** A piece of text and its style. */
export interface Run {
  readonly text: string;
  readonly look: string;
}

/** Rich text with neighbours of the same style joined. */
export function runsOf(richText: RichText): Run[] {
  const runs: { text: string; look: string }[] = [];
  for (const run of richText.flatMap(runOf)) {
    const last = runs.at(-1);
    if (last?.look === run.look) last.text += run.text;
    else if (run.text !== "") runs.push({ ...run });
  }
  return runs;
}

function runOf(item: RichText[number]): Run[] {
  const look = lookOf(item.annotations);
  if (item.type === "text") return [{ text: item.plain_text, look: `${look} ${item.href}` }];
  if (item.type === "equation") {
    // Formulas have one line.
    return [{
      text: item.equation.expression.replace(/\r\n|[\r\n\uFEFF]/g, " "),
      look: `${look} formula`,
    }];
  }
  return [{ text: item.plain_text, look: `${look} null` }];
}

function lookOf(annotations: Annotations): string {
  return Object.entries(annotations).filter(([, value]) => value !== false && value !== "default")
    .map(([key, value]) => `${key} ${value}`).join();
}

/** Every type of block that a client can create. */
export const CREATED = Object.entries(BLOCK_TYPES).filter(([, spec]) => !("notCreated" in spec))
  .map(([type]) => type);
