import type { PhrasingContent, RootContent } from "mdast";
import fc from "fast-check";
import { gfmToMarkdown } from "mdast-util-gfm";
import { mathToMarkdown } from "mdast-util-math";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { printMarkdown } from "../../../src/content/markdown/print.ts";
import { assertEquals } from "../../assert.ts";

/** As `printMarkdown`, with nothing of our own. */
const LIBRARY: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false, tableCellPadding: true }), mathToMarkdown()],
  bullet: "-",
  rule: "*",
};

const character = fc.oneof(
  fc.constantFrom(...".,:;!?'\"()-+=#>|$@/&<[]{}*_`~^% \t\n\r\\wWps019azé中"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const value = fc.array(character, { minLength: 1, maxLength: 8 }).map((all) => all.join(""));
const text: fc.Arbitrary<PhrasingContent> = value.map((value) => ({ type: "text", value }));
const children = fc.array(
  fc.oneof(
    text,
    fc.array(text, { minLength: 1, maxLength: 2 }).map((children) => ({
      type: "strong",
      children,
    })),
    fc.array(text, { minLength: 1, maxLength: 2 })
      .map((children) => ({ type: "link", url: "http://a.b", children })),
    fc.constantFrom<PhrasingContent>({ type: "break" }, { type: "inlineCode", value: "c" }),
  ),
  { minLength: 1, maxLength: 4 },
);

Deno.test("printMarkdown() escapes what the library does, where it looks and where it does not", () => {
  const block = fc.tuple(children, fc.nat({ max: 3 })).map(([children, place]) =>
    PLACES[place]?.(children as PhrasingContent[]) ?? { type: "thematicBreak" }
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 2 }), (children) => {
      const root = structuredClone(children) as RootContent[];
      assertEquals(printMarkdown(root), toMarkdown({ type: "root", children: root }, LIBRARY));
    }),
    { numRuns: 5_000 },
  );
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
];
