import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { refusal, text } from "./driver.ts";
import { fetchOwn, isOwn, upload } from "./file_driver.ts";

const ROOT = { workspace: true };

/** The bytes of the file that a reply shows. */
async function contentOf(app: TestApp, url: string): Promise<string> {
  assert(isOwn(url), url);
  return await (await fetchOwn(app, url)).text();
}

async function ok(answer: Promise<Answer>): Promise<Answer["json"]> {
  const { status, text, json } = await answer;
  assertEquals(status, 200, text);
  return json;
}

Deno.test("every block with a file accepts an upload, in an append and in an update", () =>
  withApp(async (app) => {
    const { call } = app;
    const page = await ok(call("POST /v2/pages", { body: { parent: ROOT, properties: {} } }));
    for (const type of ["image", "video", "pdf", "audio", "file"]) {
      const first = await upload(app, `first ${type}`);
      const second = await upload(app, `second ${type}`);
      const body = {
        children: [{ type, [type]: { file_upload: { id: first }, caption: text("c") } }],
      };
      const list = await ok(call(`PATCH /v2/blocks/${page.id}/children`, { body }));
      const [block] = list.results;
      assertEquals(block[type].type, "file");
      assertEquals(await contentOf(app, block[type].file.url), `first ${type}`);
      const read = await ok(call(`GET /v2/blocks/${block.id}`));
      assertEquals(read, block);
      const swapped = await ok(
        call(`PATCH /v2/blocks/${block.id}`, { body: { [type]: { file_upload: { id: second } } } }),
      );
      assertEquals(await contentOf(app, swapped[type].file.url), `second ${type}`);
      assertEquals(swapped[type].caption.length, 1);
      if (type === "file") assertEquals([read.file.name, swapped.file.name], ["a.txt", "a.txt"]);
    }
  }));

Deno.test("pages, databases and callouts can have uploaded icons and covers", () =>
  withApp(async (app) => {
    const { call } = app;
    const icon = { type: "file_upload", file_upload: { id: await upload(app, "icon") } };
    const cover = { file_upload: { id: await upload(app, "cover") } };
    const children = [{ callout: { rich_text: text("x"), icon } }];
    const body = { parent: ROOT, properties: {}, icon, cover, children };
    const page = await ok(call("POST /v2/pages", { body }));
    const database = await ok(call("POST /v2/databases", {
      body: { parent: { page_id: page.id }, properties: { N: { title: {} } }, icon, cover },
    }));
    const row = await ok(call("POST /v2/pages", {
      body: { parent: { database_id: database.id }, properties: {}, icon, cover },
    }));
    const rows = await ok(call(`POST /v2/databases/${database.id}/query`, { body: {} }));
    const shown = [
      page,
      await ok(call(`GET /v2/pages/${page.id}`)),
      database,
      await ok(call(`GET /v2/databases/${database.id}`)),
      row,
      await ok(call(`GET /v2/pages/${row.id}`)),
      rows.results[0],
    ];
    for (const one of shown) {
      assertEquals(await contentOf(app, one.icon.file.url), "icon");
      assertEquals(await contentOf(app, one.cover.file.url), "cover");
    }
    const blocks = await ok(call(`GET /v2/blocks/${page.id}/children`));
    assertEquals(await contentOf(app, blocks.results[0].callout.icon.file.url), "icon");
    const cleared = await ok(call(`PATCH /v2/pages/${page.id}`, { body: { icon: null } }));
    assertEquals([cleared.icon, cleared.cover.type], [null, "file"]);
  }));

Deno.test("a files property accepts uploads, files as they were read, and URLs", () =>
  withApp(async (app) => {
    const { call } = app;
    const database = await ok(call("POST /v2/databases", {
      body: {
        parent: ROOT,
        properties: {
          N: { title: {} },
          file: { files: {} },
          R: { formula: { expression: 'prop("file").join("; ")' } },
        },
      },
    }));
    const external = { name: "far", external: { url: "https://example.org/a" } };
    const given = [
      { file_upload: { id: await upload(app, "one") } },
      { name: "Mine", file_upload: { id: await upload(app, "two") } },
      external,
    ];
    const row = await ok(call("POST /v2/pages", {
      body: { parent: { database_id: database.id }, properties: { file: { files: given } } },
    }));
    const files = row.properties.file.files;
    assertEquals(files.map(({ name }: { name: string }) => name), ["a.txt", "Mine", "far"]);
    assertEquals(row.properties.R.formula.string, "a.txt; Mine; far");
    assertEquals(await contentOf(app, files[0].file.url), "one");
    assertEquals(await contentOf(app, files[1].file.url), "two");
    const written = await ok(call(`PATCH /v2/pages/${row.id}`, {
      body: { properties: { file: { files: [files[1], files[2]] } } },
    }));
    assertEquals(written.properties.file.files, [files[1], files[2]]);
    const item = await ok(call(`GET /v2/pages/${row.id}/properties/file`));
    assertEquals(item.files, [files[1], files[2]]);
    const filter = { property: "file", files: { is_not_empty: true } };
    const found = await ok(call(`POST /v2/databases/${database.id}/query`, { body: { filter } }));
    assertEquals(found.results[0].properties.file.files, [files[1], files[2]]);
  }));

Deno.test("a property may have the name of a file's member, in a row and in rows of one request", () =>
  withApp(async ({ call }) => {
    const properties = { N: { title: {} }, file_upload: { number: {} } };
    const database = await ok(call("POST /v2/databases", { body: { parent: ROOT, properties } }));
    // As a client sends a value back, which was read with the ID of its property.
    const value = { id: database.properties.file_upload.id, number: 1 };
    const row = { parent: { database_id: database.id }, properties: { file_upload: value } };
    await ok(call("POST /v2/pages", { body: row }));
    const lines = `${JSON.stringify(row)}\n${JSON.stringify(row)}\n`;
    const headers = { "content-type": "application/jsonl" };
    assertEquals((await call("POST /v2/pages", { headers, body: lines })).status, 200);
    const { results } = await ok(call(`POST /v2/databases/${database.id}/query`, { body: {} }));
    const numbers = results.map((page: typeof row) => page.properties.file_upload.number);
    assertEquals(numbers, [1, 1, 1]);
  }));

Deno.test("rollups and their items show the files of related rows", () =>
  withApp(async (app) => {
    const { call } = app;
    const things = await ok(call("POST /v2/databases", {
      body: { parent: ROOT, properties: { N: { title: {} }, F: { files: {} } } },
    }));
    const boxes = await ok(call("POST /v2/databases", {
      body: {
        parent: ROOT,
        properties: {
          N: { title: {} },
          T: { relation: { database_id: things.id, single_property: {} } },
          All: {
            rollup: {
              relation_property_name: "T",
              rollup_property_name: "F",
              function: "show_original",
            },
          },
        },
      },
    }));
    const files = [{ file_upload: { id: await upload(app, "inside") } }];
    const thing = await ok(call("POST /v2/pages", {
      body: { parent: { database_id: things.id }, properties: { F: { files } } },
    }));
    const box = await ok(call("POST /v2/pages", {
      body: {
        parent: { database_id: boxes.id },
        properties: { T: { relation: [{ id: thing.id }] } },
      },
    }));
    const [shown] = box.properties.All.rollup.array;
    assertEquals(await contentOf(app, shown.files[0].file.url), "inside");
    const items = await ok(call(`GET /v2/pages/${box.id}/properties/All`));
    assertEquals(items.results[0].files, shown.files);
  }));

Deno.test("the Markdown of a page links to its files", () =>
  withApp(async (app) => {
    const { call } = app;
    const children = [
      { image: { file_upload: { id: await upload(app, "picture") } } },
      { file: { file_upload: { id: await upload(app, "paper") } } },
    ];
    const page = await ok(
      call("POST /v2/pages", { body: { parent: ROOT, properties: {}, children } }),
    );
    const { markdown } = await ok(call(`GET /v2/pages/${page.id}/content/markdown`));
    const urls = [...markdown.matchAll(/\((http[^ )]+)/g)].map(([, url = ""]) =>
      url.replaceAll("\\", "")
    );
    assertEquals(await Promise.all(urls.map((url) => contentOf(app, url))), ["picture", "paper"]);
  }));

Deno.test("a file can be written elsewhere as it was read, even after its URL has expired", () => {
  let now = Date.now();
  return withApp(async (app) => {
    const { call, mint } = app;
    const icon = { file_upload: { id: await upload(app, "icon") } };
    const page = await ok(call("POST /v2/pages", { body: { parent: ROOT, properties: {}, icon } }));
    now += 4 * 3_600_000;
    const token = await mint();
    assertEquals((await fetchOwn(app, page.icon.file.url)).status, 403);
    const copy = await ok(call("POST /v2/pages", {
      token,
      body: {
        parent: ROOT,
        properties: {},
        icon: page.icon,
        children: [{ image: { type: "file", file: page.icon.file } }],
      },
    }));
    assertEquals(await contentOf(app, copy.icon.file.url), "icon");
    const others = {
      type: "file",
      file: { url: page.icon.file.url.replaceAll(/[0-9a-f]{12}\//g, "000000000000/") },
    };
    const body = { parent: ROOT, properties: {}, icon: others };
    const unknown = await call("POST /v2/pages", { token, body });
    assertEquals(refusal(unknown), [400, "validation_error"]);
    assertEquals(unknown.json.errors[0].pointer, "/icon/file/url");
  }, { now: () => now });
});

Deno.test("a signed URL stays the same for half its lifetime, and so does the entity tag", () => {
  const step = 30 * 60_000;
  let now = Math.ceil(Date.now() / step) * step;
  return withApp(async (app) => {
    const { call, mint } = app;
    const children = [{ image: { file_upload: { id: await upload(app, "x") } } }];
    const icon = { file_upload: { id: await upload(app, "icon") } };
    const body = { parent: ROOT, properties: {}, icon, children };
    const token = await mint({ ttlSeconds: 100_000 });
    const page = await ok(call("POST /v2/pages", { token, body }));
    const { results: [block] } = await ok(call(`GET /v2/blocks/${page.id}/children`, { token }));
    const routes = [
      `GET /v2/pages/${page.id}`,
      `GET /v2/blocks/${block.id}`,
      `GET /v2/pages/${page.id}/content/markdown`,
    ];
    for (const route of routes) {
      now = Math.ceil(now / step) * step + step;
      const first = await call(route, { token });
      const held = { token, headers: { "if-none-match": first.headers.get("etag") ?? "" } };
      now += step - 1;
      assertEquals((await call(route, held)).status, 304, route);
      assertEquals((await call(route, { token })).text, first.text);
      now += 1;
      const later = await call(route, held);
      assertEquals(later.status, 200, "a client is not left with an address that ends");
      assert(later.text !== first.text);
      assert(later.headers.get("etag") !== first.headers.get("etag"));
    }
  }, { now: () => now });
});
