/**
 * Reads that reply with megabytes.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import { type Ask, LONG, must, newPage } from "./requests.ts";
import type { Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

export async function largeAnswers({ ask }: Service): Promise<Deed[]> {
  const properties = { Name: { title: {} }, Text: { rich_text: {} } };
  const database = (await must(ask("POST /v2/databases", {
    parent: { page_id: ROOT },
    title: [{ text: { content: "Long" } }],
    properties,
  }))).json().id;
  const page = await newPage(ask);
  for (let n = 0; n < 41; n++) {
    await must(ask("POST /v2/pages", {
      parent: { database_id: database },
      properties: {
        Name: { title: Array.from({ length: 100 }, () => LONG) },
        Text: { rich_text: Array.from({ length: 100 }, () => LONG) },
      },
    }));
  }
  for (let n = 0; n < 25; n++) {
    const rich_text = Array.from({ length: 100 }, () => LONG);
    await must(ask(`PATCH /v2/blocks/${page}/children`, {
      children: Array.from({ length: 4 }, () => ({ paragraph: { rich_text } })),
    }));
  }
  const widest = await widestRow(ask);
  return [
    ...widest,
    {
      name: "query of 41 rows with texts of 400,000 characters",
      run: () => ask(`POST /v2/databases/${database}/query`, {}),
    },
    {
      name: "100 children with texts of 200,000 characters",
      run: () => ask(`GET /v2/blocks/${page}/children`),
    },
    {
      name: "search that finds them",
      run: () => ask("POST /v2/search", { query: "x".repeat(20) }),
    },
  ];
}

/** Creates a row with as much text as it takes, and returns its writes and reads. */
async function widestRow(ask: Ask): Promise<Deed[]> {
  const names = Array.from({ length: 100 }, (_, n) => `Text ${n}`);
  const parent = { page_id: ROOT };
  const database = (await must(ask("POST /v2/databases", {
    parent,
    title: [{ text: { content: "Wide" } }],
    properties: {
      Name: { title: {} },
      ...Object.fromEntries(names.map((name) => [name, { rich_text: {} }])),
    },
  }))).json().id;
  const values = (names: readonly string[], item: object) => {
    const rich_text = Array.from({ length: 100 }, () => item);
    return Object.fromEntries(names.map((name) => [name, { rich_text }]));
  };
  const long = { text: { content: "lorem ipsum ".repeat(162) } };
  const create = (properties: object) =>
    ask("POST /v2/pages", { parent: { database_id: database }, properties });
  const five = values(names.slice(0, 5), long);
  const { id } = (await must(create(five))).json();
  return [
    { name: "row of 970,000 characters", run: () => create(five) },
    { name: "row of 10,000 texts", run: () => create(values(names, { text: { content: "a" } })) },
    {
      name: "change of a row of 970,000 characters",
      run: () => ask(`PATCH /v2/pages/${id}`, { icon: { emoji: "🦉" } }),
    },
    {
      name: "the same with more text than it takes",
      run: () => ask(`PATCH /v2/pages/${id}`, { properties: values(names.slice(5, 10), long) }),
    },
    { name: "read of that row", run: () => ask(`GET /v2/pages/${id}`) },
    { name: "query of such rows", run: () => ask(`POST /v2/databases/${database}/query`, {}) },
  ];
}
