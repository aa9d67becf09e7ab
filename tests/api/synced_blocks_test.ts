import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import {
  append,
  appendOne,
  childrenOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  textsOf,
  toggle,
  treeOf,
  UNKNOWN,
} from "./driver.ts";
import { fetchOwn, upload } from "./file_driver.ts";

const copyOf = (id: string) => ({ synced_block: { synced_from: { block_id: id } } });
const original = (...children: object[]) => ({ synced_block: { synced_from: null, children } });

interface Scene {
  readonly source: string;
  readonly page: string;
  readonly original: string;
  readonly copy: string;
}

/** An original on one page and a copy of it on another. */
async function sceneOf(app: TestApp): Promise<Scene> {
  const [source, page] = [await newPage(app), await newPage(app)];
  const block = original(paragraph("first"), toggle("open", [paragraph("inner")]));
  const { id } = await appendOne(app, source, block);
  const { id: copy } = await appendOne(app, page, copyOf(id));
  return { source, page, original: id, copy };
}

async function markdownOf(app: TestApp, page: string): Promise<string> {
  return (await succeed(app, `GET /v2/pages/${page}/content/markdown`)).markdown;
}

Deno.test("a copy of a synced block has the original's children, and follows them", () =>
  withApp(async (app) => {
    const { page, copy, original } = await sceneOf(app);
    assertEquals((await succeed(app, `GET /v2/blocks/${copy}`)).has_children, true);
    assertEquals((await childrenOf(app, page)).map(({ has_children }) => has_children), [true]);
    const [own] = await treeOf(app, page);
    assertEquals(own?.children, await treeOf(app, original));
    assertEquals(textsOf(await childrenOf(app, copy)), ["first", "open"]);
    await append(app, original, { children: [paragraph("last")] });
    assertEquals(textsOf(await childrenOf(app, copy, { pageSize: 1 })), ["first", "open", "last"]);
  }));

Deno.test("the Markdown of a page has the text of its copies, and a tag that covers them", () =>
  withApp(async (app) => {
    const { page, source, original } = await sceneOf(app);
    const route = `GET /v2/pages/${page}/content/markdown`;
    const before = await app.call(route);
    assertMatch(before.json.markdown, /first[^]*open[^]*inner/);
    const tag = { "if-none-match": before.headers.get("etag") ?? "" };
    assertEquals((await app.call(route, { headers: tag })).status, 304);
    await append(app, original, { children: [paragraph("last")] });
    const after = await app.call(route, { headers: tag });
    assertEquals(after.status, 200);
    assert(after.json.markdown.includes("last"));
    assertEquals(after.json.unknown_block_ids, []);
    await appendOne(app, source, copyOf(original));
    assertEquals((await markdownOf(app, source)).split("inner").length, 3);
  }));

Deno.test("the Markdown of a page has the files of its copies, with URLs that can be read", () =>
  withApp(async (app) => {
    const { page, original } = await sceneOf(app);
    await append(app, original, {
      children: [{ image: { file_upload: { id: await upload(app, "bytes") } } }],
    });
    const [, url = ""] = /!\[\]\(([^)]*)\)/.exec(await markdownOf(app, page)) ?? [];
    assertEquals(await (await fetchOwn(app, url.replaceAll("\\", ""))).text(), "bytes");
  }));

Deno.test("a copy's Markdown reads back as a copy", () =>
  withApp(async (app) => {
    const { page } = await sceneOf(app);
    const markdown = await markdownOf(app, page);
    const body = { parent: { workspace: true }, properties: {}, markdown };
    const { id } = await succeed(app, "POST /v2/pages", { body });
    assertEquals(await markdownOf(app, id), markdown);
    assertEquals(await treeOf(app, id), await treeOf(app, page));
  }));

Deno.test("a copy shows nothing while its original is in the trash", () =>
  withApp(async (app) => {
    const { page, copy, original } = await sceneOf(app);
    await succeed(app, `DELETE /v2/blocks/${original}`);
    assertEquals((await succeed(app, `GET /v2/blocks/${copy}`)).has_children, false);
    assertEquals(await childrenOf(app, copy), []);
    assert(!(await markdownOf(app, page)).includes("first"));
    await succeed(app, `PATCH /v2/blocks/${original}`, { body: { in_trash: false } });
    assertEquals(textsOf(await childrenOf(app, copy)), ["first", "open"]);
  }));

Deno.test("synced_from must name an original of this workspace outside the trash", () =>
  withApp(async (app) => {
    const { page, source, copy, original } = await sceneOf(app);
    const { id: text } = await appendOne(app, page, paragraph("text"));
    const elsewhere = await app.mint({ sub: "eve", workspace: "other" });
    const theirs = await newPage(app, { token: elsewhere });
    const refused = async (block: string, token?: string) => {
      const answer = await app.call(`PATCH /v2/blocks/${token ? theirs : page}/children`, {
        body: { children: [copyOf(block)] },
        ...(token !== undefined && { token }),
      });
      assertEquals(refusal(answer), [400, "validation_error"], answer.text);
      assertEquals(answer.json.errors[0].pointer, "/children/0/synced_block/synced_from/block_id");
    };
    for (const id of [UNKNOWN, text, page, copy]) await refused(id);
    await refused(original, elsewhere);
    await succeed(app, `DELETE /v2/pages/${source}`);
    await refused(original);
  }));

Deno.test("a copy cannot be inside a synced block, so that no path leads in a circle", () =>
  withApp(async (app) => {
    const { page, source, copy, original: id } = await sceneOf(app);
    const inner = (await childrenOf(app, id)).find(({ type }) => type === "toggle")?.id ?? "";
    for (const place of [id, inner]) {
      const answer = await app.call(`PATCH /v2/blocks/${place}/children`, {
        body: { children: [toggle("deeper", [copyOf(id)])] },
      });
      assertEquals(refusal(answer), [400, "validation_error"]);
      assertMatch(answer.json.message, /cannot be inside a synced block/);
    }
    const nested = await app.call(`PATCH /v2/blocks/${page}/children`, {
      body: { children: [original(toggle("x", [copyOf(id)]))] },
    });
    assertEquals(refusal(nested), [400, "validation_error"]);
    assertEquals((await treeOf(app, source)).length, 1);
    assertEquals(await childrenOf(app, copy).then(textsOf), ["first", "open"]);
  }));
