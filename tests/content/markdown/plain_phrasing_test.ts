import type { PhrasingContent } from "mdast";
import fc from "fast-check";
import { plainPhrasing } from "../../../src/content/markdown/plain_phrasing.ts";
import { printMarkdown } from "../../../src/content/markdown/print_markdown.ts";
import { toPhrasing } from "../../../src/content/markdown/to_phrasing.ts";
import { urlsAt } from "../../../src/content/values/page_urls.ts";
import { type RichText, toRichText } from "../../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../../assert.ts";

const PLACES = ["lines", "line", "cell"] as const;

/** Rich text in a context, printed entirely by the library. */
function printedWhole(richText: RichText, place: (typeof PLACES)[number]): string {
  const urlOf = urlsAt({ publicUrl: "https://recto.test" });
  return printedIn(place, toPhrasing(richText, { urlOf, context: place }));
}

function printedIn(place: (typeof PLACES)[number], children: PhrasingContent[]): string {
  if (place === "line") return printMarkdown([{ type: "heading", depth: 2, children }]);
  if (place === "lines") return printMarkdown([{ type: "paragraph", children }]);
  const row = { type: "tableRow" as const, children: [{ type: "tableCell" as const, children }] };
  return printMarkdown([{ type: "table", children: [row] }]);
}

const character = fc.constantFrom(..." .,:;!?'\"()-+=#>|$@/&<[]{}*_`~^%\n\t\r\\\uFEFFwWps019azé中");
const content = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab1é中. ,"), maxLength: 5 }),
  fc.array(character, { maxLength: 4 }).map((all) => all.join("")),
);
const style = fc.constantFrom(
  ...[{}, {}, { bold: true }, { italic: true }, { strikethrough: true }, {
    bold: true,
    italic: true,
  }],
  ...[{ underline: true }, { code: true }, { color: "red" as const }],
);
const link = fc.constantFrom(
  ...[null, null, { url: "http://a.b" }, { url: "http://a.b/?c=(d)" }, { url: "https://e.f/g_h" }],
  ...[{ url: "https://e.f/?g=h&i=j" }, { url: "https://e.f/?g=h&lt;i" }],
);
const richText = fc.array(
  fc.record({ text: fc.record({ content, link }), annotations: style }),
  { maxLength: 4 },
).map(toRichText);

Deno.test("plainPhrasing() prints the same as the library in every context", () => {
  let plain = 0;
  fc.assert(
    fc.property(richText, fc.constantFrom(...PLACES), (richText, place) => {
      const value = plainPhrasing(richText);
      if (value === undefined) return;
      plain++;
      const children: PhrasingContent[] = value === "" ? [] : [{ type: "html", value }];
      assertEquals(printedIn(place, children), printedWhole(richText, place));
    }),
    { numRuns: 20_000 },
  );
  assert(plain > 2_000, `${plain} were plain`);
});
