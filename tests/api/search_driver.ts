/**
 * Shared by the tests of searches with filters and counts.
 *
 * @module
 */
import type { Answer, CallOptions, TestApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { newPage, paragraph, succeed } from "./driver.ts";

type Caller = Pick<TestApp, "call">;

/** Searches with this body, which must succeed, and returns the list. */
export function searched(
  app: Caller,
  body: object,
  options: Pick<CallOptions, "token"> = {},
): Promise<Answer["json"]> {
  return succeed(app, "POST /v2/search", { body, ...options });
}

/** The IDs on a page of results. */
export function idsIn({ results }: Answer["json"]): string[] {
  return results.map(({ id }: { readonly id: string }) => id);
}

/** The IDs on all pages of results of a search, one small page after the other. */
export async function allFound(app: Caller, body: object, pageSize = 3): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const list: Answer["json"] = await searched(app, {
      ...body,
      page_size: pageSize,
      ...(cursor !== null && { start_cursor: cursor }),
    });
    ids.push(...idsIn(list));
    cursor = list.next_cursor;
  } while (cursor !== null);
  return ids;
}

/** Pages and rows about owls, written by two users on different days. */
export interface Aviary {
  readonly app: Caller;
  /** IDs by name. */
  readonly id: Readonly<Record<string, string>>;
  readonly database: string;
  readonly users: Readonly<Record<"ann" | "bob", string>>;
  /** Names of the results, in their order. */
  names(body: object): Promise<string[]>;
}

export const START = Date.parse("2026-03-01T12:00:00Z");
const DAY = 24 * 3_600_000;

/** Options that pass the clock of an aviary to its app. */
export function aviaryClock(): { readonly now: () => number; time: number } {
  const clock = { time: START, now: () => clock.time };
  return clock;
}

/** Writes `a` to `h`, one each day; `a`, `c`, `e` and `g` by Ann, the others by Bob. */
export async function fillAviary(app: TestApp, clock: { time: number }): Promise<Aviary> {
  const tokens = [await app.mint({ sub: "ann" }), await app.mint({ sub: "bob" })];
  const [ann, bob] = await Promise.all(
    tokens.map(async (token) => (await succeed(app, "GET /v2/users/me", { token })).id),
  );
  const { id: database } = await newDatabase(app, {
    State: {
      select: { options: ["open", "shut", "lost"].map((name) => ({ name })) },
    },
    Tags: { multi_select: { options: [{ name: "tall" }, { name: "old" }] } },
    Count: { number: {} },
  });
  const id: Record<string, string> = {};
  const write = async (index: number, make: (caller: Caller) => Promise<string>) => {
    clock.time = START + index * DAY;
    const token = await app.mint({ sub: index % 2 === 0 ? "ann" : "bob" });
    id["abcdefgh"[index] ?? ""] = await make({
      call: (route, options = {}) => app.call(route, { ...options, token }),
    });
  };
  const row = (name: string, values: object) => async (caller: Caller) =>
    (await newRow(caller, database, { Name: titled(`${name} owl`), ...values })).id;
  const state = (name: string) => ({ State: { select: { name } } });
  await write(0, (caller) => newPage(caller, { title: "a owl", children: [paragraph("night")] }));
  await write(1, (caller) => newPage(caller, { title: "b owl" }));
  await write(2, row("c", { ...state("open"), Count: { number: 3 } }));
  await write(3, row("d", { ...state("open"), Count: { number: 5 } }));
  await write(4, row("e", { ...state("shut"), Tags: { multi_select: [{ name: "old" }] } }));
  await write(5, row("f", { Tags: { multi_select: [{ name: "old" }, { name: "tall" }] } }));
  await write(6, (caller) => newPage(caller, { title: "g owl", parent: { page_id: id.a ?? "" } }));
  await write(7, (caller) => newPage(caller, { title: "h gull" }));
  clock.time = START + 8 * DAY;
  // Earlier tokens have expired.
  const token = await app.mint();
  const call: TestApp["call"] = (route, options = {}) => app.call(route, { token, ...options });
  const nameOf = new Map(Object.entries(id).map(([name, one]) => [one, name]));
  nameOf.set(database, "database");
  return {
    app: { call },
    id,
    database,
    users: { ann, bob },
    names: async (body) => (await allFound({ call }, body)).map((one) => nameOf.get(one) ?? one),
  };
}
