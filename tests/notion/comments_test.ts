/**
 * Comments through `/v1`: on pages and blocks, replies, files, search, the trash, and hostile input.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { announce, put } from "../api/file_driver.ts";
import { type AnyJson, type NotionApp, V, withNotion } from "./driver.ts";

const MISSING = "00000000-0000-4000-8000-000000000000";
const HEADERS = { "notion-version": V };

function text(content: string): AnyJson[] {
  return [{ text: { content } }];
}

interface Commented {
  readonly page: string;
  readonly block: string;
}

/** A page with one paragraph. */
async function pageIn({ notion }: Pick<NotionApp, "notion">): Promise<Commented> {
  const { id: page } = await notion("POST /pages", {
    parent: { workspace: true },
    properties: { title: text("Field notes") },
    children: [{ paragraph: { rich_text: text("By the river") } }],
  });
  const { results } = await notion(`GET /blocks/${page}/children`);
  return { page, block: results[0].id };
}

function plain(comments: AnyJson[]): string[] {
  return comments.map(({ rich_text }) =>
    rich_text.map((item: AnyJson) => item.plain_text).join("")
  );
}

Deno.test("a comment is created, read, listed, changed and deleted", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { page } = await pageIn(app);
    const me = await notion("GET /users/me");
    const created = await notion("POST /comments", {
      parent: { page_id: page },
      rich_text: text("Nice place"),
    });
    const { id, discussion_id, created_time, request_id: _, ...rest } = created;
    assertMatch(id, /^[0-9a-f-]{36}$/);
    assertMatch(discussion_id, /^[0-9a-f-]{36}$/);
    assertEquals(rest, {
      object: "comment",
      parent: { type: "page_id", page_id: page },
      last_edited_time: created_time,
      created_by: { object: "user", id: me.id },
      rich_text: [{
        type: "text",
        text: { content: "Nice place", link: null },
        annotations: {
          bold: false,
          italic: false,
          strikethrough: false,
          underline: false,
          code: false,
          color: "default",
        },
        plain_text: "Nice place",
        href: null,
      }],
      display_name: { type: "user", resolved_name: me.name },
      attachments: [],
    });
    assertEquals(await notion(`GET /comments/${id}`), created);
    const { results, request_id: __, ...list } = await notion(`GET /comments?block_id=${page}`);
    assertEquals(list, {
      object: "list",
      next_cursor: null,
      has_more: false,
      type: "comment",
      comment: {},
    });
    assertEquals(results, [created]);
    const changed = await notion(`PATCH /comments/${id}`, { rich_text: text("Nicer") });
    assertEquals(plain([changed]), ["Nicer"]);
    assertEquals(changed.created_time, created_time);
    assertEquals(await notion(`DELETE /comments/${id}`), changed);
    assertEquals((await refused(`GET /comments/${id}`)).code, "object_not_found");
    assertEquals((await notion(`GET /comments?block_id=${page}`)).results, []);
  }));

Deno.test("a page and its blocks have comments of their own, and one list has them all", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { page, block } = await pageIn(app);
    await notion("POST /comments", { parent: { page_id: page }, rich_text: text("one") });
    const on = await notion("POST /comments", {
      parent: { type: "block_id", block_id: block },
      rich_text: text("two"),
    });
    assertEquals(on.parent, { type: "block_id", block_id: block });
    const listed = async (query: string) => plain((await notion(`GET /comments?${query}`)).results);
    assertEquals(await listed(`block_id=${page}`), ["one"]);
    assertEquals(await listed(`block_id=${block}`), ["two"]);
    assertEquals(await listed(`page_id=${page}`), ["one", "two"]);
  }));

Deno.test("replies join their discussion, and no other", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { page, block } = await pageIn(app);
    const first = await notion("POST /comments", {
      parent: { block_id: block },
      rich_text: text("Why?"),
    });
    const reply = await notion("POST /comments", {
      discussion_id: first.discussion_id.replaceAll("-", ""),
      markdown: "Because of **the river**.",
    });
    assertEquals(reply.discussion_id, first.discussion_id);
    assertEquals(reply.parent, first.parent);
    assertEquals(reply.rich_text.map((item: AnyJson) => item.annotations.bold), [
      ...[false, true, false],
    ]);
    const other = await notion("POST /comments", {
      parent: { page_id: page },
      rich_text: text("Else"),
    });
    assert(other.discussion_id !== first.discussion_id, "a discussion of its own");
    const unknown = { discussion_id: MISSING, rich_text: text("x") };
    assertEquals((await refused("POST /comments", unknown)).code, "object_not_found");
  }));

Deno.test("comments are listed page by page, the oldest first", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { page, block } = await pageIn(app);
    const names = Array.from({ length: 5 }, (_, index) => `c${index}`);
    for (const name of names) {
      await notion("POST /comments", { parent: { page_id: page }, rich_text: text(name) });
    }
    const first = await notion(`GET /comments?block_id=${page}&page_size=3`);
    assertEquals([first.has_more, plain(first.results)], [true, names.slice(0, 3)]);
    const cursor = `page_size=3&start_cursor=${first.next_cursor}`;
    const rest = await notion(`GET /comments?block_id=${page}&${cursor}`);
    assertEquals([rest.has_more, rest.next_cursor, plain(rest.results)], [
      ...[false, null, names.slice(3)],
    ]);
    for (const query of [`block_id=${block}&${cursor}`, `page_id=${page}&${cursor}`]) {
      assertEquals((await refused(`GET /comments?${query}`)).code, "validation_error");
    }
    assertEquals((await refused("GET /comments")).code, "validation_error");
    const large = await refused(`GET /comments?block_id=${page}&page_size=101`);
    assertEquals(large.code, "validation_error");
  }));

Deno.test("a comment has files, and the names that it is given", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { page } = await pageIn(app);
    const { id, url } = await announce(app, {
      filename: "plan.pdf",
      content_type: "application/pdf",
    });
    const body = {
      parent: { page_id: page },
      rich_text: text("See"),
      display_name: { type: "custom", custom: { name: "Bot A" } },
      attachments: [{ type: "file_upload", file_upload_id: id }],
    };
    assertEquals((await refused("POST /comments", body)).code, "validation_error", "not sent yet");
    assertEquals((await put(app, url, "%PDF", { type: "application/pdf" })).status, 200);
    const created = await notion("POST /comments", body);
    assertEquals(created.display_name, { type: "custom", resolved_name: "Bot A" });
    assertEquals(created.attachments.length, 1);
    assertEquals(created.attachments[0].category, "pdf");
    const response = await app.app.handler(new Request(created.attachments[0].file.url));
    assertEquals(await response.text(), "%PDF");
    assertEquals((await app.store.uploads("default", [id]))[0]?.expiresTime, null, "it is in use");
    const four = Array.from({ length: 4 }, () => body.attachments[0]);
    assertEquals(
      (await refused("POST /comments", { ...body, attachments: four })).code,
      "validation_error",
    );
  }));

Deno.test("a comment is found with its page, at its block, until it or the block is gone", () =>
  withNotion(async (app) => {
    const { notion, call } = app;
    const { page, block } = await pageIn(app);
    const { id } = await notion("POST /comments", {
      parent: { block_id: block },
      rich_text: text("Kingfishers nest here"),
    });
    const search = async () =>
      (await call("POST /v2/search", { body: { query: "kingfishers" } })).json.results;
    const [found] = await search();
    assertEquals([found.id, found.match.block_id], [page, block]);
    assertEquals(found.match.text, "Kingfishers nest here");
    await notion(`PATCH /blocks/${block}`, { archived: true });
    assertEquals(await search(), []);
    await notion(`PATCH /blocks/${block}`, { archived: false });
    assertEquals((await search()).length, 1);
    await notion(`DELETE /comments/${id}`);
    assertEquals(await search(), []);
  }));

Deno.test("comments go to the trash and come back with their page", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { page } = await pageIn(app);
    const body = { parent: { page_id: page }, rich_text: text("Hi") };
    const { id, discussion_id } = await notion("POST /comments", body);
    await notion(`PATCH /pages/${page}`, { archived: true });
    assertEquals((await notion(`GET /comments/${id}`)).id, id, "it is read like its page");
    const refusals = [
      await refused("POST /comments", body),
      await refused("POST /comments", { discussion_id, rich_text: text("Hi") }),
      await refused(`PATCH /comments/${id}`, { rich_text: text("Ho") }),
      await refused(`DELETE /comments/${id}`),
    ];
    for (const { code, message } of refusals) {
      assertEquals(code, "validation_error");
      assertMatch(message, /Can't edit block that is archived/);
    }
    await notion(`PATCH /pages/${page}`, { archived: false });
    assertEquals((await notion(`GET /comments?block_id=${page}`)).results.length, 1);
  }));

Deno.test("a comment needs a place and one text, and every fault is named", () =>
  withNotion(async (app) => {
    const { refused } = app;
    const { page } = await pageIn(app);
    const parent = { page_id: page };
    const bad: AnyJson[] = [
      {},
      { parent },
      { rich_text: text("x") },
      { parent, discussion_id: MISSING, rich_text: text("x") },
      { parent, rich_text: text("x"), markdown: "x" },
      { parent, rich_text: text("x".repeat(2_001)) },
      { parent, rich_text: Array.from({ length: 101 }, () => text("x")[0]) },
      { parent, markdown: Array.from({ length: 101 }, (_, i) => `**a${i}** b`).join("\n\n") },
      { parent, rich_text: text("x"), display_name: { type: "custom" } },
      { parent: { page_id: "x" }, rich_text: text("x") },
      { parent: { database_id: MISSING }, rich_text: text("x") },
      { parent, rich_text: text("x"), colour: "red" },
    ];
    for (const body of bad) {
      const { code } = await refused("POST /comments", body);
      assertEquals(code, "validation_error", JSON.stringify(body).slice(0, 200));
    }
    const nowhere = { parent: { page_id: MISSING }, rich_text: text("x") };
    assertEquals((await refused("POST /comments", nowhere)).code, "object_not_found");
    assertEquals((await refused("GET /comments/x")).code, "validation_error");
  }));

Deno.test("no workspace sees or changes the comments of another", () =>
  withNotion(async (app) => {
    const { notion, call, mint } = app;
    const { page, block } = await pageIn(app);
    const { id, discussion_id } = await notion("POST /comments", {
      parent: { block_id: block },
      rich_text: text("secret"),
    });
    const token = await mint({ workspace: "other", sub: "eve" });
    const rich_text = text("x");
    const calls: [string, AnyJson?][] = [
      [`GET /v1/comments/${id}`],
      [`PATCH /v1/comments/${id}`, { rich_text }],
      [`DELETE /v1/comments/${id}`],
      [`GET /v1/comments?block_id=${block}`],
      [`GET /v1/comments?page_id=${page}`],
      ["POST /v1/comments", { discussion_id, rich_text }],
      ["POST /v1/comments", { parent: { block_id: block }, rich_text }],
    ];
    for (const [route, body] of calls) {
      const answer = await call(route, { token, headers: HEADERS, ...(body && { body }) });
      assertEquals([answer.status, answer.json.code], [404, "object_not_found"], route);
      assert(!answer.text.includes("secret"));
    }
  }));

Deno.test("comments need the scopes of blocks", () =>
  withNotion(async (app) => {
    const { notion, call, mint } = app;
    const { page } = await pageIn(app);
    const { id } = await notion("POST /comments", {
      parent: { page_id: page },
      rich_text: text("x"),
    });
    const reader = await mint({ scope: "blocks.read" });
    const writer = await mint({ scope: "blocks.write" });
    const answers = async (token: string) => {
      const read = await call(`GET /v1/comments/${id}`, { token, headers: HEADERS });
      const list = await call(`GET /v1/comments?block_id=${page}`, { token, headers: HEADERS });
      const body = { rich_text: text("y") };
      const write = await call(`PATCH /v1/comments/${id}`, { token, headers: HEADERS, body });
      return [read, list, write].map(({ status }) => status);
    };
    assertEquals(await answers(reader), [200, 200, 403]);
    assertEquals(await answers(writer), [403, 403, 200]);
  }));

Deno.test("mentions in comments are named, and an Idempotency-Key creates one comment", () =>
  withNotion(async (app) => {
    const { notion, call } = app;
    const { page } = await pageIn(app);
    const body = {
      parent: { page_id: page },
      rich_text: [{ mention: { page: { id: page } } }, ...text(" again")],
    };
    const headers = { ...HEADERS, "idempotency-key": "k1" };
    const [first, second] = [
      await call("POST /v1/comments", { body, headers }),
      await call("POST /v1/comments", { body, headers }),
    ];
    assertEquals(first.status, 200, first.text);
    assertEquals(first.json.id, second.json.id);
    assertEquals(first.json.rich_text[0].plain_text, "Field notes");
    assertEquals((await notion(`GET /comments?block_id=${page}`)).results.length, 1);
  }));

Deno.test("a page of a list of long comments ends early, and none is left out", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { page } = await pageIn(app);
    const long = Array.from({ length: 100 }, () => text("x".repeat(2_000))[0]);
    for (let index = 0; index < 8; index++) {
      await notion("POST /comments", { parent: { page_id: page }, rich_text: long });
    }
    const first = await notion(`GET /comments?block_id=${page}`);
    assertEquals(first.has_more, true);
    assert(first.results.length < 8, `${first.results.length} comments`);
    const query = `block_id=${page}&start_cursor=${first.next_cursor}`;
    const rest = await notion(`GET /comments?${query}`);
    assertEquals(first.results.length + rest.results.length, 8);
    assertEquals(rest.has_more, false);
  }));
