import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newPage, paragraph, succeed } from "./driver.ts";

type Caller = Pick<TestApp, "call">;

interface List {
  readonly results: readonly { readonly id: string; readonly match: { readonly text: string } }[];
  readonly next_cursor: string | null;
  readonly search: { readonly words: string; readonly corrected_query: string | null };
}

async function search(app: Caller, query: string, members: object = {}): Promise<List> {
  return await succeed(app, "POST /v2/search", { body: { query, ...members } });
}

async function found(app: Caller, query: string, members: object = {}): Promise<string[]> {
  return (await search(app, query, members)).results.map(({ id }) => id);
}

Deno.test("pages with the words as asked come first, then those with other forms of them", () =>
  withApp(async (app) => {
    const exact = await newPage(app, { title: "A", children: [paragraph("The swallow returned")] });
    const plural = await newPage(app, { title: "B", children: [paragraph("Swallows return")] });
    await newPage(app, { title: "C", children: [paragraph("Swabs and shallow water")] });
    assertEquals(await found(app, "swallow returned x".slice(0, 16)), [exact, plural]);
    assertEquals(await found(app, '"swallow"'), [exact]);
  }));

Deno.test("other forms are found in several languages, and other words are not", () =>
  withApp(async (app) => {
    const samples: readonly (readonly [string, string, string])[] = [
      ["boats", "One boat", "A boast"],
      ["die Häuser und die Straßen", "Das Haus und die Straße sind hier", "Hausen"],
      ["las casas y los niños", "La casa y el niño están aquí con", "Cosas"],
      ["les maisons et les jardins dans", "La maison et le jardin sont dans", "Raisons"],
      ["the leaves and the wolves", "The leaf and the wolf", "Leaps and wool"],
      ["los lápices y las luces", "El lápiz y la luz están aquí con", "Lapas y lucha"],
      ["les chevaux et les journaux dans", "Le cheval et le journal sont dans", "Cheveux"],
      ["as lições e os jornais de uma", "A lição e o jornal de uma casa são", "Licor"],
      ["huizen en brieven van het", "Het huis en de brief zijn niet van een stad", "Huid en bries"],
      ["книги и дома на", "Книга и дом на столе и не", "Кино"],
      ["τα βιβλία και οι θάλασσες", "Το βιβλίο και η θάλασσα τα οι", "Θάλαμος"],
    ];
    for (const [query, text, other] of samples) {
      const page = await newPage(app, { children: [paragraph(text)] });
      const wrong = await newPage(app, { children: [paragraph(other)] });
      const ids = await found(app, query);
      assert(ids.includes(page), query);
      assert(!ids.includes(wrong), `${query}: ${other}`);
    }
  }));

Deno.test("a misspelt word finds what was meant, and the answer says what was searched for", () =>
  withApp(async (app) => {
    const page = await newPage(app, {
      title: "Kingfisher",
      children: [paragraph("at the harbour")],
    });
    const list = await search(app, "kingfiser harbuor");
    assertEquals(list.results.map(({ id }) => id), [page]);
    assertEquals(list.search, { words: "all", corrected_query: "kingfisher harbour" });
    assertEquals((await search(app, "harbour")).search, { words: "all", corrected_query: null });
    assertEquals(await found(app, '"kingfiser"'), []);
    assertEquals(await found(app, "zeppelin"), []);
  }));

Deno.test("a correction never shows a word of another workspace", () =>
  withApp(async (app) => {
    await newPage(app, { title: "Kingfisher" });
    const token = await app.mint({ workspace: "other" });
    const list: List = await succeed(app, "POST /v2/search", {
      body: { query: "kingfiser" },
      token,
    });
    assertEquals([list.results.length, list.search.corrected_query], [0, null]);
  }));

Deno.test("where no page has all words, pages with some are found, those with more first", () =>
  withApp(async (app) => {
    const two = await newPage(app, { children: [paragraph("gulls above the harbour")] });
    const one = await newPage(app, { children: [paragraph("gulls")] });
    const list = await search(app, "gulls harbour zeppelin");
    assertEquals([list.results.map(({ id }) => id), list.search.words], [[two, one], "any"]);
    const first = await search(app, "gulls harbour zeppelin", { page_size: 1 });
    const second = await search(app, "gulls harbour zeppelin", {
      page_size: 1,
      start_cursor: first.next_cursor,
    });
    assertEquals([...first.results, ...second.results].map(({ id }) => id), [two, one]);
    assertEquals(second.search.words, "any");
  }));

Deno.test("a hyphen before a word or a phrase excludes pages with it", () =>
  withApp(async (app) => {
    const owl = await newPage(app, { title: "Owl", children: [paragraph("hunts at night")] });
    const draft = await newPage(app, {
      title: "Owl",
      children: [paragraph("a draft"), paragraph("x")],
    });
    assertEquals((await found(app, "owl")).toSorted(), [owl, draft].toSorted());
    assertEquals(await found(app, "owl -draft"), [owl]);
    assertEquals(await found(app, 'owl -"at night"'), [draft]);
    assertEquals(await found(app, "owl -draft", { words: "any" }), [owl]);
    assertEquals(await found(app, "-draft"), [owl]);
    const { results } = await succeed(app, "POST /v2/search/semantic", {
      body: { query: "owl -draft" },
    });
    assertEquals(results.map(({ id }: { readonly id: string }) => id), [owl]);
    assertEquals(await found(app, "owl -dra"), await found(app, "owl"));
  }));

Deno.test("excluded words leave pages of results full", () =>
  withApp(async (app) => {
    const kept: string[] = [];
    for (let number = 0; number < 12; number++) {
      const id = await newPage(app, { title: number % 3 === 0 ? "owl" : "owl draft" });
      if (number % 3 === 0) kept.push(id);
    }
    const first = await search(app, "owl -draft", { page_size: 3 });
    assertEquals(first.results.length, 3);
    const second = await search(app, "owl -draft", {
      page_size: 3,
      start_cursor: first.next_cursor,
    });
    const ids = [...first.results, ...second.results].map(({ id }) => id);
    assertEquals(ids.toSorted(), kept.toSorted());
  }));

Deno.test("a page whose title is the query comes first", () =>
  withApp(async (app) => {
    const named = await newPage(app, { title: "Row 3", children: [paragraph("x ".repeat(400))] });
    await newPage(app, { title: "Row", children: [paragraph("3 row 3 row 3 row 3")] });
    await newPage(app, { title: "Row 3 row 3 row 3 row 3" });
    assertEquals((await found(app, "row 3"))[0], named);
    assertEquals((await found(app, "row 3", { words: "any" }))[0], named);
    const { results } = await succeed(app, "POST /v2/search/semantic", {
      body: { query: "Row 3" },
    });
    assertEquals(results[0].id, named);
  }));

Deno.test("the page named as the query comes first among very many with the words", () =>
  withApp(async (app) => {
    const named = await newPage(app, { title: "Row 3" });
    for (let number = 0; number < 310; number++) {
      await newPage(app, { title: `Row 3 of ${number}` });
    }
    assertEquals((await found(app, "row 3", { page_size: 5 }))[0], named);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const list: List = await search(app, "row 3", {
        ...(cursor !== null && { start_cursor: cursor }),
      });
      ids.push(...list.results.map(({ id }) => id));
      cursor = list.next_cursor;
    } while (cursor !== null);
    assertEquals([ids.length, new Set(ids).size], [311, 311]);
  }));

Deno.test("a question in Chinese, Japanese or Thai finds pages with its words", () =>
  withApp(async (app) => {
    const samples = [
      ["東犬燈塔為何重要？", "東犬燈塔對於研究清代洋式燈塔的人來說是重要的", "臺北的天氣"],
      ["京都の寺はどこですか", "京都には古い寺が多い", "大阪の食べ物"],
      ["ภาษาไทยเรียนยากไหม", "คนเรียนภาษาไทย", "อาหารอร่อย"],
    ] as const;
    for (const [query, text, other] of samples) {
      const page = await newPage(app, { children: [paragraph(text)] });
      const wrong = await newPage(app, { children: [paragraph(other)] });
      for (const members of [{}, { words: "any" }]) {
        const ids = await found(app, query, members);
        assertEquals([ids[0], ids.includes(wrong)], [page, false], query);
      }
    }
  }));
