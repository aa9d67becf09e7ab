import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { append, newPage, paragraph, succeed, text } from "./driver.ts";
import { meant } from "./semantic_support.ts";

type Caller = Pick<TestApp, "call">;

/** One page of results: ids, and the cursor of the next. */
async function searchPage(app: Caller, body: object) {
  const { results, next_cursor, has_more } = await succeed(app, "POST /v2/search", { body });
  assertEquals(has_more, next_cursor !== null);
  return { ids: results.map(({ id }: { id: string }) => id) as string[], next: next_cursor };
}

/** All ids that a search returns, over all pages; `between` runs after each page. */
async function searchAll(
  app: Caller,
  body: object,
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | null = null;
  let page = 0;
  do {
    const { ids, next }: Awaited<ReturnType<typeof searchPage>> = await searchPage(app, {
      ...body,
      ...(cursor !== null && { start_cursor: cursor }),
    });
    all.push(...ids);
    cursor = next;
    await between(page++);
  } while (cursor !== null);
  return all;
}

async function newPages(app: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const children = [paragraph("harbour ".repeat(number % 5 + 1)), paragraph("x".repeat(number))];
    ids.push(await newPage(app, { title: number % 3 === 0 ? "Harbour" : "Quay", children }));
  }
  return ids;
}

const ORDERS = {
  "by rank": { query: "harbour" },
  "by rank of any word": { query: "harbour gulls", words: "any" },
  "by time": {
    query: "harbour",
    sort: { timestamp: "last_edited_time", direction: "ascending" },
  },
  "of everything": {},
};

for (const [order, body] of Object.entries(ORDERS)) {
  Deno.test(`pages of results ${order} have the same results as one large page`, () =>
    withApp(async (app) => {
      const ids = await newPages(app, 23);
      const whole = await searchPage(app, body);
      assertEquals(whole.ids.toSorted(), ids.toSorted());
      assertEquals(await searchAll(app, { ...body, page_size: 4 }), whole.ids);
    }));

  Deno.test(`results ${order} neither repeat nor hide while other pages are created and deleted`, () =>
    withApp(async (app) => {
      const ids = await newPages(app, 20);
      const whole = (await searchPage(app, body)).ids;
      const gone = whole.slice(-3);
      const seen = await searchAll(app, { ...body, page_size: 3 }, async (page) => {
        if (page < gone.length) await succeed(app, `DELETE /v2/pages/${gone[page]}`);
        await newPage(app, { title: "Harbour harbour gulls", children: [paragraph("new")] });
      }).then((all) => all.filter((id) => ids.includes(id)));
      assertEquals(seen, whole.slice(0, -3));
    }));
}

const BATCH = 50;

Deno.test("more pages than one ranking batch are all found, those with the words in the title first", () =>
  withApp(async (app) => {
    const { id: parent } = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: { title: text("Everything") } },
    });
    const titles = Array.from({ length: 1_050 }, (_, index) => index % 100 === 0 ? "Harbour" : "x");
    const ids: string[] = [];
    // In batches, because a request waits for the others only for a limited time.
    for (let at = 0; at < titles.length; at += BATCH) {
      ids.push(
        ...await Promise.all(
          titles.slice(at, at + BATCH).map((title) =>
            newPage(app, { title, parent: { page_id: parent }, children: [paragraph("harbour")] })
          ),
        ),
      );
    }
    // Its words are in several parts of the index, and only the first part has the whole title.
    const long = [..."abcd"].map((word) => paragraph(`${word} `.repeat(900)));
    const title = `${"quay ".repeat(300)}harbour`;
    ids.push(await newPage(app, { title, children: [...long, paragraph("harbour")] }));
    const seen = await searchAll(app, { query: "harbour", page_size: 100 });
    assertEquals(seen.length, ids.length);
    assertEquals(seen.toSorted(), ids.toSorted());
    const inTitle = new Set(ids.filter((_, index) => titles[index] === "Harbour"));
    assert(seen.slice(0, inTitle.size).every((id) => inTitle.has(id)));
    // More pages than are compared with the query at once have it as their title.
    const named = await searchAll(app, { query: "x", page_size: 100 });
    assertEquals(named.toSorted(), ids.filter((_, index) => titles[index] === "x").toSorted());
  }));

Deno.test("rare and unknown words hide no page with a word that very many have", () =>
  withApp(async (app) => {
    const filler = paragraph(`harbour ${"blackbird ".repeat(190)}`);
    const common: string[] = [];
    // Each page has some thirty parts in the index, which are more together than are ranked.
    for (let number = 0; number < 27; number++) {
      common.push(await newPage(app, { children: Array.from({ length: 60 }, () => filler) }));
    }
    const rare = await newPage(app, { title: "kingfisher" });
    for (const words of ["all", "any"]) {
      const found = await searchAll(app, { query: "zeppelin harbour", words });
      assert(found.length > 20 && found.every((id) => common.includes(id)), `${found.length}`);
      const [first, ...others] = await searchAll(app, { query: "kingfisher harbour", words });
      assertEquals(first, rare);
      assert(others.length > 5 && others.every((id) => common.includes(id)), `${others.length}`);
      assertEquals(await searchAll(app, { query: "zeppelin balloons", words }), []);
    }
  }));

Deno.test("a cursor is valid only for its own search", () =>
  withApp(async (app) => {
    await newPages(app, 3);
    const { next } = await searchPage(app, { query: "harbour", page_size: 1 });
    const other = { query: "quay", start_cursor: next };
    assertEquals((await app.call("POST /v2/search", { body: other })).status, 400);
  }));

Deno.test("the writes of several writers are found as soon as each has its reply", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Shared" });
    await Promise.all(Array.from({ length: 16 }, async (_, writer) => {
      await append(app, page, { children: [paragraph(`writer${writer} was here`)] });
      assertEquals((await searchPage(app, { query: `"writer${writer}" shared` })).ids, [page]);
    }));
    const all = Array.from({ length: 16 }, (_, writer) => `"writer${writer}"`).join(" ");
    assertEquals((await searchPage(app, { query: all })).ids, [page]);
  }));

Deno.test("no query text breaks the search or finds other pages", () =>
  withApp(async (app) => {
    await newPage(app, { title: "Harbour", children: [paragraph("gulls")] });
    const signs = fc.string({ unit: fc.constantFrom(...`"*:^-+(){}[]~'\\%_;§ `) });
    const any = fc.oneof(signs, fc.string({ unit: "binary", maxLength: 40 }))
      .filter((given) => !given.includes("\0"));
    const answered = async (query: string) => {
      const answer = await app.call("POST /v2/search", { body: { query } });
      assertEquals(answer.status, 200);
      return answer.json.results.length;
    };
    await fc.assert(
      fc.asyncProperty(any, async (sign) => {
        assertEquals(await answered(`${sign} "nowhere"`), 0);
        if (sign.trim() !== "" && !/[\p{L}\p{N}\p{M}\p{S}]/u.test(sign)) {
          assertEquals(await answered(sign), 0);
        }
      }),
      { numRuns: 200 },
    );
    for (
      const query of [
        '"harbour" OR nowhere',
        "title:nowhere",
        '"h*" AND',
        'NEAR("gulls" nowhere)',
      ]
    ) {
      assertEquals([query, await answered(query)], [query, 0]);
    }
    assertEquals(await answered('"harbour'), 1);
  }));

const LANGUAGES: readonly (readonly [string, string, readonly string[]])[] = [
  ["Der Fluß fließt über Köln", "FLUSS koln", ["Fluß", "Köln"]],
  ["Ça coûte déjà l'été", "ete coute", ["coûte", "été"]],
  ["Mañana en España", "espana", ["España"]],
  ["Łódź nad rzeką", "lodz", ["Łódź"]],
  ["İstanbul ışıkları", "istanbul isik", ["İstanbul", "ışıkları"]],
  ["Новый ёж в лесу", "еж", ["ёж"]],
  ["Η Αθήνα τη νύχτα", "αθηνα", ["Αθήνα"]],
  ["مُحَمَّد في المَدينة", "محمد", ["مُحَمَّد"]],
  ["שָׁלוֹם עולם", "שלום", ["שָׁלוֹם"]],
  ["हिन्दी में लिखा", "हिन्दी", ["हिन्दी"]],
  ["東京都に住んでいます", "東京", ["東京"]],
  ["我们在北京大学学习", "北京 学习", ["北京", "学习"]],
  ["ภาษาไทยง่ายมาก", "ไทย", ["ไทย"]],
  ["한국어를 공부합니다", "한국어", ["한국어를"]],
  ["Ｗｉｄｅ ｶﾞｲﾄﾞ", "wide ガイド", ["Ｗｉｄｅ", "ｶﾞｲﾄﾞ"]],
  ["Ship it 🚀 now 👍🏽", "🚀 👍", ["🚀", "👍🏽"]],
];

Deno.test("texts in all languages are found and marked exactly", () =>
  withApp(async (app) => {
    const ids = await Promise.all(
      LANGUAGES.map(([content]) => newPage(app, { children: [paragraph(content)] })),
    );
    for (const [index, [content, query, expected]] of LANGUAGES.entries()) {
      const { results } = await succeed(app, "POST /v2/search", { body: { query } });
      assertEquals([query, results.map(({ id }: { id: string }) => id)], [query, [ids[index]]]);
      const { text: shown, highlights } = results[0].match;
      assertEquals(shown, content);
      const marked = highlights.map(({ start, end }: { start: number; end: number }) =>
        shown.slice(start, end)
      );
      assertEquals(marked, expected);
    }
  }));

Deno.test("pages with very long texts are all found, a few at once", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Text: { rich_text: {} } });
    const rich_text = text("harbour ".repeat(240)).concat(
      ...Array.from({ length: 99 }, () => text("harbour quay ".repeat(150))),
    );
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) ids.push((await newRow(app, id, { Text: { rich_text } })).id);
    const found = await searchAll(app, { query: "harbour quays" });
    assertEquals(found.toSorted(), ids.toSorted());
  }));

/** Rows that show a long text of another row, and the length of each as JSON, at least. */
async function newLongRows(app: Caller, count: number) {
  const texts = await newDatabase(app, { Text: { rich_text: {} } });
  const long = Array.from({ length: 100 }, () => text("x".repeat(2_000))).flat();
  const { id: other } = await newRow(app, texts.id, { Text: { rich_text: long } });
  const rollup = {
    function: "show_original",
    relation_property_name: "Other",
    rollup_property_name: "Text",
  };
  const { id } = await newDatabase(app, {
    Other: { relation: { database_id: texts.id, single_property: {} } },
    Shown: { rollup },
  });
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const values = { Name: { title: text("harbour") }, Other: { relation: [{ id: other }] } };
    ids.push((await newRow(app, id, values)).id);
  }
  return { ids, length: 200_000 };
}

Deno.test("a page of results ends once what it shows is long, and the next goes on behind it", () =>
  withApp(async (app) => {
    const { ids, length } = await newLongRows(app, 12);
    const { text } = await app.call("POST /v2/search", { body: { query: "harbour" } });
    assert(text.length > 10 * length && text.length < 12 * length, `${text.length}`);
    const found = await searchAll(app, { query: "harbour" });
    assertEquals(found.toSorted(), ids.toSorted());
    const sort = { timestamp: "created_time", direction: "ascending" };
    assertEquals(await searchAll(app, { query: "harbour", sort }), ids);
  }));

Deno.test("so does a page of results by meaning", () =>
  withApp(async (app) => {
    const { ids } = await newLongRows(app, 12);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const body = { query: "harbour", ...(cursor !== null && { start_cursor: cursor }) };
      const { results, next_cursor } = await meant(app, body);
      assert(results.length < ids.length);
      found.push(...results.map(({ id }) => id));
      cursor = next_cursor;
    } while (cursor !== null);
    assertEquals(found.toSorted(), ids.toSorted());
  }));

Deno.test("several searches in one request share the space of one", () =>
  withApp(async (app) => {
    const { ids, length } = await newLongRows(app, 12);
    const search = { query: "harbour" };
    const body = { ...search, also: Array.from({ length: 9 }, () => search) };
    const answer = await app.call("POST /v2/search", { body });
    assert(answer.text.length < 22 * length, `${answer.text.length}`);
    for (const { results, has_more } of [answer.json, ...answer.json.also]) {
      assertEquals([results.length < ids.length, has_more], [true, true]);
      assertEquals(results[0].properties.Shown.rollup.array.length, 1);
    }
  }));

Deno.test("several searches in one request share the work of one", () =>
  withApp(async (app) => {
    // So much work that a tenth of a reply's is too little for all rows, but all of it is not.
    const list = 'repeat(prop("Name") + ",", 120).split(",")';
    const expression = `${list}.map(${list}.length() + current.length()).length()`;
    const { id } = await newDatabase(app, { Work: { formula: { expression } } });
    const count = 30;
    for (let n = 0; n < count; n++) await newRow(app, id, { Name: { title: text("harbour") } });
    const search = { query: "harbour" };
    const computedIn = ({ results }: { results: Answer["json"][] }) =>
      results.filter(({ properties }) => properties.Work.formula.number !== null).length;
    assertEquals(computedIn(await succeed(app, "POST /v2/search", { body: search })), count);
    const also = Array.from({ length: 9 }, () => search);
    const several = await succeed(app, "POST /v2/search", { body: { ...search, also } });
    for (const one of [several, ...several.also]) {
      assert(computedIn(one) > 0 && computedIn(one) < count, `${computedIn(one)}`);
    }
  }));
