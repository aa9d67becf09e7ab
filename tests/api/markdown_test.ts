import { fromFlow } from "../../src/content/markdown/from_flow.ts";
import { parseMarkdown } from "../../src/content/markdown/parse_markdown.ts";
import type { Node } from "../../src/content/schema/node.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { viewed } from "../content/blocks_helpers.ts";
import { SAMPLES } from "../content/blocks_samples.ts";
import { printed } from "../content/markdown/support.ts";
import { type Answer, ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { watchStore } from "../support/watched_store.ts";
import {
  append,
  appendOne,
  idsOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  text,
  toggle,
  treeOf,
  UNKNOWN,
} from "./driver.ts";

const TEXT = { accept: "text/markdown" };

function routeOf(page: string): string {
  return `GET /v2/pages/${page}/content/markdown`;
}

async function markdownOf(app: TestApp, page: string): Promise<string> {
  return (await succeed(app, routeOf(page))).markdown;
}

async function tagOf(app: TestApp, page: string): Promise<string> {
  const { headers } = await app.call(routeOf(page));
  return headers.get("etag") ?? "";
}

Deno.test("the Markdown of a page is returned as JSON and as text", () =>
  withApp(async (app) => {
    const page = await newPage(app, {
      children: [paragraph("Hello *you*"), toggle("More", [paragraph("inside")])],
    });
    const markdown = [
      "Hello \\*you\\*",
      "<details>",
      "<summary>",
      "More",
      "</summary>",
      "inside",
      "</details>",
    ].join("\n\n") + "\n";
    const json = await app.call(routeOf(page));
    assertEquals(json.json, {
      object: "page_markdown",
      id: page,
      markdown,
      truncated: false,
      unknown_block_ids: [],
    });
    assertEquals(json.headers.get("content-type"), "application/json");
    const bare = await app.call(routeOf(page), { headers: TEXT });
    assertEquals([bare.status, bare.text], [200, markdown]);
    assertEquals(bare.headers.get("content-type"), "text/markdown; charset=utf-8");
    for (const { headers } of [json, bare]) {
      assertMatch(headers.get("vary") ?? "", /Accept/);
      assertMatch(headers.get("etag") ?? "", /^"[^"]+"$/);
    }
    assertNotEquals(json.headers.get("etag"), bare.headers.get("etag"));
  }));

Deno.test("the Markdown of an empty page is empty", () =>
  withApp(async (app) => assertEquals(await markdownOf(app, await newPage(app)), "")));

Deno.test("the Accept header chooses the form; a client that accepts neither gets an error", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("a")] });
    const typeFor = async (accept: string) => {
      const { status, headers } = await app.call(routeOf(page), { headers: { accept } });
      return [status, headers.get("content-type")?.split(";")[0]];
    };
    const [json, markdown] = [[200, "application/json"], [200, "text/markdown"]];
    assertEquals(await typeFor("*/*"), json);
    assertEquals(await typeFor("text/*"), markdown);
    assertEquals(await typeFor("text/markdown, */*;q=0.1"), markdown);
    assertEquals(await typeFor("text/markdown;q=0.5, application/json"), json);
    assertEquals(await typeFor("text/markdown;charset=utf-8"), markdown);
    assertEquals(await typeFor("text/html"), [406, "application/problem+json"]);
    const other = await app.call(`GET /v2/pages/${page}`, { headers: TEXT });
    assertEquals(refusal(other), [406, "not_acceptable"]);
  }));

Deno.test("HEAD answers as GET does, without the text", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("Grüße")] });
    for (const headers of [{}, TEXT]) {
      const get = await app.call(routeOf(page), { headers });
      const head = await app.call(routeOf(page).replace("GET", "HEAD"), { headers });
      assertEquals([head.status, head.text], [200, ""]);
      assertEquals(head.headers.get("etag"), get.headers.get("etag"));
      const length = new TextEncoder().encode(get.text).length;
      assertEquals(head.headers.get("content-length"), String(length));
    }
  }));

Deno.test("only pages have Markdown", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const block = await appendOne(app, page, paragraph("a"));
    assertEquals(refusal(await app.call(routeOf(UNKNOWN))), [404, "object_not_found"]);
    assertEquals(refusal(await app.call(routeOf(block.id))), [404, "object_not_found"]);
    assertEquals(refusal(await app.call(routeOf("x"))), [400, "validation_error"]);
    const elsewhere = await app.mint({ workspace: "other" });
    assertEquals(refusal(await app.call(routeOf(page), { token: elsewhere })), [
      404,
      "object_not_found",
    ]);
  }));

Deno.test("an unchanged page is a 304 without loading its content", async () => {
  const { store, calls } = watchStore();
  await withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("a")] });
    for (const headers of [{}, TEXT]) {
      const { headers: { etag = "" } } = {
        headers: Object.fromEntries(
          (await app.call(routeOf(page), { headers })).headers,
        ),
      };
      calls.length = 0;
      const held = await app.call(routeOf(page), {
        headers: { ...headers, "if-none-match": etag },
      });
      assertEquals([held.status, held.text, held.headers.get("etag")], [304, "", etag]);
      assert(calls.includes("versions") && !calls.includes("smallContent"), calls.join());
    }
    const json = await tagOf(app, page);
    const bare = await app.call(routeOf(page), { headers: { ...TEXT, "if-none-match": json } });
    assertEquals(bare.status, 200);
    const refused = await app.call(routeOf(page), { headers: { "if-match": '"other"' } });
    assertEquals(refusal(refused), [412, "precondition_failed"]);
  }, { store });
});

Deno.test("a small page is read at once, with its documents", async () => {
  const { store, calls } = watchStore();
  await withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("a"), paragraph("b")] });
    calls.length = 0;
    assertEquals(await markdownOf(app, page), "a\n\nb\n");
    const reads = ["node", "mentioning", "smallContent", "content", "docs"];
    assertEquals(calls.filter((name) => reads.includes(name)), ["smallContent"]);
  }, { store });
});

/** Actions on a page's content and on objects that it mentions. */
interface Scene {
  readonly app: TestApp;
  readonly page: string;
  /** A toggle of the page, and a paragraph in it. */
  readonly toggle: string;
  readonly inner: string;
  /** A page in the page, one that is mentioned, and one that is linked. */
  readonly child: string;
  readonly named: string;
  readonly linked: string;
}

async function sceneOf(app: TestApp): Promise<Scene> {
  const { id: user } = await succeed(app, "GET /v2/users/me", { token: await ada(app, "Ada") });
  const named = await newPage(app, { title: "Named" });
  const linked = await newPage(app, { title: "Linked" });
  const mentions = [{ mention: { page: { id: named } } }, { mention: { user: { id: user } } }];
  const page = await newPage(app, {
    children: [
      toggle("open", [paragraph("inner")]),
      { quote: { rich_text: [], children: [{ paragraph: { rich_text: mentions } }] } },
      { link_to_page: { page_id: linked } },
    ],
  });
  const [first = ""] = idsOf((await succeed(app, `GET /v2/blocks/${page}/children`)).results);
  const [inner = ""] = idsOf((await succeed(app, `GET /v2/blocks/${first}/children`)).results);
  const child = await newPage(app, { title: "Child", parent: { page_id: page } });
  return { app, page, toggle: first, inner, child, named, linked };
}

const ada = (app: TestApp, name: string) => app.mint({ sub: "ada", name });
const patch = (app: TestApp, path: string, body: object): Promise<Answer["json"]> =>
  succeed(app, `PATCH ${path}`, { body });
const titled = (title: string) => ({ properties: { title: text(title) } });

/** Every way to change the text. */
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  "an edit deep in it": ({ app, inner }) =>
    patch(app, `/v2/blocks/${inner}`, { paragraph: { rich_text: text("edited") } }),
  "a new block": ({ app, page }) => append(app, page, { children: [paragraph("new")] }),
  "a new block deep in it": ({ app, inner }) =>
    append(app, inner, { children: [paragraph("new")] }),
  "a new block between others": ({ app, page, toggle }) =>
    append(app, page, { children: [paragraph("new")], after: toggle }),
  "the deletion of a block": ({ app, inner }) => succeed(app, `DELETE /v2/blocks/${inner}`),
  "the deletion of a block that holds others": ({ app, toggle }) =>
    succeed(app, `DELETE /v2/blocks/${toggle}`),
  "a new page in it": ({ app, page }) => newPage(app, { parent: { page_id: page } }),
  "a new title of a page in it": ({ app, child }) =>
    patch(app, `/v2/pages/${child}`, titled("Renamed child")),
  "the deletion of a page in it": ({ app, child }) => succeed(app, `DELETE /v2/pages/${child}`),
  "a new title of a page that it mentions": ({ app, named }) =>
    patch(app, `/v2/pages/${named}`, titled("Renamed")),
  "a new title of a page that it links": ({ app, linked }) =>
    patch(app, `/v2/pages/${linked}`, titled("Renamed link")),
  "a new name of a user that it mentions": async ({ app }) =>
    succeed(app, "GET /v2/users/me", { token: await ada(app, "Countess") }),
  "a new title of a page in it, by what that mentions": async ({ app, child, named }) => {
    const title = [{ mention: { page: { id: named } } }];
    await patch(app, `/v2/pages/${child}`, { properties: { title } });
    return patch(app, `/v2/pages/${named}`, titled("Renamed twice"));
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`the entity tag of the text changes with ${name}`, () =>
    withApp(async (app) => {
      const scene = await sceneOf(app);
      const before = await app.call(routeOf(scene.page));
      await change(scene);
      const held = before.headers.get("etag") ?? "";
      const after = await app.call(routeOf(scene.page), { headers: { "if-none-match": held } });
      assertEquals(after.status, 200);
      assertNotEquals(after.text, before.text);
      assertNotEquals(after.headers.get("etag"), held);
    }));
}

Deno.test("the entity tag of the text stays if nothing in it changes", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const before = await tagOf(app, scene.page);
    await append(app, scene.child, { children: [paragraph("in a page in it")] });
    await append(app, scene.named, { children: [paragraph("in a page that it mentions")] });
    await patch(app, `/v2/pages/${scene.page}`, {});
    assertEquals(await tagOf(app, scene.page), before);
  }));

Deno.test("a page in the trash shows the content that was trashed with it", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("kept"), paragraph("gone")] });
    const [, gone = ""] = idsOf((await succeed(app, `GET /v2/blocks/${page}/children`)).results);
    await succeed(app, `DELETE /v2/blocks/${gone}`);
    await succeed(app, `DELETE /v2/pages/${page}`);
    assertEquals(await markdownOf(app, page), "kept\n");
  }));

Deno.test("names are current, and links lead to this service", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const markdown = await markdownOf(app, scene.page);
    const [child, named, linked] = [scene.child, scene.named, scene.linked]
      .map((id) => id.replaceAll("-", ""));
    for (
      const link of [
        `[Named](${ORIGIN}/v2/pages/${named} "mention")`,
        `[Linked](${ORIGIN}/v2/pages/${linked} "link_to_page")`,
        `[Child](${ORIGIN}/v2/pages/${child} "child_page")`,
        `[@Ada](${ORIGIN}/v2/users/`,
      ]
    ) assert(markdown.includes(link), markdown);
  }));

Deno.test("blocks that are nested too deeply follow at the last level and are listed", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const ids: string[] = [];
    for (let level = 0; level < 70; level++) {
      const { id } = await appendOne(app, ids.at(-1) ?? page, {
        bulleted_list_item: { rich_text: text(`level ${level}`) },
      });
      ids.push(id);
    }
    const { markdown, unknown_block_ids } = await succeed(app, routeOf(page));
    for (let level = 0; level < 70; level++) assert(markdown.includes(`- level ${level}\n`));
    assertEquals(unknown_block_ids, ids.slice(-unknown_block_ids.length));
    assertEquals(unknown_block_ids.length, 9);
  }));

Deno.test("a page can be created from Markdown", () =>
  withApp(async (app) => {
    const markdown = await printed(
      Object.entries(SAMPLES)
        .filter(([type]) => type !== "table_row" && type !== "column")
        .map(([type, { most }]) => ({ [type]: most.given })),
    );
    const { id } = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, markdown },
    });
    const children = fromFlow(parseMarkdown(markdown, { frontMatter: false }), markdown);
    assert(children.length > 20);
    const same = await newPage(app);
    for (const child of children) await append(app, same, { children: [child] });
    assertEquals(await treeOf(app, id), await treeOf(app, same));
    assertEquals(await markdownOf(app, id), await markdownOf(app, same));
  }));

Deno.test("long texts and long lists in Markdown are divided, not rejected", () =>
  withApp(async (app) => {
    const long = "word ".repeat(3_000).trim();
    const marks = Array.from({ length: 250 }, (_, i) => i % 2 ? `**b${i}**` : `t${i}`).join(" ");
    const items = Array.from({ length: 150 }, (_, i) => `- item ${i}`).join("\n");
    const markdown = [long, marks, items].join("\n\n");
    const { id } = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, markdown },
    });
    const blocks = (await treeOf(app, id)).map(({ value }) =>
      value as { rich_text: { plain_text: string }[] }
    );
    const words = blocks.map(({ rich_text }) => rich_text.map((item) => item.plain_text).join(""));
    assertEquals(words.length, 1 + 3 + 150);
    assertEquals(words[0], long);
    assertEquals(words.slice(1, 4).join(""), marks.replaceAll("**", ""));
    assert(blocks.every(({ rich_text }) => rich_text.length <= 100));
    assert(
      blocks.every(({ rich_text }) =>
        rich_text.every(({ plain_text }) => plain_text.length <= 2_000)
      ),
    );
  }));

Deno.test("front matter stays as code if no property accepts it", () =>
  withApp(async (app) => {
    const markdown = "---\ntitle: A\ntags: [b]\n---\n\nText\n";
    const { id } = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, markdown },
    });
    assertEquals(await markdownOf(app, id), "```yaml\ntitle: A\ntags: [b]\n```\n\nText\n");
  }));

Deno.test("Markdown together with blocks, and too much Markdown, is rejected", () =>
  withApp(async (app) => {
    const common = { parent: { workspace: true }, properties: {} };
    const refused = (body: object) => app.call("POST /v2/pages", { body: { ...common, ...body } });
    for (const name of ["children", "content"]) {
      const both = await refused({ markdown: "a", [name]: [] });
      assertEquals(refusal(both), [400, "validation_error"]);
      assertEquals(both.json.errors.map(({ pointer }: { pointer: string }) => pointer), [
        "/markdown",
      ]);
    }
    const many = await refused({ markdown: "- a\n".repeat(5_001) });
    assertEquals(refusal(many), [400, "validation_error"]);
    assertEquals(many.json.errors[0].pointer, "/markdown");
    assertEquals(refusal(await refused({ markdown: "a".repeat(500_001) })), [
      400,
      "validation_error",
    ]);
    assertEquals(refusal(await refused({ markdown: 1 })), [400, "validation_error"]);
  }));

const AT: Pick<Node, "kind" | "type" | "title" | "hasMentions" | "version"> = {
  kind: "block",
  type: "paragraph",
  title: "",
  hasMentions: false,
  version: 1,
};
const EMPTY = viewed({ paragraph: { rich_text: [] } });

/** A store in which every page has this many empty paragraphs, and counts as large. */
function crowded(count: number, firstNodes: Store["firstNodes"]): Store {
  const nodes = (parentId: string) =>
    Array.from({ length: count }, (_, index) => {
      const position = `a${String(index).padStart(6, "0")}`;
      return { ...AT, id: `n${index}`, parentId, position, length: 2 };
    });
  const content: Store["content"] = (_, id) => Promise.resolve({ version: 1, nodes: nodes(id) });
  const smallContent: Store["smallContent"] = () => Promise.resolve(undefined);
  return watchStore({ content, smallContent, firstNodes }).store;
}

const allBlocks: Store["firstNodes"] = (_, ids) =>
  Promise.resolve(ids.map((id) => ({ ...EMPTY, id, version: 1 })));

Deno.test("a large page is sent in parts that form the same text", async () => {
  const count = 20_001;
  const lines = Array.from({ length: count }, () => "<br>").join("\n\n");
  await withApp(async (app) => {
    const page = await newPage(app);
    const bare = await app.call(routeOf(page), { headers: TEXT });
    assertEquals(bare.text, `${lines}\n`);
    assertEquals((await app.call(routeOf(page))).json.markdown, `${lines}\n`);
    const head = await app.call(routeOf(page).replace("GET", "HEAD"));
    assertEquals([head.status, head.text], [200, ""]);
    assertEquals(head.headers.get("content-length"), null);
  }, { store: crowded(count, allBlocks) });
});

Deno.test("a long text is sent with its length, and of a longer one each part when it is made", async () => {
  const content = "x😀".repeat(600);
  const richText = Array.from({ length: 100 }, () => ({ text: { content } }));
  const { doc } = viewed({ paragraph: { rich_text: richText } });
  const longBlocks: Store["firstNodes"] = async (workspace, ids) =>
    (await allBlocks(workspace, ids)).map((node) => ({ ...node, doc }));
  for (const [count, isComplete] of [[10, true], [60, false]] as const) {
    await withApp(async (app) => {
      const page = await newPage(app);
      const { json, text, headers } = await app.call(routeOf(page));
      const shown = Array.from({ length: count }, () => content.repeat(100));
      assert(json.markdown === `${shown.join("\n\n")}\n`);
      const length = isComplete ? String(new TextEncoder().encode(text).length) : null;
      assertEquals(headers.get("content-length"), length);
      const head = await app.call(routeOf(page).replace("GET", "HEAD"));
      assertEquals([head.text, head.headers.get("content-length")], ["", length]);
    }, { store: crowded(count, longBlocks) });
  }
});

Deno.test("a page that is edited while it is read is read again, and is a 503 if it keeps changing", async () => {
  let stale = 2;
  const blocks: Store["firstNodes"] = async (workspace, ids) => {
    const found = await allBlocks(workspace, ids);
    return stale-- > 0 ? found.map((node) => ({ ...node, version: 2 })) : found;
  };
  await withApp(async (app) => {
    const page = await newPage(app);
    assertEquals(await markdownOf(app, page), "<br>\n");
    stale = Infinity;
    const other = await newPage(app);
    assertEquals(refusal(await app.call(routeOf(other))), [503, "service_unavailable"]);
  }, { store: crowded(1, blocks) });
});

Deno.test("a page with many mentions shows the name of each, and the beginning of a long one", () =>
  withApp(async (app) => {
    const long = await newPage(app, { title: "t".repeat(2_000) });
    const page = await newPage(app);
    const mention = (id: string) => ({ paragraph: { rich_text: [{ mention: { page: { id } } }] } });
    for (let n = 0; n < 6; n++) {
      await append(app, page, { children: Array.from({ length: 90 }, () => mention(long)) });
    }
    const lines = (await markdownOf(app, page)).split("\n\n");
    assertEquals(lines.length, 6 * 90);
    assert(lines.every((line) => line.startsWith(`[${"t".repeat(499)}…](`)), lines[0]);
    await patch(app, `/v2/pages/${long}`, titled("New"));
    const renamed = (await markdownOf(app, page)).split("\n\n");
    assert(renamed.every((line) => line.startsWith("[New](")), renamed[0]);
    const { results } = await succeed(app, `GET /v2/blocks/${page}/children`);
    assertEquals(results[0].paragraph.rich_text[0].plain_text, "New");
  }));
