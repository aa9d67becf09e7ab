import type { BlockContent, PhrasingContent, RootContent } from "mdast";
import fc from "fast-check";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mathToMarkdown } from "mdast-util-math";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { printMarkdown, UNSAFE } from "../../../src/content/markdown/print_markdown.ts";
import { assertEquals } from "../../assert.ts";

/** Prints with the library's own handlers. */
const LIBRARY: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false, tableCellPadding: true }), mathToMarkdown()],
  unsafe: [...UNSAFE],
  bullet: "-",
  rule: "*",
};

const character = fc.oneof(
  fc.constantFrom(...".,:;!?'\"()-+=#>|$@/&<[]{}*_`~^% \t\n\r\\wWps019azé中"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
// Words are printed without the library.
const value = fc.oneof(
  fc.array(character, { minLength: 1, maxLength: 8 }).map((all) => all.join("")),
  fc.string({ unit: fc.constantFrom(..."ab1é中. ,"), maxLength: 5 }),
);
const text: fc.Arbitrary<PhrasingContent> = value.map((value) => ({ type: "text", value }));
const children = fc.array(
  fc.oneof(
    text,
    fc.record({
      type: fc.constantFrom("strong", "emphasis", "delete"),
      children: fc.array(text, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      type: fc.constant("link"),
      url: fc.constantFrom("http://a.b", "/a b", "a(b", ""),
      children: fc.array(text, { minLength: 1, maxLength: 2 }),
    }),
    fc.constantFrom<PhrasingContent>({ type: "break" }, { type: "inlineCode", value: "c" }),
  ),
  { minLength: 1, maxLength: 4 },
);

Deno.test("printMarkdown() prints the same as the library, with and without its shortcuts", () => {
  const block = fc.tuple(children, fc.nat({ max: 4 })).map(([children, place]) =>
    PLACES[place]?.(children as PhrasingContent[]) ?? { type: "thematicBreak" }
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 2 }), (children) => {
      const root = structuredClone(children) as RootContent[];
      assertEquals(printMarkdown(root), toMarkdown({ type: "root", children: root }, LIBRARY));
    }),
    { numRuns: 10_000, examples: [[[apart("W", ".", "a")]]] },
  );
});

/** A paragraph whose text is in several nodes. */
const apart = (...values: string[]): RootContent => ({
  type: "paragraph",
  children: values.map((value) => ({ type: "text", value })),
});

const item = (children: BlockContent[]): BlockContent => ({
  type: "list",
  ordered: true,
  children: [{ type: "listItem", spread: true, children }],
});

const PLACES: readonly ((children: PhrasingContent[]) => RootContent)[] = [
  (children) => ({ type: "paragraph", children }),
  (children) => ({ type: "heading", depth: 3, children }),
  (children) => ({
    type: "list",
    children: [{ type: "listItem", children: [{ type: "paragraph", children }] }],
  }),
  (children) => ({
    type: "table",
    children: [{ type: "tableRow", children: [{ type: "tableCell", children }] }],
  }),
  (children) =>
    item([
      { type: "paragraph", children },
      { type: "code", value: "a\n\n  b\n" },
      { type: "blockquote", children: [item([{ type: "paragraph", children }]), item([])] },
    ]),
];
