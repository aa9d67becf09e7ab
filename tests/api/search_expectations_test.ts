import { foldWord } from "../../src/search/text/fold.ts";
import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { newPage, paragraph, succeed } from "./driver.ts";
import { allFound, idsIn, searched } from "./search_driver.ts";

Deno.test("a row is found by its dates and times, however people write them", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { When: { date: {} } });
    const row = async (start: string, end?: string) =>
      (await newRow(app, id, { Name: titled("visit"), When: { date: { start, end } } })).id;
    const day = await row("2026-11-22");
    const short = await row("2026-03-02");
    const moment = await row("2026-11-23T08:15:00+01:00");
    const range = await row("2026-12-24", "2027-01-06");
    const samples: readonly (readonly [string, readonly string[]])[] = [
      ["2026-11-22", [day]],
      ["22.11.2026", [day]],
      ["22/11/2026", [day]],
      ["visit 2026-11-22", [day]],
      ['"2026-11-22"', [day]],
      ["2.3.2026", [short]],
      ["02.03.2026", [short]],
      ["2026-03-02", [short]],
      ["2026-11-23 08:15", [moment]],
      ["23.11.2026", [moment]],
      ["2027-01-06", [range]],
      ["24.12.2026", [range]],
      ["2026-11", [day, moment]],
      ["2026-11-21", []],
      ["11.22.2026", []],
      ["3.2.2026", []],
      ["2026-11-23 08:16", []],
    ];
    for (const [query, expected] of samples) {
      // Without a page that has all words, pages with some are found.
      const list = await searched(app, { query });
      const found = list.search.words === "all" ? idsIn(list) : [];
      assertEquals(found.toSorted(), expected.toSorted(), query);
    }
    await succeed(app, `PATCH /v2/pages/${day}`, {
      body: { properties: { When: { date: { start: "2025-01-31" } } } },
    });
    assertEquals(await allFound(app, { query: '"2026-11-22"' }), []);
    assertEquals(await allFound(app, { query: "31.01.2025" }), [day]);
  }));

Deno.test("the last word of a search for any may be a beginning, if no page has the word", () =>
  withApp(async (app) => {
    const samples: readonly (readonly [string, string, string])[] = [
      ["harb", "the harbour at night", "a bar"],
      ["Straßenl", "die Straßenlaterne leuchtet", "die Straße"],
      ["biblio", "la bibliothèque est fermée", "le livre"],
      ["самол", "самолёт летит", "сам он"],
      ["θάλασ", "η θάλασσα είναι ήρεμη", "ο θάλαμος"],
    ];
    for (const [query, text, other] of samples) {
      const page = await newPage(app, { children: [paragraph(text)] });
      await newPage(app, { children: [paragraph(other)] });
      for (const before of ["", "zeppelin "]) {
        const found = await allFound(app, { query: before + query, words: "any" });
        assertEquals(found, [page], before + query);
      }
    }
    const word = await newPage(app, { title: "harb" });
    assertEquals(await allFound(app, { query: "harb", words: "any" }), [word]);
    assertEquals(await allFound(app, { query: "harb zeppelin", words: "any" }), [word]);
    assertEquals(await allFound(app, { query: "zz", words: "any" }), []);
  }));

Deno.test("a misspelt word is corrected in a search for any, too, and on every page of results", () =>
  withApp(async (app) => {
    const pages: string[] = [];
    for (let number = 0; number < 5; number++) {
      pages.push(await newPage(app, { title: `kingfisher ${number}` }));
    }
    await newPage(app, { title: "kingdom" });
    const list = await searched(app, { query: "kingfihser", words: "any", total: true });
    assertEquals(list.search, { words: "any", corrected_query: "kingfisher" });
    assertEquals(list.total, { value: 5, relation: "exact" });
    const all = await allFound(app, { query: "kingfihser", words: "any" }, 2);
    assertEquals(all.toSorted(), pages.toSorted());
    const known = await searched(app, { query: "kingdom", words: "any" });
    assertEquals(known.search.corrected_query, null);
  }));

Deno.test("a correction beside words of several parts is the same on every page of results", () =>
  withApp(async (app) => {
    const samples: readonly (readonly [string, string, string])[] = [
      ["e-mail kingfihser", "e-mail kingfisher", "e x mail kingfisher"],
      ["東京都 harbuor", "東京都 harbour", "京都東 harbour"],
      ["lighthouse a lighthuose", "lighthouse a lighthouse", "lighthouse lamp"],
    ];
    for (const [misspelt, right, other] of samples) {
      for (const both of [[], [misspelt]]) {
        for (const title of both) await newPage(app, { title });
        const number = both.length + 6;
        for (let n = both.length; n < number; n++) await newPage(app, { title: `${right} ${n}` });
        await newPage(app, { title: other });
        const all = await allFound(app, { query: misspelt }, 100);
        assertEquals(await allFound(app, { query: misspelt }, 3), all, misspelt);
      }
    }
  }));

Deno.test("misspelt words are corrected in several languages, and words of other scripts are not", () =>
  withApp(async (app) => {
    const samples: readonly (readonly [string, string, string])[] = [
      ["Eisvogle", "Der Eisvogel fischt", "eisvogel"],
      ["martin-pecheur oisseau", "un oiseau rare", "martin pecheur oiseau"],
      ["mariposs", "una mariposa azul", "mariposa"],
      ["ptichka воробеей", "маленький воробей", "ptichka воробей"],
      ["θαλασσσα", "η θάλασσα", "θαλασσα"],
      ["kelebekk", "mavi kelebek", "kelebek"],
    ];
    for (const [query, text, corrected] of samples) {
      const page = await newPage(app, { children: [paragraph(text)] });
      const list = await searched(app, { query });
      assertEquals(idsIn(list), [page], query);
      assertEquals(list.search.corrected_query, corrected);
    }
    await newPage(app, { children: [paragraph("東京都の天気")] });
    assertEquals((await searched(app, { query: "東亰都" })).search.corrected_query, null);
  }));

/** How most pages spell a word, how one does, and a word that a correction must not take for it. */
const RARELY_SPELT = [
  ["harbour", "harbuor", "arbour"],
  ["Eisvogel", "Eisvogle", "Eisnadel"],
  ["bibliothèque", "biblioteque", "discothèque"],
  ["mariposa", "maripose", "mariscal"],
  ["farfalla", "farfala", "farfara"],
  ["дирижабль", "дерижабль", "дирижёр"],
  ["χελιδόνι", "χεληδόνι", "χελώνα"],
  ["المدرسة", "المدرصة", "المدينة"],
  ["चिड़ियाघर", "चिड़ियागर", "चिकित्सा"],
  ["도서관입니다", "도서괸입니다", "도자기입니다"],
  ["istanbullu", "istambullu", "istasyon"],
  ["borboleta", "borbuleta", "bordadeira"],
] as const;

Deno.test("where one page has a word as misspelt, it comes first, then those with the word that is meant", () =>
  withApp(async (app) => {
    for (const [word, misspelt, unlike] of RARELY_SPELT) {
      const token = await app.mint({ workspace: word });
      const call: typeof app.call = (route, options) => app.call(route, { token, ...options });
      const rare = await newPage({ call }, { children: [paragraph(`x ${misspelt} y`)] });
      await newPage({ call }, { children: [paragraph(unlike)] });
      const common: string[] = [];
      for (let number = 0; number < 10; number++) {
        const before = await searched({ call }, { query: misspelt });
        assertEquals([idsIn(before), before.search.corrected_query], [[rare], null], misspelt);
        common.push(await newPage({ call }, { children: [paragraph(`${word} ${word}`)] }));
      }
      for (const words of ["all", "any"]) {
        const list = await searched({ call }, { query: misspelt, words, total: true });
        assertEquals(list.search, { words, corrected_query: foldWord(word) }, misspelt);
        assertEquals(list.total, { value: 11, relation: "exact" });
        const [first, ...others] = await allFound({ call }, { query: misspelt, words });
        assertEquals([first, others.toSorted()], [rare, common.toSorted()], misspelt);
        const quoted = await searched({ call }, { query: `"${misspelt}"`, words });
        assertEquals([idsIn(quoted), quoted.search.corrected_query], [[rare], null]);
      }
    }
  }));

Deno.test("a title that equals the question comes first in every script", () =>
  withApp(async (app) => {
    for (const title of ["Nest", "Straße 7", "京都の寺", "птица", "θάλασσα", "서울 여행"]) {
      const named = await newPage(app, { title });
      await newPage(app, { title: `${title} ${title} ${title}` });
      await newPage(app, { title: `x ${title}`, children: [paragraph(`${title} `.repeat(9))] });
      for (const words of ["all", "any"]) {
        assertEquals(idsIn(await searched(app, { query: title, words }))[0], named, title);
      }
    }
  }));
