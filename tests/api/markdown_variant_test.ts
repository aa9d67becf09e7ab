import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { append, newPage, refusal, succeed, text, treeOf, UNKNOWN } from "./driver.ts";

const ENHANCED = [
  '# Title {toggle="true" color="blue"}',
  "\tinside",
  '<callout icon="💡" color="red_bg">',
  "\tMind this",
  "</callout>",
  "One",
  "Two",
  "",
].join("\n");

Deno.test("a page is read as enhanced Markdown, and written from it", () =>
  withApp(async (app) => {
    const body = { parent: { workspace: true }, properties: {}, markdown: ENHANCED };
    const { id } = await succeed(app, "POST /v2/pages", { body });
    const types = (await treeOf(app, id)).map(({ type }) => type);
    assertEquals(types, ["heading_1", "callout", "paragraph", "paragraph"]);
    const route = `GET /v2/pages/${id}/content/markdown`;
    const enhanced = await app.call(`${route}?variant=enhanced`);
    assertEquals(enhanced.json.markdown, ENHANCED);
    const plain = await app.call(route);
    assert(!plain.json.markdown.includes('{toggle="true"'));
    assertNotEquals(plain.headers.get("etag"), enhanced.headers.get("etag"));
    const bare = await app.call(`${route}?variant=enhanced`, {
      headers: { accept: "text/markdown" },
    });
    assertEquals(bare.text, ENHANCED);
    assertEquals(refusal(await app.call(`${route}?variant=other`)), [400, "validation_error"]);
  }));

Deno.test("a request may say which dialect its Markdown is", () =>
  withApp(async (app) => {
    const create = async (markdown: string, markdown_variant: string) => {
      const body = { parent: { workspace: true }, properties: {}, markdown, markdown_variant };
      const { id } = await succeed(app, "POST /v2/pages", { body });
      return (await treeOf(app, id)).map(({ type }) => type);
    };
    assertEquals(await create("One\nTwo\n", "enhanced"), ["paragraph", "paragraph"]);
    assertEquals(await create("One\nTwo\n", "commonmark"), ["paragraph"]);
    assertEquals(await create("<empty-block/>\n", "commonmark"), ["code"]);
    const { id } = await succeed(app, "POST /v2/pages?variant=enhanced", {
      body: "One\nTwo\n",
      headers: { "content-type": "text/markdown" },
    });
    assertEquals((await treeOf(app, id)).length, 2);
  }));

Deno.test("a copy in Markdown must have an original", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const [original] = await append(app, page, {
      children: [{ synced_block: { children: [{ paragraph: { rich_text: text("same") } }] } }],
    });
    const create = (id: string) => {
      const url = `https://e.test/p#${id.replaceAll("-", "")}`;
      const markdown = `<synced_block_reference url="${url}">\n\tsame\n</synced_block_reference>\n`;
      return app.call("POST /v2/pages", {
        body: { parent: { workspace: true }, properties: {}, markdown },
      });
    };
    const refused = await create(UNKNOWN);
    assertEquals(refusal(refused), [400, "validation_error"]);
    assertEquals(refused.json.errors[0].pointer, "/markdown");
    const { status, json } = await create(original?.id ?? "");
    assertEquals(status, 200);
    const { markdown } = await succeed(
      app,
      `GET /v2/pages/${json.id}/content/markdown?variant=enhanced`,
    );
    assert(
      /^<synced_block_reference url="[^"]+">\n\tsame\n<\/synced_block_reference>\n$/.test(markdown),
    );
  }));
