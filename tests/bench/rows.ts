/**
 * The rows that benchmarks load through the API: a title, a select, a number and a date.
 *
 * @module
 */

/** Rows at once. */
const CONCURRENCY = 16;

/** One row, whichever service stores it. */
export interface Row {
  readonly title: string;
  readonly kind: string;
  readonly number: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

const KINDS = ["A", "B", "C"];

/** Returns the row of this number. */
export function rowOf(number: number): Row {
  return {
    title: `Task ${number} of the garden`,
    kind: KINDS[number % KINDS.length] ?? "",
    number,
    date: new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString().slice(0, 10),
  };
}

/** Does work for numbers from 0, a few at a time. */
export async function forAll(count: number, work: (number: number) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Calls a service with one credential. */
export class DatabaseClient {
  constructor(readonly origin: string, readonly authorization: string) {}

  /** Sends JSON, and returns the JSON of the response; rejects unless it is a success. */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(this.origin + path, {
      method,
      headers: { authorization: this.authorization, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }
}

/** Creates a database with so many rows; returns its ID. */
export async function loadRows(client: DatabaseClient, count: number): Promise<string> {
  const parent = await newPage(client, "Parent");
  const { id } = await client.call("POST", "/v2/databases", {
    parent: { page_id: parent },
    title: [{ text: { content: "Tasks" } }],
    properties: {
      Name: { title: {} },
      Kind: { select: { options: KINDS.map((name) => ({ name })) } },
      Number: { number: {} },
      Day: { date: {} },
    },
  });
  await forAll(count, async (number) => {
    await client.call("POST", "/v2/pages", pageOf(`${id}`, rowOf(number)));
  });
  return `${id}`;
}

/** Returns the body that creates a row. */
export function pageOf(database: string, { title, kind, number, date }: Row): object {
  return {
    parent: { database_id: database },
    properties: {
      Name: { title: [{ text: { content: title } }] },
      Kind: { select: { name: kind } },
      Number: { number },
      Day: { date: { start: date } },
    },
  };
}

async function newPage(client: DatabaseClient, title: string): Promise<string> {
  const { id } = await client.call("POST", "/v2/pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: title } }] },
  });
  return `${id}`;
}

/** Creates so many pages; returns their IDs. */
export async function pageIds(client: DatabaseClient, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  await forAll(count, async (number) => {
    ids.push(await newPage(client, `Page ${number}`));
  });
  return ids;
}
