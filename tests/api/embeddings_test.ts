import { assert, assertEquals } from "../assert.ts";
import { type EmbeddingsServer, withEmbeddings } from "../search/embeddings_server.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { childrenOf, newPage, paragraph, succeed, text } from "./driver.ts";
import { fillWorkspace, indexAll, meant, meantIds, textAbout } from "./semantic_support.ts";

/** Runs a test on an app whose texts a service embeds. */
function withService(
  test: (app: TestApp, service: EmbeddingsServer) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withEmbeddings((service) =>
    withApp((app) => test(app, service), {
      environment: { ...settings(service), ...environment },
    })
  );
}

function settings({ url }: EmbeddingsServer): Record<string, string> {
  return { RECTO_EMBEDDER: "openai", RECTO_EMBEDDINGS_URL: url, RECTO_EMBEDDINGS_MODEL: "letters" };
}

const { signal } = new AbortController();

Deno.test("an embedding service embeds pages and queries of a workspace of any size", () =>
  withService(async (app, service) => {
    const zebra = await newPage(app, { title: "zzzz", children: [paragraph("zzzz zzz")] });
    const apple = await newPage(app, { title: "aaaa", children: [paragraph("aaaa aaa")] });
    await indexAll(app);
    const found = await meant(app, { query: "zz", mode: "semantic" });
    assertEquals(found.search, { ranked_by: "semantic", due: 0 });
    assertEquals(found.results.map(({ id }) => id), [zebra, apple]);
    assert(service.requests.length >= 2);
    assertEquals((await meant(app, { query: "zz" })).search.ranked_by, "hybrid");
  }));

for (const issue of ["500", "429 late", "cut", "garbage", "wrong dimensions"] as const) {
  Deno.test(`writes are answered and searches go by words while a service fails with ${issue}`, () =>
    withService(async (app, service) => {
      const page = await newPage(app, { title: "Plan", children: [paragraph("Count nests")] });
      await indexAll(app);
      service.fail(...Array.from({ length: 50 }, () => issue));
      const later = await newPage(app, { title: "Later", children: [paragraph("More nests")] });
      const failed = app.app.indexing.step(AbortSignal.timeout(1_500));
      assertEquals(await failed.then(() => "done", () => "failed"), "failed");
      const found = await meant(app, { query: "nests" });
      assertEquals(found.search, { ranked_by: "keyword", due: 1 });
      assertEquals(found.results.map(({ id }) => id).sort(), [page, later].sort());
    }, { RECTO_EMBEDDINGS_DIMENSIONS: "8" }));
}

Deno.test("pages that an embedding service failed on are queued again and retried after a pause", () =>
  withEmbeddings((service) => {
    let time = Date.now();
    return withApp(async (app) => {
      service.fail("401");
      await newPage(app, { title: "Plan" });
      await app.app.indexing.step(signal).catch(() => {});
      assertEquals((await meant(app, { query: "Plan" })).search.due, 1);
      await app.app.indexing.step(signal);
      assertEquals((await meant(app, { query: "Plan" })).search.due, 1);
      time += 1_000;
      service.fail("401");
      await app.app.indexing.step(signal).catch(() => {});
      // The second pause is twice as long.
      time += 1_999;
      await indexAll(app);
      assertEquals((await meant(app, { query: "Plan" })).search.due, 1);
      time += 1;
      await indexAll(app);
      assertEquals((await meant(app, { query: "Plan" })).search.due, 0);
    }, { environment: settings(service), now: () => time });
  }));

Deno.test("a search by meaning shows no text in the trash, also before the page is embedded again", () =>
  withService(async (app, service) => {
    const blocks: string[] = [];
    for (const words of ["zzzz zzz", ""]) {
      const page = await newPage(app, { title: "Plan", children: [paragraph(words)] });
      const [block] = await childrenOf(app, page);
      blocks.push(block?.id ?? "");
    }
    const [, commented] = blocks;
    const body = { parent: { block_id: commented }, rich_text: text("zz zzzz") };
    await succeed(app, "POST /v1/comments", { body, headers: { "notion-version": "2022-06-28" } });
    await indexAll(app);
    const shown = async () =>
      (await meant(app, { query: "zz", mode: "semantic" })).results.map(({ match }) => match.text);
    assertEquals((await shown()).sort(), ["zz zzzz", "zzzz zzz"]);
    service.fail("401");
    for (const block of blocks) await succeed(app, `DELETE /v2/blocks/${block}`);
    await app.app.indexing.step(signal).catch(() => {});
    assertEquals(await shown(), ["Plan", "Plan"]);
  }));

Deno.test("a page that an embedding service rejects has no vectors and does not block other pages", () =>
  withService(async (app, service) => {
    service.refuse((text) => text.includes("forbidden"));
    const refused = await newPage(app, { title: "forbidden", children: [paragraph("zzzz")] });
    const zebra = await newPage(app, { title: "zzzz", children: [paragraph("zzzz zzz")] });
    const apple = await newPage(app, { title: "aaaa", children: [paragraph("aaaa aaa")] });
    await indexAll(app);
    const found = await meant(app, { query: "zz", mode: "semantic" });
    assertEquals(found.search, { ranked_by: "semantic", due: 0 });
    assertEquals(found.results.map(({ id }) => id), [zebra, apple]);
    app.log.flush();
    const told = app.lines.filter((line) => JSON.stringify(line).includes(refused));
    assertEquals(told.map(({ level }) => level), ["warn"]);
    await succeed(app, `PATCH /v2/pages/${refused}`, {
      body: { properties: { title: text("zzzz") } },
    });
    await indexAll(app);
    assertEquals((await meant(app, { query: "zz", mode: "semantic" })).results.length, 3);
  }));

Deno.test("an embedding service that rejects everything leaves all pages due", () =>
  withEmbeddings((service) => {
    let time = Date.now();
    return withApp(async (app) => {
      service.refuse(() => true);
      const page = await newPage(app, { title: "Plan" });
      const failed = app.app.indexing.step(signal);
      assertEquals(await failed.then(() => "done", () => "failed"), "failed");
      assertEquals((await meant(app, { query: "Plan" })).search.due, 1);
      service.refuse(() => false);
      time += 300_000;
      await indexAll(app);
      assertEquals(await meantIds(app, { query: "Plan", mode: "semantic" }), [page]);
    }, { environment: settings(service), now: () => time });
  }));

Deno.test("old vectors are used until another embedder has created new ones", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const DATABASE_URL = `sqlite:${folder}/recto.db`;
  try {
    await withApp(async (app) => {
      await fillWorkspace(app);
      await indexAll(app);
    }, { environment: { DATABASE_URL } });
    await withEmbeddings((service) =>
      withApp(async (app) => {
        const query = textAbout(2, 1);
        const before = await meantIds(app, { query, mode: "semantic" });
        assertEquals(before.length, 100);
        await app.app.indexing.step(signal);
        await app.app.indexing.step(signal);
        const asked = service.requests.length;
        assert(asked > 0);
        const during = await meant(app, { query, mode: "semantic" });
        assertEquals(during.search.ranked_by, "semantic");
        assert(during.search.due > 0);
        assertEquals(during.results.map(({ id }) => id), before);
        // The question went to what was learnt, not to the service.
        assertEquals(service.requests.length, asked);
        await indexAll(app);
        await meant(app, { query, mode: "semantic" });
        assertEquals(service.requests.at(-1)?.body, {
          model: "letters",
          input: [query],
          encoding_format: "float",
        });
      }, { environment: { DATABASE_URL, ...settings(service) } })
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Runs background work until nothing is left to do, ignoring failures. */
async function indexThrough(app: TestApp, pass: (milliseconds: number) => void): Promise<void> {
  for (let isWorking = true; isWorking; pass(2_000)) {
    isWorking = await app.app.indexing.step(signal).catch(() => true);
  }
}

for (const dimensions of [5, 12]) {
  Deno.test(`a service that answers with ${dimensions} instead of 8 dimensions has all vectors made anew`, () =>
    withEmbeddings((service) => {
      let time = Date.now();
      return withApp(async (app) => {
        // The vector of a question is kept, so each is another one.
        let questions = 1;
        const search = () => meant(app, { query: "z".repeat(++questions), mode: "semantic" });
        const zebra = await newPage(app, { title: "zzzz", children: [paragraph("zzzz zzz")] });
        const apple = await newPage(app, { title: "aaaa", children: [paragraph("aaaa aaa")] });
        await indexAll(app);
        assertEquals((await search()).search, { ranked_by: "semantic", due: 0 });
        service.resize(dimensions);
        // No write is needed: a query that cannot be compared is enough.
        assertEquals((await search()).search.ranked_by, "keyword");
        await indexThrough(app, (passed) => time += passed);
        const found = await search();
        assertEquals(found.search, { ranked_by: "semantic", due: 0 });
        assertEquals(found.results.map(({ id }) => id), [zebra, apple]);
        const spaces = await app.store.spaces("default");
        assertEquals(spaces.map(({ dimensions }) => dimensions), [dimensions]);
      }, { environment: settings(service), now: () => time });
    }));
}

Deno.test("a page written after the embedding service changed its dimensions is found with all others", () =>
  withEmbeddings((service) => {
    let time = Date.now();
    return withApp(async (app) => {
      const zebra = await newPage(app, { title: "zzzz" });
      await indexAll(app);
      service.resize(6);
      const other = await newPage(app, { title: "zzza" });
      await indexThrough(app, (passed) => time += passed);
      const found = await meant(app, { query: "zz", mode: "semantic" });
      assertEquals(found.search, { ranked_by: "semantic", due: 0 });
      assertEquals(found.results.map(({ id }) => id), [zebra, other]);
    }, { environment: settings(service), now: () => time });
  }));
