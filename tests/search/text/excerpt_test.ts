import fc from "fast-check";
import { excerptOf } from "../../../src/search/text/excerpt.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import { assert, assertEquals } from "../../assert.ts";

/** The excerpt with its highlights in brackets. */
async function marked(text: string, query: string): Promise<string> {
  const { text: shown, highlights } = await excerptOf(text, readPhrases(query));
  return highlights.toReversed().reduce(
    (marked, { start, end }) =>
      `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
    shown,
  );
}

Deno.test("excerptOf() highlights exactly the matches", async () => {
  assertEquals(await marked("Meet at the Café 👍🏽", "cafe 👍"), "Meet at the [Café] [👍🏽]");
  assertEquals(await marked("The end of the end", '"the end"'), "[The end] of [the end]");
  assertEquals(await marked("a b a b a", '"a b a" "b a"'), "[a b a b a]");
  assertEquals(await marked("東京都に住んでいます", "東京都"), "[東京都]に住んでいます");
  assertEquals(await marked("שלום עולם", "עולם"), "שלום [עולם]");
  assertEquals(await marked("x < y & z", "y"), "x < [y] & z");
});

Deno.test("excerptOf() highlights the whole of a word that is written in other characters", async () => {
  const inside = { terms: ["ラス"], isPrefix: false, isInside: true } as const;
  assertEquals((await excerptOf("ｶﾞﾗｽ", [inside])).highlights, [{ start: 0, end: 4 }]);
  assertEquals((await excerptOf("ガラス", [inside])).highlights, [{ start: 1, end: 3 }]);
});

Deno.test("excerptOf() shows the beginning if nothing matches", async () => {
  assertEquals(await marked("Nothing here", "other"), "Nothing here");
  assertEquals(await marked("", "other"), "");
});

Deno.test("excerptOf() shows the part of a long text with the most phrases", async () => {
  const text = `${"filler ".repeat(100)}alpha ${"filler ".repeat(100)}alpha beta${
    " end".repeat(99)
  }`;
  const shown = await marked(text, "alpha beta");
  assert(shown.startsWith("…filler") && shown.endsWith("end…"), shown);
  assert(shown.includes("[alpha] [beta]"), shown);
});

Deno.test("excerptOf() returns a part of bounded length that splits no character", async () => {
  const words = fc.array(
    fc.constantFrom("alpha", "beta", "東京都", "👩‍💻", "é", "\u{20000}", " ", ", "),
    {
      maxLength: 400,
    },
  ).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.constantFrom("alpha", "beta", "都", "👩‍💻", "none"),
      async (text, query) => {
        const { text: shown, highlights } = await excerptOf(text, readPhrases(query));
        const core = shown.replace(/^…/, "").replace(/…$/, "");
        assert(text.includes(core) && core.isWellFormed() && core.length <= 300);
        let last = 0;
        for (const { start, end } of highlights) {
          assert(last <= start && start < end && end <= shown.length);
          last = end;
        }
      },
    ),
  );
});

Deno.test("excerptOf() highlights what it shows of very many occurrences", async () => {
  const { highlights } = await excerptOf("a ".repeat(50_000), readPhrases("a"));
  assertEquals(highlights.length, 100);
});

Deno.test("excerptOf() shows the same of a long text without spaces as of its words alone", async () => {
  const filler = "夜の鳥は静かに飛び、朝になると巣に帰ります。".repeat(40);
  const text = `${filler}港で白いカモメを見ました。${filler}`;
  const shown = await marked(text, "カモメ");
  assert(shown.includes("港で白い[カモメ]を見ました。"), shown);
  assert(shown.startsWith("…") && shown.endsWith("…") && shown.length < 210, shown);
  const both = `${filler}カモメ。${filler}港にカモメ。${filler}`;
  assert(
    (await marked(both, "港 カモメ")).includes("[港]に[カモメ]。"),
    await marked(both, "港 カモメ"),
  );
  // As part of another word it is passed over.
  const part = `東京都に住む。${filler}京都に行く。${filler}`;
  assert((await marked(part, "京都")).includes("[京都]に行く"), await marked(part, "京都"));
  // Written in another width, it is not there as it is asked for.
  const narrow = `${filler}ｶﾓﾒが来た。${filler}`;
  assert((await marked(narrow, "カモメ")).includes("[ｶﾓﾒ]が来た"), await marked(narrow, "カモメ"));
});

Deno.test("excerptOf() shows the same of a very long text as of a shorter one around it", async () => {
  const words = (count: number, seed: number) =>
    Array.from({ length: count }, (_, n) => `word${(n * n + seed) % 97}`).join(" ");
  await fc.assert(
    fc.asyncProperty(fc.nat(1_400), fc.nat(96), async (before, seed) => {
      const near = `${words(30, seed)} alpha and beta ${words(60, seed)}`;
      const long = `${words(before, seed)} alpha ${words(400, seed)} ${near} ${words(900, seed)}`;
      assert(long.length > 8_000 && near.length < 800);
      const shown = await marked(long, "alpha beta");
      assertEquals(
        shown.replace(/^…/, ""),
        (await marked(`… ${near}`, "alpha beta")).replace(/^…/, ""),
      );
    }),
  );
});
