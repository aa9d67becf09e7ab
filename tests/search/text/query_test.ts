import fc from "fast-check";
import { occurrencesOf } from "../../../src/search/text/occurrences.ts";
import { readPhrases, readQuery, toQuery } from "../../../src/search/text/query.ts";
import { termsOf } from "../../../src/search/text/terms.ts";
import { formsOf } from "../../../src/search/words/forms.ts";
import { atOnce } from "../../../src/shared/yield_to_event_loop.ts";
import { assert, assertEquals } from "../../assert.ts";

/** The phrases as one would write them: `"a b"`, a beginning as `a…`. */
function shown(query: string): string {
  return readPhrases(query).map(({ terms, isPrefix }) => terms.join("_") + (isPrefix ? "…" : ""))
    .join(" ");
}

Deno.test("readPhrases() returns words, the last as a prefix, and quoted phrases", () => {
  assertEquals(shown("Launch Plan"), "launch plan…");
  assertEquals(shown('"launch plan" next'), "launch_plan next…");
  assertEquals(shown('next "launch plan"'), "next launch_plan");
  assertEquals(shown("„launch plan“ «a b» “c”"), "launch_plan a_b c");
  assertEquals(shown('a"b c"d'), "a b_c d…");
  assertEquals(shown("e-mail 3.14"), "e_mail 3_14…");
});

Deno.test("readPhrases() gives no character but quotes and hyphens a meaning", () => {
  assertEquals(shown("foo* ^bar baz"), "foo bar baz…");
  assertEquals(shown("NEAR(a b) title:x {y}"), "near_a b title_x y…");
  assertEquals(shown("cats AND dogs OR NOT"), "cats and dogs or not…");
  assertEquals(shown('"open quote'), "open quote…");
  assertEquals(shown('" * " "" -- :'), "");
});

Deno.test("readQuery() excludes words and phrases with a hyphen before them", () => {
  const excluded = (query: string) =>
    readQuery(query).excluded.map(({ terms, isPrefix }) => [terms.join("_"), isPrefix]);
  assertEquals(excluded('owl -draft -"old notes" −no e-mail - x --y'), [
    ["draft", false],
    ["old_notes", false],
  ]);
  assertEquals(shown("owl -draft"), "owl");
  assertEquals(shown("„Model C“-Schulen"), "model_c schulen…");
  assertEquals(shown("-draft owl"), "owl…");
  assertEquals(excluded("猫 -犬"), [["犬", false]]);
});

Deno.test("readPhrases() treats every Korean word as a prefix", () => {
  assertEquals(shown("학교 공부"), "학교… 공부…");
  assertEquals(shown('"학교" 공부'), "학교 공부…");
});

Deno.test("readPhrases() treats a word of several terms as a phrase", () => {
  assertEquals(shown("東京都 歴史"), "东京_都 歴史…");
});

Deno.test("readPhrases() turns any text into phrases of terms", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (any) => {
    for (const { terms } of readPhrases(any)) {
      assert(terms.length > 0);
      for (const term of terms) assertEquals(termsOf(term).length > 0, true);
    }
  }));
});

Deno.test("occurrencesOf() finds phrases whose terms are adjacent", () => {
  const where = (query: string, text: string) =>
    atOnce(occurrencesOf(readPhrases(query), termsOf(text))).map(({ start, end }) =>
      text.slice(start, end)
    );
  assertEquals(where('"the end"', "The end, not the bitter end"), ["The end"]);
  assertEquals(where("end", "The end is endless"), ["end", "endless"]);
  assertEquals(where('"end"', "The end is endless"), ["end"]);
  assertEquals(where("東京都", "東京都に住む"), ["東京都"]);
  assertEquals(where("京都", "東京都に住む"), []);
  assertEquals(where("cafe", "Café déjà vu"), ["Café"]);
});

Deno.test("readQuery() has a phrase once that the query repeats, and how often", () => {
  const { phrases, excluded } = readQuery('owl "old owl" owl -draft "old owl" owl -draft owl');
  assertEquals(phrases, [
    { terms: ["owl"], isPrefix: false, times: 3 },
    { terms: ["old", "owl"], isPrefix: false, isQuoted: true, times: 2 },
    { terms: ["owl"], isPrefix: true },
  ]);
  assertEquals(excluded, [{ terms: ["draft"], isPrefix: false, times: 2 }]);
  assertEquals(toQuery(phrases), 'owl owl owl "old owl" "old owl" owl');
});

Deno.test("forms of a repeated word have the weight of all of them", () => {
  const [once, twice] = ["owls", "owls owl owls owl"].map((query) =>
    formsOf(readQuery(query).phrases, "en")
  );
  assertEquals(once?.map(({ times }) => times), [undefined]);
  assertEquals(twice?.map(({ times }) => times), [4]);
});
