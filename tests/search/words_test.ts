import { readPhrases } from "../../src/search/text/query.ts";
import { countOf, occursIn, spaced } from "../../src/search/text/spaced.ts";
import { formsOf, inflected } from "../../src/search/words/forms.ts";
import { createScore } from "../../src/search/words/score.ts";
import { shownText } from "../../src/search/words/show.ts";
import { atOnce } from "../../src/shared/yield_to_event_loop.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("formsOf() matches all words with the same stem, and no others", () => {
  const [form, ...others] = formsOf(readPhrases("flows flowing"));
  assert(form !== undefined && others.length === 0);
  const count = (text: string) => countOf(spaced(text), form);
  assertEquals(count("flow flows flowing flowed"), 4);
  assertEquals(count("flower overflow flo"), 0);
});

Deno.test("formsOf() matches forms that do not begin with their stem", () => {
  for (const [asked, text] of [["moves", "moving"], ["flexibility", "flexible"]] as const) {
    const [form] = formsOf(readPhrases(asked));
    assert(form !== undefined);
    assertEquals(countOf(spaced(text), form), 1, `${asked}: ${text}`);
  }
});

Deno.test("formsOf() drops stop words of the question's language, unless there are no other words", () => {
  const stems = (query: string) => formsOf(readPhrases(query)).map(({ terms }) => terms.join(" "));
  assertEquals(stems("where are the boats of the harbour"), ["boat", "harbour"]);
  assertEquals(stems("wo sind die Boote und die Netze"), ["boot", "netz"]);
  assertEquals(stems('"to be or not"'), ["to be or not"]);
  assertEquals(stems("to be"), ["to", "be"]);
});

Deno.test("formsOf() keeps Korean words as prefixes, for their particles", () => {
  const [form] = formsOf(readPhrases("도서관 안내"));
  assert(form !== undefined);
  assertEquals(countOf(spaced("도서관에서"), form), 1);
});

Deno.test("formsOf() leaves phrases as they are", () => {
  const [phrase] = formsOf(readPhrases('"flowing water"'));
  assertEquals(phrase, { terms: ["flowing", "water"], isPrefix: false });
});

Deno.test("formsOf() counts how often the question has a word, in any form", () => {
  const forms = formsOf(readPhrases("system for systems of time sharing systems"));
  assertEquals(forms.map(({ times }) => times), [3, undefined, undefined]);
});

Deno.test("formsOf() asks for each of the words that are written together, but not of quoted ones", () => {
  const terms = (query: string) => formsOf(readPhrases(query)).map(({ terms }) => terms.join(" "));
  assertEquals(terms("北京大学在哪里"), ["北京", "大学"]);
  assertEquals(terms("ภาษาไทยง่าย"), ["ภาษา", "ไทย", "ง่าย"]);
  assertEquals(terms('"北京大学"'), ["北京 大学"]);
  assertEquals(terms('birds in "flowing water"'), ["bird", "flowing water", "flow", "water"]);
  assertEquals(terms("Bowl-Selektionen"), ["bowl", "selektionen"]);
});

Deno.test("a word that the question repeats counts as often", () => {
  const statistics = { parts: 100, length: 1_000, counts: [10, 10] };
  const [once, twice] = [undefined, 2].map((times) => {
    const [first, second] = readPhrases('"alpha" "beta"');
    assert(first !== undefined && second !== undefined);
    const score = createScore(
      [times === undefined ? first : { ...first, times }, second],
      statistics,
    );
    return atOnce(score({ title: "", body: spaced("alpha"), length: 10 }));
  });
  assertEquals(twice, 2 * (once ?? 0));
});

Deno.test("rare words, frequent occurrences, titles and short parts score higher", () => {
  const phrases = readPhrases('"rare" "common"');
  const score = createScore(phrases, { parts: 100, length: 1_000, counts: [1, 90] });
  const of = (body: string, title = "", length = 10) =>
    atOnce(score({ title: spaced(title), body: spaced(body), length }));
  assert(of("rare") > of("common"));
  assert(of("common common") > of("common"));
  assert(of("", "common") > of("common"));
  assert(of("common", "", 5) > of("common", "", 50));
  assertEquals(of("neither"), 0);
});

Deno.test("shownText() returns the text with the most phrases, undefined if only the title has any", () => {
  const parts = [
    { title: " x ", body: "one\n alpha \ntwo\n alpha beta \n" },
    { title: " x ", body: "three\n beta alpha \n" },
  ];
  const shown = atOnce(shownText(parts, readPhrases("alpha beta")));
  assertEquals(shown, { id: "two", words: " alpha beta ", count: 2 });
  assertEquals(atOnce(shownText(parts, readPhrases("x"))), undefined);
});

Deno.test("a noun matches its other number where a stem does not tell it, and no other word", () => {
  const samples: readonly (readonly [string, string, string, string])[] = [
    ["en", "leaf", "leaves", "leap"],
    ["en", "knife", "knives", "knit"],
    ["en", "thesis", "theses", "thesaurus"],
    ["en", "woman", "women", "womb"],
    ["en", "mouse", "mice", "mouth"],
    ["en", "child", "children", "chill"],
    ["es", "luz", "luces", "lucha"],
    ["fr", "journal", "journaux", "journee"],
    ["fr", "travail", "travaux", "traverse"],
    ["nl", "huis", "huizen", "huid"],
    ["nl", "brief", "brieven", "breed"],
    ["pt", "licao", "licoes", "licor"],
    ["pt", "acao", "acoes", "acaso"],
    ["pt", "papel", "papeis", "papai"],
    ["pt", "dificil", "dificeis", "dificuldade"],
    ["pt", "homem", "homens", "homenagem"],
  ];
  for (const [language, one, many, unlike] of samples) {
    for (const [asked, other] of [[one, many], [many, one]] as const) {
      for (const forms of [formsOf, inflected]) {
        const [form] = forms([{ terms: [asked], isPrefix: false }], language);
        const occurs = (word: string) => form !== undefined && occursIn(` ${word} `, form);
        assertEquals([asked, occurs(asked), occurs(other), occurs(unlike)], [
          asked,
          true,
          true,
          false,
        ]);
      }
    }
  }
  const [form] = inflected([{ terms: ["proof"], isPrefix: false }], "de");
  assert(form !== undefined && !occursIn(" prooves ", form));
});
