/**
 * The tasks of clients. Each task ends when its outcome is known, and throws if a response is
 * wrong.
 *
 * @module
 */
import { paragraph, text, textsOf } from "../../api/driver.ts";
import { assert, assertEquals } from "../../assert.ts";
import type { Caller } from "./caller.ts";
import type { Ledger, Run, Spot, Written } from "./ledger.ts";
import { counterAt, echoesOf, type Stage, twins } from "./stage.ts";

export interface Client {
  /** Different from all other clients'. */
  readonly number: number;
  readonly caller: Caller;
  readonly stage: Stage;
  readonly ledger: Ledger;
}

/** A task; `unique` is a number that no other task of any client has. */
export type Work = (client: Client, unique: number) => Promise<void>;
export type NamedWork = readonly [name: string, work: Work];

async function append({ caller, stage, ledger }: Client, unique: number): Promise<void> {
  const list = pick(stage.lists);
  const own = ledger.runs.filter((run) => run.list === list);
  const before = Math.random() < 0.25 ? anyOf(own) : undefined;
  const spot: Spot = before ? { after: lastOf(before.texts) } : pick(["start", "end"]);
  const texts = Array.from({ length: 1 + unique % 3 }, (_, block) => `${unique}.${block}`);
  const position = before
    ? { type: "after_block", after_block: { id: lastOf(before.ids) } }
    : { type: spot };
  const { json } = await caller.succeed(`PATCH /v2/blocks/${list}/children`, {
    body: { children: texts.map(paragraph), position },
  });
  assertEquals(textsOf(json.results), texts);
  const run: Run = { list, spot, texts, ids: json.results.map(({ id }: { id: string }) => id) };
  ledger.runs.push(run);
}

/** Increments a counter if it is unchanged since it was read. */
async function edit({ caller, stage, ledger }: Client): Promise<void> {
  const counter = pick(stage.counters);
  const { json, etag } = await caller.succeed(`GET /v2/blocks/${counter}`);
  const number = Number(json.to_do.rich_text[0].plain_text);
  assertEquals(json.to_do.checked, number % 2 === 1);
  const { status } = await caller.call(`PATCH /v2/blocks/${counter}`, {
    body: { to_do: counterAt(number + 1) },
    ifMatch: etag,
  });
  assert(status === 200 || status === 412, `the counter was answered ${status}`);
  if (status === 200) ledger.counts.set(counter, (ledger.counts.get(counter) ?? 0) + 1);
}

async function createPage({ caller, stage, ledger }: Client, unique: number): Promise<void> {
  const title = `page${unique}`;
  const { json } = await caller.succeed("POST /v2/pages", {
    body: {
      parent: { page_id: stage.home },
      properties: { title: text(title) },
      children: echoesOf(title).map(paragraph),
    },
  });
  ledger.pages.set(json.id, { value: title, isAlive: true });
}

async function createRow({ caller, stage, ledger }: Client, unique: number): Promise<void> {
  const { json } = await caller.succeed("POST /v2/pages", {
    body: {
      parent: { database_id: stage.database },
      properties: { Name: { title: text(`row${unique}`) }, ...twins(unique) },
    },
  });
  ledger.rows.set(json.id, { value: unique, isAlive: true });
}

async function editRow({ caller, ledger }: Client, unique: number): Promise<void> {
  const [id] = anyAlive(ledger.rows) ?? [];
  if (id === undefined) return;
  await caller.succeed(`PATCH /v2/pages/${id}`, { body: { properties: twins(unique) } });
  ledger.rows.set(id, { value: unique, isAlive: true });
}

async function archive(client: Client, unique: number): Promise<void> {
  const { pages, rows } = client.ledger;
  await (unique % 2 === 0 ? flip(client, pages) : flip(client, rows));
}

/** Trashes or restores a page. */
async function flip<T>({ caller }: Client, all: Map<string, Written<T>>): Promise<void> {
  const [id, written] = anyOf([...all]) ?? [];
  if (id === undefined || written === undefined) return;
  const { json } = await caller.succeed(`PATCH /v2/pages/${id}`, {
    body: { in_trash: written.isAlive },
  });
  assertEquals(json.in_trash, written.isAlive);
  all.set(id, { ...written, isAlive: !written.isAlive });
}

/** Queries the row it wrote, and the first rows of all. */
async function query({ caller, stage, ledger }: Client): Promise<void> {
  const route = `POST /v2/databases/${stage.database}/query`;
  const [id, own] = anyAlive(ledger.rows) ?? [];
  if (own !== undefined) {
    const filter = { property: "Count", number: { equals: own.value } };
    const { json } = await caller.succeed(route, { body: { filter } });
    assertEquals(json.results.map((row: { id: string }) => row.id), [id]);
  }
  const sorts = [{ property: "Count", direction: "descending" }];
  const { json } = await caller.succeed(route, { body: { sorts, page_size: 20 } });
  const numbers: number[] = json.results.map(numberOf);
  assertEquals(numbers, [...new Set(numbers)].sort((a, b) => b - a));
}

// deno-lint-ignore no-explicit-any -- an answer
export function numberOf({ properties: { Count, Twin } }: any): number {
  assertEquals(Twin.number, Count.number);
  return Count.number;
}

/** Reads what it wrote, from any process. */
async function read({ caller, ledger }: Client): Promise<void> {
  const [id, page] = anyOf([...ledger.pages]) ?? [];
  if (id === undefined || page === undefined) return;
  const { json } = await caller.succeed(`GET /v2/pages/${id}`);
  assertEquals(json.properties.title.title[0].plain_text, page.value);
  assertEquals(json.in_trash, !page.isAlive);
  const content = await caller.succeed(`GET /v2/blocks/${id}/children`);
  assertEquals(textsOf(content.json.results), echoesOf(page.value));
}

/** All kinds of tasks by name, with their frequency. */
export const WORKS: readonly [NamedWork, ...NamedWork[]] = [
  ["append", append],
  ...several(2, ["append", append]),
  ...several(2, ["edit", edit]),
  ...several(2, ["create a page", createPage]),
  ["create a row", createRow],
  ["edit a row", editRow],
  ["archive", archive],
  ...several(2, ["query", query]),
  ...several(3, ["read", read]),
];

function several(count: number, work: NamedWork): NamedWork[] {
  return Array.from({ length: count }, () => work);
}

function anyAlive<T>(all: ReadonlyMap<string, Written<T>>): [string, Written<T>] | undefined {
  return anyOf([...all].filter(([, { isAlive }]) => isAlive));
}

/** Returns one of these at random; undefined if there are none. */
export function anyOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

/** Returns one of these at random. */
export function pick<T>(all: readonly [T, ...T[]]): T {
  return anyOf(all) ?? all[0];
}

function lastOf(all: readonly string[]): string {
  return all.at(-1) ?? "";
}
