import fc from "fast-check";
import { readPhrases, toQuery } from "../../src/search/text/query.ts";
import { dividedCompound } from "../../src/search/text/compounds.ts";
import {
  correct,
  countSimilarWords,
  countWords,
  editsBetween,
  replaced,
} from "../../src/search/words/corrections.ts";
import { atOnce } from "../../src/shared/yield_to_event_loop.ts";
import { assert, assertEquals } from "../assert.ts";

function corrected(query: string, text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) atOnce(countWords(counts, line));
  // deno-lint-ignore require-yield -- it takes a single step
  function* countOf({ terms }: { readonly terms: readonly string[] }) {
    return counts.get(terms[0] ?? "") ?? 0;
  }
  const phrases = readPhrases(query);
  const replacements = atOnce(correct(phrases, { words: counts, countOf }));
  return replacements.length === 0 ? undefined : toQuery(replaced(phrases, replacements));
}

Deno.test("correct() replaces unknown words by the most similar known ones, in any script", () => {
  const samples: readonly (readonly [string, string, string])[] = [
    ["harbuor", "harbour", "harbour"],
    ["seperate", "separate operate", "separate"],
    ["kingfiser nest", "kingfisher nest", "kingfisher nest"],
    ["strase", "strasse strand", "strasse"],
    ["bibliotheque", "bibliotheque", ""],
    ["молко", "молоко", "молоко"],
    ["θαλασα", "θαλασσα", "θαλασσα"],
    ["المدرصه", "المدرسه", "المدرسه"],
    ["किताव", "किताब", "किताब"],
    ["cuidad", "ciudad", "ciudad"],
    ["istambul", "istanbul", "istanbul"],
    ["도서괸이", "도서관이", "도서관이"],
  ];
  for (const [query, text, expected] of samples) {
    assertEquals(corrected(query, text) ?? "", expected, query);
  }
});

Deno.test("correct() takes the more common of equally similar words", () => {
  assertEquals(corrected("boaz", "boat\nboar\nboar"), "boar");
});

Deno.test("correct() leaves alone what is known, short, quoted, a number or unspaced", () => {
  const known = "harbour boat 20246 a4711 東京都";
  for (const query of ["harbour", "oat", '"harbuor"', "20245", "a4712", "東京部", "xylophone"]) {
    assertEquals(corrected(query, known), undefined, query);
  }
});

Deno.test("correct() replaces a rare word by one that is ten times as common, and no other", () => {
  const text = (rare: number, common: number) =>
    ["harbuor\n".repeat(rare), "harbour\n".repeat(common)].join("");
  assertEquals(corrected("harbuor", text(1, 10)), "harbour");
  assertEquals(corrected("harbuor", text(2, 20)), "harbour");
  for (const [rare, common] of [[1, 9], [2, 19], [3, 90]] as const) {
    assertEquals(corrected("harbuor", text(rare, common)), undefined, `${rare} and ${common}`);
  }
  for (const [rare, common] of [["horse", "house"], ["relation", "creation"]]) {
    assertEquals(corrected(`${rare}`, `${rare}\n${`${common}\n`.repeat(90)}`), undefined, rare);
  }
});

Deno.test("countSimilarWords() counts each word that differs in one letter as countWords() does", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 5, maxLength: 8 });
  fc.assert(fc.property(word, fc.array(fc.array(word, { minLength: 1 })), (asked, texts) => {
    const [all, similar] = [new Map<string, number>(), new Map<string, number>()];
    for (const words of texts.map((words) => ` ${words.join(" ")} `)) {
      atOnce(countWords(all, words));
      atOnce(countSimilarWords(similar, words, [asked]));
    }
    for (const [one, count] of all) {
      if (editsBetween(asked, one, 1) !== undefined) assertEquals(similar.get(one), count, one);
    }
  }));
});

Deno.test("words are counted and corrected in steps, and only so many are known", () => {
  const counts = new Map<string, number>();
  const stepsOf = (steps: Iterator<void>) => {
    let count = 1;
    while (steps.next().done !== true) count++;
    return count;
  };
  const words = Array.from({ length: 60_000 }, (_, number) => `harb${number}our`).join(" ");
  assert(stepsOf(countWords(counts, words)) > 100);
  assertEquals(counts.size, 50_000);
  assert(stepsOf(countSimilarWords(new Map(), ` ${words} `, ["harbxour"])) > 100);
  // deno-lint-ignore require-yield -- it takes a single step
  function* countOf() {
    return 0;
  }
  assert(stepsOf(correct(readPhrases("harbxour"), { words: counts, countOf })) > 50);
});

Deno.test("dividedCompound() finds the two words of a compound, with or without a letter between", () => {
  const known = new Set(["fahrrad", "reparatur", "versicherung", "beitrag", "sicherung", "blume"]);
  // deno-lint-ignore require-yield -- it takes a single step
  function* isKnown(word: string) {
    return known.has(word);
  }
  const divide = (word: string) => atOnce(dividedCompound(word, isKnown))?.join(" ");
  assertEquals(divide("fahrradreparatur"), "fahrrad reparatur");
  assertEquals(divide("versicherungsbeitrag"), "versicherung beitrag");
  assertEquals(divide("blumenbeitrag"), "blume beitrag");
  for (
    const word of ["versicherung", "entsicherung", "gartenreparatur", "beitrag", "x".repeat(50)]
  ) {
    assertEquals(divide(word), undefined, word);
  }
});

Deno.test("editsBetween() is symmetric, 0 for equal words alone, and at most the longer length", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), maxLength: 8 });
  fc.assert(fc.property(word, word, (one, other) => {
    const edits = editsBetween(one, other, 99);
    assertEquals(edits, editsBetween(other, one, 99));
    assertEquals(edits === 0, one === other);
    assertEquals((edits ?? 99) <= Math.max(one.length, other.length), true);
  }));
  assertEquals(editsBetween("harbuor", "harbour", 2), 1);
  assertEquals(editsBetween("harbour", "boat", 2), undefined);
});
