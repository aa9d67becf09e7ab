import fc from "fast-check";
import { foldWord } from "../../../src/search/text/fold.ts";
import { termsOf } from "../../../src/search/text/terms.ts";
import { assert, assertEquals, assertNotEquals } from "../../assert.ts";

const terms = (text: string) => termsOf(text).map(({ term }) => term);

const SIGNS = "aZ09éÉßﬁİıΣςйЙёאَّاأé東京都ｶﾞガがไทยง่าย각가한👍🏽‍👩💻🇩🇪❤️½㏂ ,.\"*:-^(){}'_\u00AD\uD800\0";
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...SIGNS) }),
  fc.string({ unit: "binary" }),
  fc.lorem(),
);

Deno.test("termsOf() splits text of ten languages into words", () => {
  const samples: readonly (readonly [string, string])[] = [
    ["The quick, brown fox!", "the quick brown fox"],
    ["Schöne Grüße aus der STRASSE", "schone grusse aus der strasse"],
    ["L'été à la plage", "l ete a la plage"],
    ["¿Cuándo vendrá el señor?", "cuando vendra el senor"],
    ["İstanbul'da ışık", "istanbul da isik"],
    ["Łódź leży w Polsce", "lodz lezy w polsce"],
    ["Ёлка и мой друг", "елка и мой друг"],
    ["Η Αθήνα, οδός", "η αθηνα οδοσ"],
    ["السَّلامُ عليكم ١٢٣", "السلام عليكم 123"],
    ["שָׁלוֹם עולם", "שלום עולם"],
    ["हिन्दी में", "हिंदी में"],
    ["東京都に住む", "东京 都 に 住む"],
    ["北京大学", "北京 大学"],
    ["ภาษาไทยง่าย", "ภาษา ไทย ง่าย"],
    ["한국어를 공부", "한국어를 공부"],
    ["Tiếng Việt đẹp", "tieng viet dep"],
  ];
  for (const [given, expected] of samples) assertEquals(terms(given).join(" "), expected);
});

Deno.test("termsOf() returns the same term for all spellings of a word", () => {
  const same = [
    ["Résumé", "RÉSUMÉ", "re\u0301sume\u0301", "resume"],
    ["Straße", "STRASSE", "straẞe"],
    ["office", "oﬃce", "ＯＦＦＩＣＥ"],
    ["istanbul", "İSTANBUL", "ISTANBUL", "ıstanbul"],
    ["ΟΔΟΣ", "οδος", "οδοσ", "οδός"],
    ["ガイド", "ｶﾞｲﾄﾞ", "カ\u3099イト\u3099"],
    ["가각", "가각".normalize("NFD")],
    ["مدرسة", "مُدَرِّسَةٌ", "مـدرسـة"],
    ["cooperate", "co\u00ADoperate"],
    ["2026", "２０２６", "٢٠٢٦", "२०२६"],
  ];
  for (const [first = "", ...others] of same) {
    for (const other of others) assertEquals(terms(other), terms(first), `${other} as ${first}`);
  }
});

Deno.test("termsOf() keeps different letters apart", () => {
  const different = [
    ["мой", "мои"],
    ["がく", "かく"],
    ["ハハ", "パパ"],
    ["їжак", "іжак"],
    ["กา", "กี"],
    ["कि", "का"],
  ];
  for (const [one = "", other = ""] of different) assertNotEquals(terms(one), terms(other));
});

Deno.test("termsOf() returns each emoji as a term, regardless of skin tone", () => {
  assertEquals(terms("Ship it🚀🚀!"), ["ship", "it", "🚀", "🚀"]);
  assertEquals(terms("👍🏽👍"), ["👍", "👍"]);
  assertEquals(terms("👩‍💻🇩🇪🇫🇷"), ["👩‍💻", "🇩🇪", "🇫🇷"]);
  assertEquals(terms("❤️"), terms("❤"));
});

Deno.test("termsOf() truncates very long words, and finds them by their beginning", () => {
  assertEquals(terms("x".repeat(500)), ["x".repeat(64)]);
  assertEquals(terms("é".repeat(500)), ["e".repeat(64)]);
});

Deno.test("a term has no space and no character of a query language, and is its own only term", () => {
  fc.assert(
    fc.property(text, (any) => {
      for (const term of terms(any)) {
        assert(!/[\s"'*:^(){}+\-\0]/.test(term), term);
        assert(term.length > 0 && term.length <= 64 && term.isWellFormed());
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("termsOf() returns the range of each term, in order", () => {
  fc.assert(
    fc.property(text, (any) => {
      let before = 0;
      for (const { term, start, end } of termsOf(any)) {
        assert(before <= start && start < end && end <= any.length);
        assert(terms(any.slice(start, end)).join("").includes(term));
        before = start;
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("foldWord() changes nothing the second time", () => {
  const marked = fc.string({
    unit: fc.constantFrom(..."иуйЙеаأؤかハ\u0306\u0308\u0301\u3099\u0654\u0345ـּ"),
  });
  fc.assert(
    fc.property(fc.oneof(text, marked), (any) => {
      assertEquals(foldWord(foldWord(any)), foldWord(any));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("foldWord() changes no letter the second time", () => {
  const changed = [];
  for (let point = 0; point <= 0x10FFFF; point++) {
    const letter = String.fromCodePoint(point);
    if (!/[\p{L}\p{M}\p{N}]/u.test(letter) || /[\u4E00-\u9FFF]/.test(letter)) continue;
    const folded = foldWord(letter);
    if (foldWord(folded) !== folded) changed.push(point.toString(16));
  }
  assertEquals(changed, []);
});
