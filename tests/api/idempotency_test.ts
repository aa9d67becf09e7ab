import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import {
  append,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  text,
  textsOf,
} from "./driver.ts";
import { announce, put } from "./file_driver.ts";

const DAY = 24 * 60 * 60 * 1_000;
const TOP = { parent: { workspace: true }, properties: { title: text("Home") } };

interface Keyed {
  readonly body: unknown;
  readonly key?: string;
  readonly token?: string;
}

function keyed(
  app: TestApp,
  route: string,
  { body, key = "key", ...rest }: Keyed,
): Promise<Answer> {
  return app.call(route, { body, headers: { "idempotency-key": key }, ...rest });
}

function isReplayed({ headers }: Answer): boolean {
  return headers.get("idempotency-replayed") === "true";
}

Deno.test("a repeated write with one key is executed once and returns the same bytes", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("old")] });
    const [block] = idsOf(await childrenOf(app, page));
    for (
      const [route, body] of [
        ["POST /v2/pages", { ...TOP, parent: { page_id: page } }],
        [`PATCH /v2/pages/${page}`, { icon: { emoji: "🚀" } }],
        [`PATCH /v2/blocks/${page}/children`, { children: [paragraph("new")] }],
        [`PATCH /v2/blocks/${block}`, { paragraph: { color: "red" } }],
        [`PATCH /v2/blocks/${block}`, {}],
      ] as const
    ) {
      const key = `${route} ${JSON.stringify(body).length}`.replaceAll(/[^\w]/g, "_");
      const first = await keyed(app, route, { body, key });
      assertEquals([first.status, isReplayed(first)], [200, false], route);
      // Later changes do not affect the cached reply.
      await succeed(app, `PATCH /v2/pages/${page}`, { body: { icon: null } });
      const second = await keyed(app, route, { body, key });
      assertEquals([second.status, isReplayed(second)], [200, true], route);
      assertEquals(second.text, first.text);
      for (const name of ["etag", "content-type", "cache-control"]) {
        assertEquals(second.headers.get(name), first.headers.get(name));
      }
      assertNotEquals(second.headers.get("x-request-id"), first.headers.get("x-request-id"));
    }
    const shown = await childrenOf(app, page);
    assertEquals(shown.map(({ type }) => type), ["paragraph", "child_page", "paragraph"]);
    assertEquals((await succeed(app, `GET /v2/pages/${page}`)).icon, null);
  }));

Deno.test("the same key with another body is rejected without effect", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const route = `PATCH /v2/blocks/${page}/children`;
    await keyed(app, route, { body: { children: [paragraph("1")] } });
    for (const body of [{ children: [paragraph("2")] }, { children: [{ nonsense: {} }] }, {}]) {
      const refused = await keyed(app, route, { body });
      const isValid = JSON.stringify(body).includes('"2"');
      assertEquals(
        refusal(refused),
        isValid ? [422, "idempotency_key_reused"] : [400, "validation_error"],
      );
    }
    // Bodies are compared by their bytes, not by their meaning.
    const spaced = await keyed(app, route, {
      body: ` {"children":${JSON.stringify([paragraph("1")])}}`,
    });
    assertEquals(refusal(spaced), [422, "idempotency_key_reused"]);
    assertEquals(textsOf(await childrenOf(app, page)), ["1"]);
  }));

Deno.test("a key is scoped to its caller, workspace and route", () =>
  withApp(async (app) => {
    const body = { children: [paragraph("x")] };
    const page = await newPage(app);
    const other = await newPage(app);
    const ada = await app.mint({ sub: "ada" });
    const elsewhere = await app.mint({ workspace: "elsewhere" });
    const theirs = await newPage(app, { token: elsewhere });
    const answers = [
      await keyed(app, `PATCH /v2/blocks/${page}/children`, { body }),
      await keyed(app, `PATCH /v2/blocks/${page}/children`, { body, token: ada }),
      await keyed(app, `PATCH /v2/blocks/${other}/children`, { body }),
      await keyed(app, `PATCH /v2/blocks/${theirs}/children`, { body, token: elsewhere }),
      await keyed(app, `PATCH /v2/blocks/${page}`, { body: {} }),
      await keyed(app, `PATCH /v2/pages/${page}`, { body: {} }),
      await keyed(app, `PATCH /v2/blocks/${page}/children`, { body, key: "another" }),
    ];
    assertEquals(answers.map(({ status }) => status), answers.map(() => 200));
    assertEquals(answers.filter(isReplayed), []);
    assertEquals((await childrenOf(app, page)).length, 3);
    const newToken = await app.mint({ ttlSeconds: 60 });
    const again = await keyed(app, `PATCH /v2/blocks/${page}/children`, { body, token: newToken });
    assertEquals([isReplayed(again), again.text], [true, answers[0]?.text]);
  }));

Deno.test("a cached reply requires the scope of the write", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const route = `PATCH /v2/blocks/${page}/children`;
    const body = { children: [paragraph("x")] };
    await keyed(app, route, { body });
    const scope = ALL_SCOPES.replace("blocks.write ", "");
    const refused = await keyed(app, route, { body, token: await app.mint({ scope }) });
    assertEquals([...refusal(refused), isReplayed(refused)], [403, "forbidden", false]);
    assertEquals(refusal(await keyed(app, route, { body, token: "broken" })), [
      401,
      "unauthorized",
    ]);
  }));

Deno.test("a rejected write is not cached, and its key can be reused", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const route = `PATCH /v2/blocks/${page}/children`;
    const bad = await keyed(app, route, { body: { children: [{ nonsense: {} }] } });
    const after = await keyed(app, route, { body: { children: [paragraph("x")], after: page } });
    const stale = await app.call(route, {
      body: { children: [paragraph("y")] },
      headers: { "idempotency-key": "key", "if-match": '"other"' },
    });
    assertEquals([bad.status, after.status, stale.status], [400, 404, 412]);
    const good = await keyed(app, route, { body: { children: [paragraph("z")] } });
    assertEquals([good.status, isReplayed(good)], [200, false]);
    assertEquals(textsOf(await childrenOf(app, page)), ["z"]);
  }));

Deno.test("a cached reply is replayed regardless of later edits and preconditions", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const { headers } = await app.call(`GET /v2/pages/${page}`);
    const route = `PATCH /v2/pages/${page}`;
    const repeat = () =>
      app.call(route, {
        body: { icon: { emoji: "🚀" } },
        headers: { "idempotency-key": "key", "if-match": headers.get("etag") ?? "" },
      });
    const first = await repeat();
    assertEquals(first.status, 200);
    await app.call(`DELETE /v2/pages/${page}`);
    const again = await repeat();
    assertEquals([again.status, isReplayed(again), again.text], [200, true, first.text]);
    assertEquals((await succeed(app, `GET /v2/pages/${page}`)).in_trash, true);
  }));

Deno.test("a cached reply is replayed even after the upload in the body has expired", () => {
  let clock = Date.now();
  return withApp(async (app) => {
    const upload = await announce(app, { content_type: "text/plain" });
    const sent = await put(app, upload.url, "x", { type: "text/plain" });
    assertEquals(sent.status, 200, sent.text);
    const body = { ...TOP, icon: { file_upload: { id: upload.id } } };
    const first = await keyed(app, "POST /v2/pages", { body });
    await succeed(app, `PATCH /v2/pages/${first.json.id}`, { body: { icon: null } });
    clock += 2 * 60 * 60 * 1_000;
    const token = await app.mint();
    const other = await keyed(app, "POST /v2/pages", { body, token, key: "other" });
    assertEquals(refusal(other), [400, "validation_error"]);
    const again = await keyed(app, "POST /v2/pages", { body, token });
    assertEquals([again.status, isReplayed(again), again.text], [200, true, first.text]);
  }, { now: () => clock });
});

Deno.test("twenty concurrent requests with one key create one page and all return it", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const body = { ...TOP, parent: { page_id: page } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => keyed(app, "POST /v2/pages", { body })),
    );
    assertEquals(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assertEquals(answers.filter((answer) => !isReplayed(answer)).length, 1);
    assertEquals(idsOf(await childrenOf(app, page)), [answers[0]?.json.id]);
  }));

Deno.test("a key expires after a day", () => {
  let clock = Date.now();
  return withApp(async (app) => {
    const token = await app.mint({ ttlSeconds: 3 * DAY / 1_000 });
    const page = await newPage(app, { token });
    const body = { ...TOP, parent: { page_id: page } };
    const start = clock;
    const create = async (now: number) => {
      clock = now;
      return await keyed(app, "POST /v2/pages", { body, token });
    };
    const first = await create(start);
    const last = await create(start + DAY - 1);
    assertEquals([isReplayed(last), last.text], [true, first.text]);
    const next = await create(start + DAY);
    assertEquals([next.status, isReplayed(next)], [200, false]);
    assertNotEquals(next.json.id, first.json.id);
    const kept = await create(start + DAY + 1);
    assertEquals([isReplayed(kept), kept.text], [true, next.text]);
    assertEquals((await childrenOf(app, page, { token })).length, 2);
  }, { now: () => clock });
});

Deno.test("a key survives a restart", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const options = { environment: { DATABASE_URL: `sqlite:${folder}/kept.sqlite` } };
  const answers: Answer[] = [];
  for (let run = 0; run < 2; run++) {
    await withApp(async (app) => {
      answers.push(await keyed(app, "POST /v2/pages", { body: TOP }));
    }, options);
  }
  assertEquals(answers.map(isReplayed), [false, true]);
  assertEquals(answers[1]?.text, answers[0]?.text);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a key is a string of RFC 8941 or a bare word, up to 255 characters", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const route = `PATCH /v2/blocks/${page}/children`;
    const body = { children: [paragraph("x")] };
    const quoted = await keyed(app, route, { body, key: '"a-b"' });
    const bare = await keyed(app, route, { body, key: "a-b" });
    assertEquals([isReplayed(quoted), isReplayed(bare)], [false, true]);
    assertEquals((await keyed(app, route, { body, key: "k".repeat(255) })).status, 200);
    for (const key of ["", '"', '""', "a b", '"a"b"', "a,b", "ä", "k".repeat(256)]) {
      const refused = await keyed(app, route, { body, key });
      assertEquals(refusal(refused), [400, "invalid_request"], key);
    }
    assertEquals((await childrenOf(app, page)).length, 2);
  }));

Deno.test("a DELETE needs no key and stores none", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const [block] = idsOf(await append(app, page, { children: [paragraph("x")] }));
    const remove = () =>
      app.call(`DELETE /v2/blocks/${block}`, { headers: { "idempotency-key": "key" } });
    const first = await remove();
    await succeed(app, `PATCH /v2/blocks/${block}`, { body: { in_trash: false } });
    const second = await remove();
    assert(!isReplayed(second) && second.text !== "" && first.status === 200);
    assertEquals((await succeed(app, `GET /v2/blocks/${block}`)).in_trash, true);
  }));

/** A row whose rollup shows a text of 80,000 characters, and what creates another such row. */
async function newRollups(app: TestApp): Promise<Readonly<Record<string, unknown>>> {
  const create = (route: string, body: object) => succeed(app, route, { body });
  const parent = { page_id: await newPage(app) };
  const shown = await create("POST /v2/databases", {
    parent,
    title: text("Long"),
    properties: { Name: { title: {} }, Text: { rich_text: {} } },
  });
  const long = { rich_text: Array.from({ length: 40 }, () => text("x".repeat(2_000))).flat() };
  const row = await create("POST /v2/pages", {
    parent: { database_id: shown.id },
    properties: { Text: long },
  });
  const rollup = {
    function: "show_original",
    relation_property_name: "To",
    rollup_property_name: "Text",
  };
  const { id } = await create("POST /v2/databases", {
    parent,
    title: text("Short"),
    properties: {
      Name: { title: {} },
      To: { relation: { database_id: shown.id, single_property: {} } },
      All: { rollup },
    },
  });
  return { parent: { database_id: id }, properties: { To: { relation: [{ id: row.id }] } } };
}

Deno.test("of a very long reply the ID is stored, and a repetition shows the object as it is", () =>
  withApp(async (app) => {
    const body = await newRollups(app);
    const create = () => keyed(app, "POST /v2/pages", { body });
    const [first, second] = [await create(), await create()];
    assert(first.text.length > 80_000, first.text);
    assertEquals([second.status, isReplayed(second)], [200, true]);
    assertEquals(second.text, first.text);
    assertEquals(second.headers.get("etag"), first.headers.get("etag"));
    const { id, parent } = first.json;
    const update = () => keyed(app, `PATCH /v2/pages/${id}`, { body: { icon: { emoji: "🚀" } } });
    assertEquals((await update()).json.icon.emoji, "🚀");
    await succeed(app, `PATCH /v2/pages/${id}`, { body: { icon: { emoji: "🦉" } } });
    for (const repeat of [create, update]) {
      const { status, json, headers } = await repeat();
      assertEquals([status, json.id, json.icon.emoji], [200, id, "🦉"]);
      assertEquals(headers.get("idempotency-replayed"), "true");
    }
    const query = `POST /v2/databases/${parent.database_id}/query`;
    assertEquals((await succeed(app, query, { body: {} })).results.length, 1);
  }));

Deno.test("a long reply with a block or a database is repeated as the object is", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("old")] });
    const [block] = idsOf(await childrenOf(app, page));
    const long = Array.from({ length: 40 }, () => text("x".repeat(2_000))).flat();
    const cases = [
      [`PATCH /v2/blocks/${block}`, { paragraph: { rich_text: long } }],
      ["POST /v2/databases", {
        parent: { page_id: page },
        title: long,
        properties: { N: { title: {} } },
      }],
    ] as const;
    for (const [route, body] of cases) {
      const [first, second] = [
        await keyed(app, route, { body }),
        await keyed(app, route, { body }),
      ];
      assert(first.text.length > 80_000, first.text);
      assertEquals([isReplayed(second), second.text], [true, first.text], route);
      assertEquals(second.headers.get("etag"), first.headers.get("etag"));
    }
  }));
