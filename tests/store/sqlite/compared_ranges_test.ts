import fc from "fast-check";
import { readPhrases } from "../../../src/search/text/query.ts";
import {
  comparesPlaces,
  createNumbersOf,
  walkRanges,
} from "../../../src/store/sqlite/search/compared_ranges.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSqliteStore, openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { PARTS } from "../../../src/store/search_parts.ts";
import { assert, assertEquals } from "../../assert.ts";
import { done, W } from "../contract_support.ts";
import { insert, page } from "../samples.ts";

Deno.test("ranges cover all numbers once, newest first, wherever a statement ends", () => {
  const step = fc.record({
    time: fc.integer({ min: 0, max: 20 }),
    ends: fc.double({ min: 0, max: 1 }),
  });
  const property = fc.property(
    fc.nat(1_000),
    fc.nat(2_000_000),
    fc.array(step, { minLength: 1 }),
    (from, length, steps) => {
      const walk = walkRanges({ from, before: from + length });
      let end = from + length;
      for (let n = 0, range = walk.next(); range !== undefined && n < 10_000; range = walk.next()) {
        assertEquals(range.before, end);
        assert(range.from >= from && range.from < range.before);
        end = range.from;
        const { time = 0, ends = 1 } = steps[n++] ?? {};
        if (ends < 0.3) {
          end = range.before - Math.ceil((range.before - range.from) * ends) || range.from;
          walk.continueBelow(end);
        }
        walk.adapt(time);
      }
      assertEquals(end, from);
    },
  );
  fc.assert(property, { numRuns: 300 });
});

/** Returns the numbers of all ranges if a statement takes so long for so many of them. */
function sizesBy(timeOf: (numbers: number) => number, numbers: number): number[] {
  const walk = walkRanges({ from: 0, before: numbers });
  const sizes: number[] = [];
  for (let range = walk.next(); range !== undefined; range = walk.next()) {
    sizes.push(range.before - range.from);
    walk.adapt(timeOf(range.before - range.from));
  }
  return sizes;
}

Deno.test("ranges grow where statements take as long with any numbers, and where they are fast", () => {
  const numbers = 10_000_000;
  assert(sizesBy(() => 6, numbers).length < 30);
  assert(sizesBy(() => 12, numbers).length < 30);
  assert(sizesBy(() => 0.1, numbers).length < 30);
  let n = 0;
  const withLongTexts = () => ++n < 60 && n % 3 === 0 ? 40 : 5;
  assert(sizesBy(withLongTexts, numbers).length < 100);
});

Deno.test("ranges shrink where a statement takes as long as its numbers are many", () => {
  const most = Math.max(...sizesBy((size) => size / 1_000, 1_000_000).slice(4));
  assert(most <= 32_000, String(most));
});

Deno.test("an expression compares places if a phrase of it has several terms", () => {
  assert(comparesPlaces('"0aalpha 0abeta"'));
  assert(comparesPlaces('"0agulls" AND ("0aowl" OR "0aa 0ab")'));
  assert(!comparesPlaces('"0aalpha" AND "0abeta" *'));
});

const PAGES = 60;
const has = (n: number) => n % 3 === 0;

Deno.test("a phrase is found and counted in all ranges, newest first", async () => {
  const store = openSqliteStore(":memory:");
  const titled = Array.from(
    { length: PAGES },
    (_, n) => page(`p${n}`, { title: has(n) ? "alpha beta" : "beta alpha" }),
  );
  await done(store, insert(...titled));
  const expected = titled.map(({ id }) => id).filter((_, n) => has(n)).toReversed();
  const phrases = readPhrases('"alpha beta"');
  const found: string[] = [];
  let before: number | undefined;
  do {
    const { matches, rest } = await store.findWords(W, {
      ...{ phrases, match: "all", scope: {}, limit: 7 },
      ...(before !== undefined && { before }),
    });
    found.push(...matches.map(({ id }) => id));
    before = rest;
  } while (before !== undefined);
  assertEquals(found, expected);
  const { counts } = await store.wordStatistics(W, phrases);
  assertEquals(counts, [expected.length]);
  assertEquals((await store.wordStatistics(W, readPhrases('"alpha alpha"'))).counts, [0]);
  await store.close();
});

Deno.test("the numbers of a workspace are those of its own parts", async () => {
  const connection = openConnection(":memory:");
  migrate(connection);
  const store = createSqliteStore(connection);
  const numbersOf = createNumbersOf(connection.db);
  assertEquals(numbersOf(W), { from: 0, before: 0 });
  await store.commit("elsewhere", insert(page("x")));
  await done(store, insert(page("a"), page("b")));
  const { from, before } = numbersOf(W);
  assertEquals([from % PARTS, before - from], [0, PARTS + 1]);
  await store.close();
});
