import { type TestApp, withApp } from "../support/app.ts";
import { assertEquals } from "../assert.ts";
import { newPage, paragraph, text } from "./driver.ts";
import { allFound } from "./search_driver.ts";

const TYPE = { "content-type": "application/jsonl" };
const BATCH = 100;

/** Creates pages with these titles in a page, and returns their IDs. */
async function createPages(
  app: TestApp,
  parent: string,
  titles: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < titles.length; at += BATCH) {
    const lines = titles.slice(at, at + BATCH).map((title) =>
      JSON.stringify({ parent: { page_id: parent }, properties: { title: text(title) } })
    );
    const answer = await app.call("POST /v2/pages", { body: lines.join("\n"), headers: TYPE });
    assertEquals(answer.status, 200, answer.text);
    for (const line of answer.text.trimEnd().split("\n")) ids.push(JSON.parse(line).id);
  }
  return ids;
}

Deno.test("results by time are the same whether few or very many pages have the words", () =>
  withApp(async (app) => {
    const [parent, other] = [await newPage(app), await newPage(app, { title: "Common even" })];
    const titles = Array.from({ length: 1_100 }, (_, n) => n % 2 ? "Common odd" : "Common even");
    const made = await createPages(app, parent, titles);
    const sort = { timestamp: "created_time", direction: "ascending" };
    const found = (body: object) => allFound(app, { sort, ...body }, 100);
    const all = await found({});
    const inOrder = (ids: readonly string[]) => all.filter((id) => ids.includes(id));
    const even = made.filter((_, n) => n % 2 === 0);
    assertEquals(all.length, made.length + 2);
    assertEquals(await found({ query: "common" }), inOrder([other, ...made]));
    assertEquals(await found({ query: "common eve" }), inOrder([other, ...even]));
    const within = { property: "parent", value: parent };
    assertEquals(await found({ query: "common", filter: within }), inOrder(made));
    assertEquals(await found({ query: "common even", filter: within }), inOrder(even));
    const below = { property: "ancestor", value: parent };
    assertEquals(await found({ filter: below }), inOrder(made));
    const since = { timestamp: "created_time", created_time: { on_or_after: "2020-01-01" } };
    assertEquals(await found({ query: "common", filter: since }), inOrder([other, ...made]));
    const both = { and: [within, since] };
    assertEquals(await found({ query: "even", filter: both }), inOrder(even));
  }));

Deno.test("results by time have the words in whichever part of a page", () =>
  withApp(async (app) => {
    const long = paragraph("gulls ".repeat(300));
    const children = [paragraph("alpha"), ...Array.from({ length: 60 }, () => long)];
    const page = await newPage(app, { children: [...children, paragraph("omega")] });
    await newPage(app, { children });
    const sort = { timestamp: "last_edited_time", direction: "descending" };
    assertEquals(await allFound(app, { query: "alpha omega", sort }), [page]);
  }));
