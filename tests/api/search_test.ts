import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { append, newPage, paragraph, refusal, succeed, text, toggle } from "./driver.ts";

type Caller = Pick<TestApp, "call">;

interface Hit {
  readonly id: string;
  readonly object: string;
  readonly in_trash: boolean;
  readonly match: {
    readonly block_id: string;
    readonly text: string;
    readonly highlights: readonly { readonly start: number; readonly end: number }[];
  } | null;
}

async function search(app: Caller, body: object, token?: string): Promise<Hit[]> {
  const options = { body, ...(token !== undefined && { token }) };
  return (await succeed(app, "POST /v2/search", options)).results;
}

/** Ids of the results of a query, in order. */
async function found(app: Caller, query: string, members: object = {}): Promise<string[]> {
  return (await search(app, { query, ...members })).map(({ id }) => id);
}

/** The marked texts of the first result. */
function marked({ match }: Hit): string[] {
  return (match?.highlights ?? []).map(({ start, end }) => match?.text.slice(start, end) ?? "");
}

Deno.test("a search finds words of titles and contents, and marks them", () =>
  withApp(async (app) => {
    const page = await newPage(app, {
      title: "Launch",
      children: [paragraph("First things first"), toggle("Later", [paragraph("Invite the crew")])],
    });
    assertEquals(await found(app, "launch"), [page]);
    const [hit] = await search(app, { query: "crew invi" });
    assert(hit);
    assertEquals(hit.id, page);
    assertEquals(hit.match?.text, "Invite the crew");
    assertEquals(marked(hit), ["Invite", "crew"]);
    const [, nested] = (await succeed(app, `GET /v2/blocks/${page}/children`)).results;
    const [inner] = (await succeed(app, `GET /v2/blocks/${nested.id}/children`)).results;
    assertEquals(hit.match?.block_id, inner.id);
  }));

Deno.test("all words must occur in the page, in any block, the last one as a prefix", () =>
  withApp(async (app) => {
    const page = await newPage(app, {
      title: "Harbour",
      children: [paragraph("Boats at night"), paragraph("Lights on the water")],
    });
    await newPage(app, { title: "Boats" });
    assertEquals(await found(app, "boats lights harb"), [page]);
    assertEquals(await found(app, "boats light"), [page]);
    assertEquals(await found(app, '"light" boats'), []);
    assertEquals(await found(app, '"boats" "train"'), []);
  }));

Deno.test("a long page is shown with the text that has most of the words, wherever it stands", () =>
  withApp(async (app) => {
    const alone = ["gulls", "boats"].map((word) => paragraph(`${word} `.repeat(300)));
    const filler = Array.from({ length: 4 }, () => paragraph("x ".repeat(900)));
    const together = paragraph("Gulls follow boats");
    await newPage(app, { title: "Harbour", children: [...alone, ...filler, together] });
    for (const words of ["all", "any"]) {
      const [hit] = await search(app, { query: "gulls boats", words });
      assertEquals(hit?.match?.text, "Gulls follow boats");
    }
  }));

Deno.test("a phrase must occur in one text, in order", () =>
  withApp(async (app) => {
    const page = await newPage(app, {
      children: [paragraph("the quick brown fox"), paragraph("jumps over")],
    });
    assertEquals(await found(app, '"quick brown"'), [page]);
    assertEquals(await found(app, '"brown quick"'), []);
    assertEquals(await found(app, '"fox jumps"'), []);
    assertEquals(await found(app, '"quick bro"'), []);
  }));

Deno.test("searches that find the same pages rank them each by its own question", () =>
  withApp(async (app) => {
    const named = await newPage(app, {
      title: "Gulls boats",
      children: [paragraph("x ".repeat(90))],
    });
    const fuller = await newPage(app, { title: "Boats gulls boats gulls" });
    for (let time = 0; time < 2; time++) {
      assertEquals(await found(app, 'gulls "boats"'), [named, fuller]);
      // What excludes words names no title.
      assertEquals(await found(app, 'gulls "boats" -harbour'), [fuller, named]);
    }
  }));

Deno.test("titles rank higher than contents", () =>
  withApp(async (app) => {
    const inBody = await newPage(app, { title: "Other", children: [paragraph("harbour seal")] });
    const inTitle = await newPage(app, { title: "Harbour", children: [paragraph("gulls")] });
    await newPage(app, { title: "Gulls" });
    assertEquals(await found(app, "harbour"), [inTitle, inBody]);
  }));

Deno.test("rows are found by their values, databases by description and names of properties", () =>
  withApp(async (app) => {
    const { id: database } = await succeed(app, "POST /v2/databases", {
      body: {
        parent: { workspace: true },
        title: text("Sightings"),
        description: text("Birds along the river"),
        properties: {
          Bird: { title: {} },
          Plumage: { rich_text: {} },
          State: { select: { options: [{ name: "Unconfirmed" }] } },
          Site: { url: {} },
        },
      },
    });
    const row = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: database },
        properties: {
          Bird: { title: text("Kingfisher") },
          Plumage: { rich_text: text("Orange breast") },
          State: { select: { name: "Unconfirmed" } },
          Site: { url: "https://birds.example/kingfisher" },
        },
      },
    });
    assertEquals(await found(app, "sightings river"), [database]);
    assertEquals(await found(app, "plumage"), [database]);
    for (const query of ["orange", "unconfirmed", "birds.example kingfisher"]) {
      const [hit] = await search(app, { query });
      assertEquals([query, hit?.id, hit?.match?.block_id], [query, row.id, row.id]);
    }
    const [hit] = await search(app, { query: "unconfirmed" });
    const { match: _, ...page } = hit ?? { match: null };
    assertEquals(page, row);
  }));

Deno.test("rows are no longer found by deleted properties and options", () =>
  withApp(async (app) => {
    const { id: database } = await succeed(app, "POST /v2/databases", {
      body: {
        parent: { workspace: true },
        title: text("Sightings"),
        properties: {
          Bird: { title: {} },
          Notes: { rich_text: {} },
          State: { select: { options: [{ name: "Unconfirmed" }] } },
        },
      },
    });
    const { id: row } = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: database },
        properties: {
          Bird: { title: text("Kingfisher") },
          Notes: { rich_text: text("orange") },
          State: { select: { name: "Unconfirmed" } },
        },
      },
    });
    assertEquals(await found(app, "orange unconfirmed"), [row]);
    await succeed(app, `PATCH /v2/databases/${database}`, {
      body: { properties: { Notes: null, State: { select: { options: [{ name: "Seen" }] } } } },
    });
    assertEquals(await found(app, "kingfisher"), [row]);
    assertEquals([await found(app, "unconfirmed"), await found(app, "orange")], [[], []]);
  }));

for (
  const [change, properties] of [
    ["a deleted property", { Notes: null }],
    ["a deleted property beside one with a new type", { Notes: null, Weight: { rich_text: {} } }],
    ["an old prefix of their numbers", { Ref: { unique_id: { prefix: "SWAN" } } }],
  ] as const
) {
  Deno.test(`rows are no longer found by ${change}, and still by everything else`, () =>
    withApp(async (app) => {
      const { id: database } = await succeed(app, "POST /v2/databases", {
        body: {
          parent: { workspace: true },
          title: text("Sightings"),
          properties: {
            Bird: { title: {} },
            Notes: { rich_text: {} },
            Weight: { number: {} },
            Ref: { unique_id: { prefix: "HERON" } },
          },
        },
      });
      const rows: string[] = [];
      for (const Notes of [{ rich_text: text("orange") }, { rich_text: [] }]) {
        const { id } = await succeed(app, "POST /v2/pages", {
          body: {
            parent: { database_id: database },
            properties: { Bird: { title: text("Kingfisher") }, Notes, Weight: { number: 37 } },
          },
        });
        rows.push(id);
      }
      const before = {
        orange: rows.slice(0, 1),
        heron: rows,
        swan: [],
        "37": rows,
        kingfisher: rows,
      };
      const seen = async () => {
        const queries = Object.keys(before);
        const hits = await Promise.all(queries.map((query) => found(app, query)));
        return Object.fromEntries(queries.map((query, index) => [query, hits[index]?.toSorted()]));
      };
      assertEquals(await seen(), before);
      await succeed(app, `PATCH /v2/databases/${database}`, { body: { properties } });
      const after = "Ref" in properties
        ? { ...before, heron: [], swan: rows }
        : { ...before, orange: [] };
      assertEquals(await seen(), after);
    }));
}

Deno.test("pages in the trash are not found, and restored pages are", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Harbour" });
    const child = await newPage(app, { title: "Quay", parent: { page_id: page } });
    const [block] = await append(app, page, { children: [paragraph("gulls")] });
    assert(block);
    await succeed(app, `DELETE /v2/blocks/${block.id}`);
    assertEquals(await found(app, "gulls"), []);
    await succeed(app, `DELETE /v2/pages/${page}`);
    assertEquals([await found(app, "harbour"), await found(app, "quay")], [[], []]);
    assertEquals(await found(app, ""), []);
    await succeed(app, `PATCH /v2/pages/${page}`, { body: { in_trash: false } });
    assertEquals([await found(app, "harbour"), await found(app, "quay")], [[page], [child]]);
    assertEquals(await found(app, "gulls"), []);
    await succeed(app, `PATCH /v2/blocks/${block.id}`, { body: { in_trash: false } });
    assertEquals(await found(app, "gulls"), [page]);
  }));

Deno.test("an edit is found at once, and the replaced text no longer is", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Old", children: [paragraph("before")] });
    const [block] = (await succeed(app, `GET /v2/blocks/${page}/children`)).results;
    await succeed(app, `PATCH /v2/blocks/${block.id}`, { body: paragraph("after") });
    await succeed(app, `PATCH /v2/pages/${page}`, {
      body: { properties: { title: { title: text("New") } } },
    });
    assertEquals(await found(app, "new after"), [page]);
    assertEquals([await found(app, "before"), await found(app, "old")], [[], []]);
  }));

Deno.test("without a query all pages and databases are listed, last edited first", () =>
  withApp(async (app) => {
    const first = await newPage(app, { title: "First" });
    const second = await newPage(app, { title: "Second" });
    await append(app, first, { children: [paragraph("more")] });
    assertEquals(await found(app, ""), [first, second]);
    const [hit] = await search(app, {});
    assertEquals(hit?.match, null);
    const ascending = { sort: { timestamp: "last_edited_time", direction: "ascending" } };
    assertEquals((await search(app, ascending)).map(({ id }) => id), [second, first]);
  }));

Deno.test("a filter selects pages or databases, children of a parent, or descendants", () =>
  withApp(async (app) => {
    const top = await newPage(app, { title: "Harbour top" });
    const middle = await newPage(app, { title: "Harbour middle", parent: { page_id: top } });
    const { id: database } = await succeed(app, "POST /v2/databases", {
      body: {
        parent: { page_id: middle },
        title: text("Harbour table"),
        properties: { Name: { title: {} } },
      },
    });
    await newPage(app, { title: "Harbour elsewhere" });
    const by = async (filter: object, query = "harbour") =>
      (await found(app, query, { filter })).toSorted();
    const under = (property: string, value: string) => ({ property, value });
    for (const query of ["harbour", ""]) {
      assertEquals(await by(under("object", "database"), query), [database]);
      assertEquals(await by(under("parent", top), query), [middle]);
      assertEquals(await by(under("ancestor", top), query), [middle, database].toSorted());
      const both = { and: [under("ancestor", top), under("object", "page")] };
      assertEquals(await by(both, query), [middle]);
    }
  }));

Deno.test("an invalid search is rejected with every issue", () =>
  withApp(async (app) => {
    const refusedAt = async (body: object) => {
      const answer = await app.call("POST /v2/search", { body });
      assertEquals(refusal(answer), [400, "validation_error"]);
      return answer.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    const id = await newPage(app);
    assertEquals(await refusedAt({ filter: { property: "object", value: "block" }, sort: {} }), [
      ...["/filter/value", "/sort/timestamp", "/sort/direction"],
    ]);
    const parent = { property: "parent", value: id };
    const unknown = { property: "author", value: id };
    assertEquals(await refusedAt({ filter: { and: [parent, unknown] } }), [
      "/filter/and/1/property",
    ]);
    assertEquals(await refusedAt({ query: 1 }), ["/query"]);
    assertEquals(await refusedAt({ start_cursor: "x" }), ["/start_cursor"]);
    const sort = { timestamp: "last_edited_time", direction: "ascending" };
    assertEquals(await refusedAt({ query: "a", words: "any", sort }), ["/sort"]);
  }));

Deno.test("a search finds nothing of another workspace", () =>
  withApp(async (app) => {
    const mine = await newPage(app, { title: "Harbour" });
    const token = await app.mint({ workspace: "other" });
    assertEquals(await search(app, { query: "harbour" }, token), []);
    const theirs = await newPage(app, { title: "Harbour", token });
    assertEquals((await search(app, { query: "harbour" }, token)).map(({ id }) => id), [theirs]);
    assertEquals(await found(app, "harbour"), [mine]);
  }));
