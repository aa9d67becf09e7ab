/**
 * Compares the final content with the acknowledged writes.
 *
 * @module
 */
import { textsOf } from "../../api/driver.ts";
import { assert, assertEquals } from "../../assert.ts";
import type { Caller, Told } from "./caller.ts";
import type { Ledger, Run, Written } from "./ledger.ts";
import type { Stage } from "./stage.ts";
import { anyOf, numberOf } from "./work.ts";

/** Checks by name; each throws what is wrong. */
export type Check = readonly [name: string, check: () => Promise<void>];

/** Compares a workspace, as one process shows it, with the acknowledged writes of all clients. */
export function checksOf(caller: Caller, stage: Stage, ledgers: readonly Ledger[]): Check[] {
  const pages = ledgers.flatMap((ledger) => [...ledger.pages]);
  const rows = ledgers.flatMap((ledger) => [...ledger.rows]);
  return [
    ...stage.lists.map((list): Check => [
      "appended blocks",
      async () => assertRuns(await listOf(caller, list), ledgers, list),
    ]),
    ["counters", () => assertCounts(caller, stage, ledgers)],
    ["pages", async () => {
      const found = (await listOf(caller, stage.home)).filter(({ type }) => type === "child_page");
      const titles = found.map(({ id, child_page }): Pair<string> => [id, child_page.title]);
      assertEquals(sorted(titles), sorted(aliveOf(pages)));
    }],
    ["rows", async () => {
      const found = await rowsOf(caller, stage.database);
      const numbers = found.map((row): Pair<number> => [row.id, numberOf(row)]);
      assertEquals(sorted(numbers), sorted(aliveOf(rows)));
      const given = found.map(({ properties }) => properties.No.unique_id.number);
      assertEquals(new Set(given).size, given.length, "no number is given twice");
    }],
    ["search", () => assertFound(caller, aliveOf(pages))],
  ];
}

/** Checks the order of siblings. */
export async function orderOf(caller: Caller, stage: Stage): Promise<string[][]> {
  return await Promise.all(
    [...stage.lists, stage.home].map(async (id) =>
      (await listOf(caller, id)).map((block) => block.id)
    ),
  );
}

type Item = Told["json"];
type Pair<T> = [id: string, value: T];

function aliveOf<T>(all: readonly (readonly [string, Written<T>])[]): Pair<T>[] {
  return all.flatMap(([id, { value, isAlive }]) => isAlive ? [[id, value]] : []);
}

function sorted<T>(pairs: readonly Pair<T>[]): Pair<T>[] {
  return pairs.toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
}

/** Checks that each run of blocks exists once, whole, and in its place. */
function assertRuns(blocks: readonly Item[], ledgers: readonly Ledger[], list: string): void {
  const all = ledgers.map(({ runs }) => runs.filter((run) => run.list === list));
  const texts = textsOf(blocks);
  assertEquals(texts.toSorted(), all.flat().flatMap((run) => run.texts).toSorted());
  const places = new Map(texts.map((text, place) => [text, place]));
  const placeOf = (text: string | undefined): number => places.get(text ?? "") ?? -1;
  const startOf = (run: Run | undefined): number => placeOf(run?.texts[0]);
  for (const run of all.flat()) {
    const start = startOf(run);
    assertEquals(texts.slice(start, start + run.texts.length), [...run.texts]);
  }
  for (const own of all) {
    // A client waits for each response, so its next blocks are further out.
    const starts = own.filter(({ spot }) => spot === "start").map(startOf);
    assertEquals(starts, starts.toSorted((a, b) => b - a));
    const ends = own.filter(({ spot }) => spot === "end").map(startOf);
    assertEquals(ends, ends.toSorted((a, b) => a - b));
    // Of all runs after one block, the newest is next to it.
    const newest = new Map(
      own.flatMap((run) => typeof run.spot === "object" ? [[run.spot.after, run] as const] : []),
    );
    for (const [after, run] of newest) assertEquals(startOf(run), placeOf(after) + 1);
  }
}

async function assertCounts(
  caller: Caller,
  stage: Stage,
  ledgers: readonly Ledger[],
): Promise<void> {
  for (const counter of stage.counters) {
    const { json } = await caller.succeed(`GET /v2/blocks/${counter}`);
    const counted = ledgers.reduce((sum, { counts }) => sum + (counts.get(counter) ?? 0), 0);
    assertEquals(json.to_do.rich_text[0].plain_text, String(counted));
    assertEquals(json.to_do.checked, counted % 2 === 1);
  }
}

/** Number of pages to search for. */
const SOUGHT = 10;

async function assertFound(caller: Caller, pages: readonly Pair<string>[]): Promise<void> {
  for (let sought = 0; sought < SOUGHT && pages.length > 0; sought++) {
    const [id, title] = anyOf(pages) ?? ["", ""];
    const { json } = await caller.succeed("POST /v2/search", { body: { query: title } });
    assert(json.results.some((page: Item) => page.id === id), `${title} is found`);
  }
}

async function listOf(caller: Caller, id: string): Promise<Item[]> {
  return await gather((cursor) => {
    const from = cursor === undefined ? "" : `&start_cursor=${cursor}`;
    return caller.succeed(`GET /v2/blocks/${id}/children?page_size=100${from}`);
  });
}

async function rowsOf(caller: Caller, id: string): Promise<Item[]> {
  return await gather((cursor) => {
    const from = cursor === undefined ? {} : { start_cursor: cursor };
    return caller.succeed(`POST /v2/databases/${id}/query`, { body: { page_size: 100, ...from } });
  });
}

/** Reads a whole list, page by page. */
async function gather(ask: (cursor?: string) => Promise<Told>): Promise<Item[]> {
  let { json } = await ask();
  const all: Item[] = [...json.results];
  while (json.has_more) {
    ({ json } = await ask(json.next_cursor));
    all.push(...json.results);
  }
  return all;
}
