import fc from "fast-check";
import { excerptOf } from "../../../src/search/text/excerpt.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import { assert, assertEquals } from "../../assert.ts";

/** The excerpt with its highlights in brackets. */
function marked(text: string, query: string): string {
  const { text: shown, highlights } = excerptOf(text, readPhrases(query));
  return highlights.toReversed().reduce(
    (marked, { start, end }) =>
      `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
    shown,
  );
}

Deno.test("excerptOf() highlights exactly the matches", () => {
  assertEquals(marked("Meet at the Café 👍🏽", "cafe 👍"), "Meet at the [Café] [👍🏽]");
  assertEquals(marked("The end of the end", '"the end"'), "[The end] of [the end]");
  assertEquals(marked("a b a b a", '"a b a" "b a"'), "[a b a b a]");
  assertEquals(marked("東京都に住んでいます", "東京都"), "[東京都]に住んでいます");
  assertEquals(marked("שלום עולם", "עולם"), "שלום [עולם]");
  assertEquals(marked("x < y & z", "y"), "x < [y] & z");
});

Deno.test("excerptOf() shows the beginning if nothing matches", () => {
  assertEquals(marked("Nothing here", "other"), "Nothing here");
  assertEquals(marked("", "other"), "");
});

Deno.test("excerptOf() shows the part of a long text with the most phrases", () => {
  const text = `${"filler ".repeat(100)}alpha ${"filler ".repeat(100)}alpha beta${
    " end".repeat(99)
  }`;
  const shown = marked(text, "alpha beta");
  assert(shown.startsWith("…filler") && shown.endsWith("end…"), shown);
  assert(shown.includes("[alpha] [beta]"), shown);
});

Deno.test("excerptOf() returns a part of bounded length that splits no character", () => {
  const words = fc.array(
    fc.constantFrom("alpha", "beta", "東京都", "👩‍💻", "é", "\u{20000}", " ", ", "),
    {
      maxLength: 400,
    },
  ).map((all) => all.join(""));
  fc.assert(
    fc.property(words, fc.constantFrom("alpha", "beta", "都", "👩‍💻", "none"), (text, query) => {
      const { text: shown, highlights } = excerptOf(text, readPhrases(query));
      const core = shown.replace(/^…/, "").replace(/…$/, "");
      assert(text.includes(core) && core.isWellFormed() && core.length <= 300);
      let last = 0;
      for (const { start, end } of highlights) {
        assert(last <= start && start < end && end <= shown.length);
        last = end;
      }
    }),
  );
});

Deno.test("excerptOf() highlights what it shows of very many occurrences", () => {
  const { highlights } = excerptOf("a ".repeat(50_000), readPhrases("a"));
  assertEquals(highlights.length, 100);
});

Deno.test("excerptOf() shows the same of a long text without spaces as of its words alone", () => {
  const filler = "夜の鳥は静かに飛び、朝になると巣に帰ります。".repeat(40);
  const text = `${filler}港で白いカモメを見ました。${filler}`;
  const shown = marked(text, "カモメ");
  assert(shown.includes("港で白い[カモメ]を見ました。"), shown);
  assert(shown.startsWith("…") && shown.endsWith("…") && shown.length < 210, shown);
  const both = `${filler}カモメ。${filler}港にカモメ。${filler}`;
  assert(marked(both, "港 カモメ").includes("[港]に[カモメ]。"), marked(both, "港 カモメ"));
  // As part of another word it is passed over.
  const part = `東京都に住む。${filler}京都に行く。${filler}`;
  assert(marked(part, "京都").includes("[京都]に行く"), marked(part, "京都"));
  // Written in another width, it is not there as it is asked for.
  const narrow = `${filler}ｶﾓﾒが来た。${filler}`;
  assert(marked(narrow, "カモメ").includes("[ｶﾓﾒ]が来た"), marked(narrow, "カモメ"));
});
