import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newPage, paragraph, refusal, succeed, text } from "./driver.ts";
import {
  fillWorkspace,
  indexAll,
  meant,
  meantIds,
  textAbout,
  wordsOf,
} from "./semantic_support.ts";

Deno.test("a semantic search of a small workspace uses keywords and says so", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Plan", children: [paragraph("Count the nests")] });
    await newPage(app, { title: "Other" });
    await indexAll(app);
    for (const mode of ["hybrid", "semantic"]) {
      const found = await meant(app, { query: "nests of swallows", mode });
      assertEquals(found.search, { ranked_by: "keyword", due: 0 });
      assertEquals(found.results.map(({ id }) => id), [page]);
      assertEquals(found.results[0]?.match.text, "Count the nests");
    }
  }));

Deno.test("a semantic search finds pages that share no word with the query", () =>
  withApp(async (app) => {
    const ids = await fillWorkspace(app);
    const rare = await newPage(app, {
      title: "Journal",
      children: [paragraph(wordsOf(2).slice(8).join(" "))],
    });
    await indexAll(app);
    const found = await meant(app, { query: wordsOf(2).slice(0, 8).join(" "), mode: "semantic" });
    assertEquals(found.search, { ranked_by: "semantic", due: 0 });
    const about = new Set([...(ids[2] ?? []), rare]);
    const first = found.results.slice(0, about.size).map(({ id }) => id);
    assertEquals(first.filter((id) => !about.has(id)), []);
    assert(first.includes(rare));
    const scores = found.results.map(({ match }) => match.score);
    assertEquals(scores, scores.toSorted((a, b) => b - a));
  }));

Deno.test("a semantic search returns pages with the matching block, and no databases", () =>
  withApp(async (app) => {
    await fillWorkspace(app);
    const database = await succeed(app, "POST /v2/databases", {
      body: {
        parent: { workspace: true },
        title: text(textAbout(1, 3)),
        properties: { Name: { title: {} }, Notes: { rich_text: {} } },
      },
    });
    const row = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: database.id },
        properties: { Notes: { rich_text: text(textAbout(1, 3)) } },
      },
    });
    await indexAll(app);
    const { results } = await meant(app, { query: textAbout(1, 3) });
    const own = results.find(({ id }) => id === row.id);
    assertEquals(own?.match.block_id, row.id);
    assert(
      own?.match.text.includes(wordsOf(1).find((word) => textAbout(1, 3).includes(word)) ?? "-"),
    );
    assert(results.every(({ object }) => object === "page"));
    const [first] = results;
    const page = await succeed(app, `GET /v2/pages/${first?.id}`);
    const { match, ...rest } = first ?? { match: undefined };
    assertEquals(rest as unknown, page);
    const block = await succeed(app, `GET /v2/blocks/${match?.block_id}`);
    assert(block.id === first?.id || block.paragraph.rich_text[0].plain_text === match?.text);
  }));

Deno.test("a semantic search reports how many pages are due, and follows every change", () =>
  withApp(async (app) => {
    await fillWorkspace(app);
    await indexAll(app);
    const query = textAbout(4, 1);
    const page = await newPage(app, { title: "New", children: [paragraph(query)] });
    const before = await meant(app, { query, mode: "semantic" });
    assertEquals(before.search.due, 1);
    assert(!before.results.some(({ id }) => id === page));
    await indexAll(app);
    const after = await meant(app, { query, mode: "semantic" });
    assertEquals(after.search.due, 0);
    assert(after.results.slice(0, 5).some(({ id }) => id === page));
    const [block] = (await succeed(app, `GET /v2/blocks/${page}/children`)).results;
    const body = { paragraph: { rich_text: text(textAbout(0, 1)) } };
    await succeed(app, `PATCH /v2/blocks/${block.id}`, { body });
    await indexAll(app);
    const moved = await meantIds(app, { query: textAbout(0, 1), mode: "semantic" });
    assert(moved.slice(0, 5).includes(page));
    assert(!(await meantIds(app, { query, mode: "semantic" })).slice(0, 20).includes(page));
  }));

Deno.test("a semantic search does not return pages in the trash, and returns restored ones", () =>
  withApp(async (app) => {
    const ids = await fillWorkspace(app);
    await indexAll(app);
    const query = textAbout(3, 2);
    const own = ids[3] ?? [];
    for (const id of own) await succeed(app, `DELETE /v2/pages/${id}`);
    const left = await meantIds(app, { query });
    assertEquals(left.filter((id) => own.includes(id)), []);
    assertEquals(left.length, 100);
    const [first = ""] = own;
    await succeed(app, `PATCH /v2/pages/${first}`, { body: { in_trash: false } });
    assertEquals((await meantIds(app, { query }))[0], first);
  }));

Deno.test("a semantic search stays in its workspace", () =>
  withApp(async (app) => {
    const ids = await fillWorkspace(app);
    await indexAll(app);
    const token = await app.mint({ workspace: "other", sub: "mallory" });
    const found = await meant(app, { query: textAbout(3, 2) }, token);
    assertEquals(found.results, []);
    assertEquals(found.search, { ranked_by: "keyword", due: 0 });
    assert((ids[3] ?? []).includes((await meantIds(app, { query: textAbout(3, 2) }))[0] ?? ""));
  }));

Deno.test("a semantic search respects its filter", () =>
  withApp(async (app) => {
    await fillWorkspace(app);
    const parent = await newPage(app, { title: "Shelf" });
    const below = (page: string) => ({ parent: { page_id: page }, title: "Below" });
    const child = await newPage(app, {
      ...below(parent),
      children: [paragraph(textAbout(5, 2))],
    });
    const grandchild = await newPage(app, {
      ...below(child),
      children: [paragraph(textAbout(5, 3))],
    });
    await indexAll(app);
    const within = (property: string, value: string, mode: string) =>
      meantIds(app, { query: textAbout(5, 2), mode, filter: { property, value } });
    for (const mode of ["hybrid", "semantic"]) {
      assertEquals((await within("ancestor", parent, mode)).sort(), [child, grandchild].sort());
      assertEquals(await within("parent", parent, mode), [child]);
      assertEquals(await within("object", "database", mode), []);
    }
    assertEquals((await within("object", "page", "hybrid")).length, 100);
  }));

Deno.test("a semantic search returns each page once over all pages of its list", () =>
  withApp(async (app) => {
    await fillWorkspace(app);
    await indexAll(app);
    for (const mode of ["hybrid", "semantic"]) {
      const body = { query: textAbout(1, 1), mode };
      const whole = await meantIds(app, body);
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const next = { ...body, page_size: 17, ...(cursor !== null && { start_cursor: cursor }) };
        const page = await meant(app, next);
        walked.push(...page.results.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assertEquals(walked.slice(0, 100), whole);
      assertEquals(new Set(walked).size, 120);
    }
  }));

Deno.test("a semantic search rejects invalid requests", () =>
  withApp(async (app: TestApp) => {
    const refused = async (body: object): Promise<unknown> =>
      refusal(await app.call("POST /v2/search/semantic", { body }));
    for (
      const body of [
        {},
        { query: "" },
        { query: "a", mode: "keyword" },
        { query: "a", filter: { property: "title", value: "x" } },
        { query: "a", start_cursor: "bm9uZQ" },
        { query: "a", sort: { timestamp: "last_edited_time", direction: "ascending" } },
        { query: "x".repeat(1_001) },
      ]
    ) assertEquals(await refused(body), [400, "validation_error"], JSON.stringify(body));
  }));

Deno.test("a semantic search accepts any text", () =>
  withApp(async (app) => {
    await fillWorkspace(app);
    await indexAll(app);
    for (
      const query of [" ", '"', "*", "NEAR(a b)", "title:x", "😀", "東京都", "' OR 1"]
    ) {
      const found = await meant(app, { query });
      assertEquals(found.search.ranked_by, "keyword", query);
    }
  }));
