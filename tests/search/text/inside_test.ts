import fc from "fast-check";
import { findInside } from "../../../src/search/text/inside.ts";
import type { Phrase } from "../../../src/search/text/query.ts";
import { isUnspaced } from "../../../src/search/text/segment.ts";
import { spaced } from "../../../src/search/text/spaced.ts";
import { assertEquals } from "../../assert.ts";

function foundIn(words: string, phrase: Phrase): string[] {
  return [...findInside(words, phrase)].map(({ start, end }) => words.slice(start, end));
}

Deno.test("findInside() finds a phrase however its words without spaces are divided", () => {
  const tokyo: Phrase = { terms: ["東京", "都"], isPrefix: false };
  assertEquals(foundIn(" 東京 都 の 東 京都 ", tokyo), ["東京 都", "東 京都"]);
  assertEquals(foundIn(" 東京 の 都 ", tokyo), []);
  const mixed: Phrase = { terms: ["ab", "都", "cd"], isPrefix: false };
  assertEquals(foundIn(" ab 都 cd xab 都 cd ab 都 cde ", mixed), ["ab 都 cd"]);
  assertEquals(foundIn(" ab 都 cde ", { ...mixed, isPrefix: true }), ["ab 都 cd"]);
  assertEquals(foundIn(" a b 都 cd ", mixed), []);
});

/** Returns where a phrase is, by a comparison at every place. */
function* findPlainly(words: string, { terms, isPrefix }: Phrase): Generator<string> {
  const isKept = (text: string, at: number) =>
    text.charAt(at) !== " " ||
    !(isUnspaced(text.charAt(at - 1)) || isUnspaced(text.charAt(at + 1)));
  const joined = terms.join(" ");
  const wanted = [...joined].filter((_, at) => isKept(joined, at));
  const startsAnywhere = isUnspaced(terms.at(0) ?? "");
  const endsAnywhere = isPrefix || isUnspaced(terms.at(-1) ?? "");
  for (let start = 0; start < words.length; start++) {
    if (words.charAt(start) === " " || !startsAnywhere && words.charAt(start - 1) !== " ") continue;
    let matched = 0;
    let end = start;
    for (; end < words.length && matched < wanted.length; end++) {
      if (!isKept(words, end)) continue;
      if (words.charAt(end) !== wanted[matched]) break;
      matched++;
    }
    if (matched < wanted.length || !endsAnywhere && words.charAt(end) !== " ") continue;
    yield words.slice(start, end);
    start = end - 1;
  }
}

/** Terms of few letters, in which phrases are found often. */
const terms = (maxLength: number) => {
  const letters = fc.array(fc.constantFrom("あ", "い"), { minLength: 1, maxLength: 4 });
  const term = fc.oneof(letters.map((all) => all.join("")), fc.constantFrom("a", "b", "ab"));
  return fc.array(term, { minLength: 1, maxLength });
};

Deno.test("findInside() finds what a comparison at every place finds", () => {
  fc.assert(
    fc.property(terms(30), terms(5), fc.boolean(), (text, wanted, isPrefix) => {
      const words = ` ${text.join(" ")} `;
      const phrase = { terms: wanted, isPrefix };
      assertEquals(foundIn(words, phrase), [...findPlainly(words, phrase)]);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("findInside() finds letters that take two code units", () => {
  const phrase: Phrase = { terms: ["𠮷野", "家"], isPrefix: false };
  assertEquals(foundIn(spaced("𠮷野家と𠮷 野 家"), phrase).length, 2);
});
