/**
 * Reads what `make.ts` created, as a client of today does.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import type { Answer, TestApp } from "../support/app.ts";

/** Times that a question is repeated, and milliseconds between: an old database fills its search. */
const TRIES = 1_200;
const PAUSE = 50;

const text = (content: string) => [{ text: { content } }];

/** Checks that all content is there and can be changed; without databases, that there are none. */
export async function assertUpgraded(
  { app, call }: Pick<TestApp, "app" | "call">,
  { hasDatabases }: { readonly hasDatabases: boolean },
): Promise<void> {
  app.indexing.start();
  const page = await found(call, "quokka");
  assertEquals((await call(`GET /v2/pages/${page}`)).json.icon.emoji, "🚀");
  const blocks = (await call(`GET /v2/blocks/${page}/children`)).json.results;
  const texts = blocks.map(textOf);
  assertEquals(texts.slice(0, 3), ["Preparations", "Feed the quokka", "Later"]);
  assertEquals(blocks[1].to_do.checked, true);
  assertEquals(texts[3], "@Ada");
  const nested = (await call(`GET /v2/blocks/${blocks[2].id}/children`)).json.results;
  assertEquals(nested.map(textOf), ["Inside the toggle"]);
  const thrown = await call("POST /v2/search", { body: { query: "thrown" } });
  assertEquals(thrown.json.results, []);
  if (hasDatabases) await assertRows(call);
  const added = await call(`PATCH /v2/blocks/${page}/children`, {
    body: { children: [{ paragraph: { rich_text: text("A wombat came since") } }] },
  });
  assertEquals(added.status, 200, added.text);
  assertEquals(await found(call, "wombat"), page);
}

async function assertRows(call: TestApp["call"]): Promise<void> {
  const database = await found(call, "tasks");
  const rows = await call(`POST /v2/databases/${database}/query`, {
    body: {
      filter: { property: "Hours", number: { greater_than: 1 } },
      sorts: [{ property: "Due", direction: "descending" }],
    },
  });
  const names = rows.json.results.map((
    { properties }: { properties: { Task: { title: { plain_text: string }[] } } },
  ) => properties.Task.title[0]?.plain_text);
  assertEquals(names, ["Clean", "Cater"]);
}

/** Returns the ID of the first result of a search, which may take a while to know it. */
async function found(call: TestApp["call"], query: string): Promise<string> {
  let answer: Answer | undefined;
  for (let count = 0; count < TRIES; count++) {
    answer = await call("POST /v2/search", { body: { query } });
    if (answer.status === 200 && answer.json.results.length > 0) return answer.json.results[0].id;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  assert(false, `${query} is not found: ${answer?.text}`);
}

// deno-lint-ignore no-explicit-any -- a test reads into answers freely, and asserts what it finds
function textOf(block: any): string {
  const { rich_text } = block[block.type];
  return rich_text?.map(({ plain_text }: { plain_text: string }) => plain_text).join("");
}
