/**
 * The search box in twelve languages: each expectation with what must not match.
 *
 * @module
 */
import { foldWord } from "../../src/search/text/fold.ts";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { newPage, paragraph } from "./driver.ts";
import { LANGUAGES, type LanguageSample } from "./language_samples.ts";
import { allFound, idsIn, searched } from "./search_driver.ts";

interface Workspace extends Pick<TestApp, "call"> {
  /** Creates a page with this text and returns its ID. */
  write(text: string, title?: string): Promise<string>;
  /** The IDs that a query finds, in their order. */
  found(query: string, members?: object): Promise<string[]>;
  search(query: string, members?: object): Promise<Answer["json"]>;
}

/** Runs a test once for each language, in a workspace of its own. */
function inEachLanguage(
  test: (workspace: Workspace, sample: LanguageSample) => Promise<void>,
): Promise<void> {
  return withApp(async (app) => {
    for (const sample of LANGUAGES) {
      const { language } = sample;
      const token = await app.mint({ workspace: language });
      const call: TestApp["call"] = (route, options) => app.call(route, { token, ...options });
      const search = (query: string, members = {}) => searched({ call }, { query, ...members });
      const workspace = {
        call,
        search,
        write: (text: string, title = "") =>
          newPage({ call }, { title, children: [paragraph(text)] }),
        found: async (query: string, members = {}) => idsIn(await search(query, members)),
      };
      try {
        await test(workspace, sample);
      } catch (error) {
        throw new Error(`In ${language}`, { cause: error });
      }
    }
  });
}

Deno.test("a word finds pages with it first, then pages with other forms of it, and no similar word", () =>
  inEachLanguage(async ({ write, found, search }, { forms: [query, exact, other, unlike] }) => {
    const pages = [await write(exact), await write(other)];
    await write(unlike);
    assertEquals(await found(query), pages);
    const any = await found(query, { words: "any" });
    assertEquals(any.toSorted(), pages.toSorted());
    const { total } = await search(query, { total: true, min_score: 0 });
    assertEquals(total, { value: 2, relation: "exact" });
  }));

Deno.test("other forms are found where no page has the word as asked", () =>
  inEachLanguage(async ({ write, found }, { forms: [query, , other, unlike] }) => {
    const page = await write(other);
    await write(unlike);
    assertEquals(await found(query), [page]);
    assertEquals(await found(query, { words: "any" }), [page]);
  }));

Deno.test("a misspelt word finds what was meant, and neither a quoted word nor an absent one does", () =>
  inEachLanguage(async (
    { write, search },
    { around, word, second, misspelt, isCorrected, absent },
  ) => {
    const page = await write(around(word));
    await write(around(second));
    for (const words of ["all", "any"]) {
      const list = await search(misspelt, { words });
      assertEquals(list.search.corrected_query, isCorrected ? foldWord(word) : null);
      if (isCorrected) assertEquals(idsIn(list), [page]);
      for (const query of [`"${misspelt}"`, absent]) {
        const none = await search(query, { words });
        assertEquals([idsIn(none), none.search.corrected_query], [[], null], query);
      }
    }
  }));

Deno.test("a misspelt word among others is corrected where little has any of them", () =>
  inEachLanguage(async ({ call, write, search }, sample) => {
    const { around, word, second, misspelt, isCorrected } = sample;
    const pages = [await write(around(word)), await write(around(second))];
    await write(around("x"));
    const query = `${second} ${misspelt}`;
    const list = await search(query, { words: "any" });
    const [first, ...others] = list.search.corrected_query?.split(" ") ?? [];
    assertEquals(others, isCorrected ? [foldWord(word)] : []);
    assertEquals(first, isCorrected ? foldWord(second) : undefined);
    if (!isCorrected) return;
    assertEquals(idsIn(list).toSorted(), pages.toSorted());
    const all = await allFound({ call }, { query, words: "any" }, 1);
    assertEquals(all.toSorted(), pages.toSorted());
    const quoted = await search(`${second} "${misspelt}"`, { words: "any" });
    assertEquals([idsIn(quoted), quoted.search.corrected_query], [[pages[1]], null]);
  }));

Deno.test("words that no page has together are dropped, but not those in quotes", () =>
  inEachLanguage(async ({ write, search }, { around, word, second, absent }) => {
    const page = await write(around(word));
    await write(around(second));
    const list = await search(`${word} ${absent}`);
    assertEquals([idsIn(list), list.search.words], [[page], "any"]);
    const quoted = await search(`"${word}" "${absent}"`);
    assertEquals([idsIn(quoted), quoted.search.words], [[], "all"]);
  }));

Deno.test("a hyphen excludes pages with the word behind it, and no other page", () =>
  inEachLanguage(async ({ write, found }, { around, word, second, absent }) => {
    const alone = await write(around(word));
    const both = await write(`${around(word)} ${around(second)}`);
    for (const words of ["all", "any"]) {
      const sorted = async (query: string) => (await found(query, { words })).toSorted();
      assertEquals(await sorted(word), [alone, both].toSorted());
      assertEquals(await sorted(`${word} -${second}`), [alone]);
      assertEquals(await sorted(`${word} -"${second}"`), [alone]);
      assertEquals(await sorted(`${word} -${absent}`), [alone, both].toSorted());
    }
  }));

Deno.test("the last word may be incomplete, and other beginnings find nothing", () =>
  inEachLanguage(async ({ write, found }, sample) => {
    const { around, word, second, absent, beginning, noBeginning } = sample;
    const page = await write(around(word));
    await write(around(second));
    assertEquals(await found(beginning), [page]);
    assertEquals(await found(beginning, { words: "any" }), [page]);
    assertEquals(await found(`${absent} ${beginning}`, { words: "any" }), [page]);
    assertEquals(await found(`"${noBeginning}"`), []);
    assertEquals(await found(noBeginning), []);
    assertEquals(await found(`"${noBeginning}"`, { words: "any" }), []);
  }));

Deno.test("a row is found by its words and its date, and not by another date", () =>
  inEachLanguage(async (workspace, { word }) => {
    const { id } = await newDatabase(workspace, { When: { date: {} } });
    const row = async (start: string) =>
      (await newRow(workspace, id, { Name: titled(word), When: { date: { start } } })).id;
    const day = await row("2026-11-22");
    const moment = await row("2026-11-23T08:15:00+01:00");
    const both = async (date: string) => {
      const list = await workspace.search(`${word} ${date}`);
      return list.search.words === "all" ? idsIn(list) : [];
    };
    assertEquals(await both("2026-11-22"), [day]);
    assertEquals(await both("22.11.2026"), [day]);
    assertEquals(await both("2026-11-23 08:15"), [moment]);
    assertEquals(await both("2026-11-24"), []);
    assertEquals(await both("2026-11-23 08:16"), []);
    assertEquals(await both("11.22.2026"), []);
  }));

Deno.test("a page whose title is the query comes first, whatever other pages have", () =>
  inEachLanguage(async ({ write, found }, { around, word, second }) => {
    const title = `${word} ${second}`;
    const named = await write("", title);
    const others = [
      await write(`${title} `.repeat(9), `${title} ${title}`),
      await write(`${title} `.repeat(9), `x ${title}`),
    ];
    await write(around(second), second);
    for (const words of ["all", "any"]) {
      const ids = await found(title, { words });
      assertEquals(ids[0], named);
      for (const other of others) assert(ids.indexOf(other) > 0);
    }
    assert((await found(second))[0] !== named);
  }));
