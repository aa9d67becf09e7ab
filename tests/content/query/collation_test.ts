import fc from "fast-check";
import {
  compareCodePoints,
  fold,
  MAX_WEIGHTS,
  prefixRange,
  sortKey,
  weightsWithin,
} from "../../../src/content/schema/collation.ts";
import { assert, assertEquals, assertNotEquals } from "../../assert.ts";

const ORDINARY =
  `a A b résumé resume Resume résumés cote coté côte côté pêche péché peche Zebra zoo über uber
  Übung Ubung naïve naive Ångström angstrom Straße strasse Strasze łódź lodz Øre ore œuvre oeuvre
  ærø aero Đakovo dakovo señor senor Šibenik sibenik 10 2 1 0 100 a1 a10 a2 #1 $5 €5 £5 (a) [a] "a"
  'a' a-b a_b ab a.b a,b a;b a!b a?b a/b a&b @a *a %a +a <a =a >a |a ~a Москва москва ёлка елка еще
  ещё йод иод яблоко Юг ґанок гам ґава Αθήνα αθηνα Ωμέγα ωμεγα Łaska laska Þing thing zz`
    .split(/\s+/);
const PHRASES = ["Meeting notes", "meeting", "Meeting  notes", "Q1 plan", "Q10 plan", "Q2 plan"];

/** Texts of all kinds: ordinary ones, and such as nobody writes. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(..."aAbBéÉßΣσς İıſǰ\u0301\u0300ﬁøŁйЙ가각ガが中\u{1F600}\0\uD800"),
  }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(...ORDINARY),
);

Deno.test("sortKey() orders ordinary texts as Intl.Collator does, but for case", () => {
  const collator = new Intl.Collator("en", { sensitivity: "accent" });
  const texts = [...ORDINARY, ...PHRASES];
  for (const a of texts) {
    for (const b of texts) {
      const expected = Math.sign(collator.compare(fold(a), fold(b)));
      const found = Math.sign(compareCodePoints(sortKey(a), sortKey(b)));
      assertEquals(found, expected, `${a} and ${b}`);
    }
  }
});

Deno.test("sortKey() is one for all writings of a text", () => {
  assertEquals(sortKey("STRASSE"), sortKey("straße"));
  assertEquals(sortKey("re\u0301sume\u0301"), sortKey("RÉSUMÉ"));
  assertEquals(sortKey("ΟΔΟΣ"), sortKey("οδος"));
  assertNotEquals(sortKey("resume"), sortKey("résumé"));
});

Deno.test("sortKey() of a folded text is that of the text", () => {
  fc.assert(fc.property(text, (any) => assertEquals(sortKey(fold(any)), sortKey(any))));
});

Deno.test("fold() changes nothing the second time, and leaves what every store can keep", () => {
  fc.assert(
    fc.property(text, (any) => {
      const folded = fold(any);
      assertEquals(fold(folded), folded);
      assert(folded.isWellFormed() && !folded.includes("\0"));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("fold() changes no character the second time", () => {
  const changed = [];
  for (let point = 0; point <= 0x10FFFF; point++) {
    const folded = fold(String.fromCodePoint(point));
    if (fold(folded) !== folded) changed.push(point);
  }
  assertEquals(changed, []);
});

Deno.test("fold() is the same for a text in any case and composition", () => {
  const words = fc.constantFrom(...ORDINARY);
  fc.assert(fc.property(words, (word) => {
    assertEquals(fold(word.toUpperCase()), fold(word));
    assertEquals(fold(word.normalize("NFD")), fold(word));
  }));
});

Deno.test("prefixRange() holds the keys of all texts that begin with the text", () => {
  const beginning = fc.tuple(text, fc.oneof(text, fc.constant("x".repeat(300)))).map(([a, b]) => {
    const whole = fold(a + b);
    return [whole, whole.slice(0, fold(a).length)] as const;
  });
  fc.assert(
    fc.property(beginning, ([whole, start]) => {
      fc.pre(whole.startsWith(fold(start)));
      const key = sortKey(whole);
      const { from, to } = prefixRange(sortKey(start));
      assert(compareCodePoints(from, key) <= 0 && compareCodePoints(key, to) < 0);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("prefixRange() leaves out what begins otherwise", () => {
  const { from, to } = prefixRange(sortKey("meet"));
  const inside = (any: string) => sortKey(any) >= from && sortKey(any) < to;
  assertEquals(["Meeting", "meet", "mêet", "mee", "mef", "team"].map(inside), [
    ...[true, true, true],
    ...[false, false, false],
  ]);
});

Deno.test("sortKey() is bounded, and texts that agree in all that counts are equal", () => {
  fc.assert(fc.property(text, fc.nat({ max: 300 }), (any, times) => {
    assert([...sortKey(any.repeat(times))].length <= 201);
  }));
  const long = "x".repeat(100);
  assertEquals(sortKey(`${long}a`), sortKey(`${long}b`));
  assertNotEquals(sortKey(`${long.slice(1)}a`), sortKey(`${long.slice(1)}b`));
});

Deno.test("compareCodePoints() orders as UTF-8 bytes are ordered", () => {
  const encoder = new TextEncoder();
  const bytewise = (a: string, b: string) => {
    const [x, y] = [encoder.encode(a), encoder.encode(b)];
    const at = x.findIndex((byte, index) => byte !== y[index]);
    return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1);
  };
  const whole = fc.string({ unit: fc.constantFrom("a", "é", "\uE000", "\uFFFD", "\u{1F600}") });
  fc.assert(fc.property(whole, whole, (a, b) => {
    assertEquals(Math.sign(compareCodePoints(a, b)), Math.sign(bytewise(a, b)));
  }));
  assert(compareCodePoints("\uFFFD", "\u{1F600}") < 0 && "\uFFFD" > "\u{1F600}");
});

Deno.test("weightsWithin() are in the key of each text that contains the text, if that is not cut off", () => {
  fc.assert(
    fc.property(text, text, text, (before, within, after) => {
      const whole = `${before}${within}${after}`;
      const key = sortKey(whole);
      if (!fold(whole).includes(fold(within)) || [...key].length >= MAX_WEIGHTS) return;
      assert(key.includes(weightsWithin(sortKey(within))), `${within} in ${whole}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a key is made from the first 10,000 characters of a text without letters", () => {
  const ignored = "\u{1D173}".repeat(4_999);
  assertEquals(sortKey(`${ignored}ab`), sortKey("ab"));
  const [before, behind] = [sortKey("\u200b".repeat(9_999)), sortKey("\u200b".repeat(200_000))];
  assertEquals(sortKey(`x${"\u200b".repeat(9_999)}b`), sortKey(`x${"\u200b".repeat(9_999)}c`));
  assertEquals(before, behind);
  assert(sortKey(`\u200b${"\u{1F600}".repeat(50)}`).isWellFormed());
});
