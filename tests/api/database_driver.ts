/**
 * Shared by the tests of databases: creates databases and rows, and queries them.
 *
 * @module
 */
import type { Answer, TestApp } from "../support/app.ts";
import { succeed, text } from "./driver.ts";

type Caller = Pick<TestApp, "call">;

/** Values by name, as they are written. */
export type RowValues = Readonly<Record<string, unknown>>;

/** Creates a database with the title `Name` and these properties, and returns it. */
export function newDatabase(
  app: Caller,
  properties: Readonly<Record<string, object>> = {},
  members: object = {},
): Promise<Answer["json"]> {
  return succeed(app, "POST /v2/databases", {
    body: {
      parent: { workspace: true },
      title: text("Things"),
      properties: { Name: { title: {} }, ...properties },
      ...members,
    },
  });
}

/** Adds a row and returns it. */
export function newRow(
  app: Caller,
  databaseId: string,
  values: RowValues = {},
): Promise<Answer["json"]> {
  const body = { parent: { database_id: databaseId }, properties: values };
  return succeed(app, "POST /v2/pages", { body });
}

/** A value of a title. */
export function titled(name: string): object {
  return { title: text(name) };
}

/** Adds rows with these names in order and returns their ids. */
export async function namedRows(
  app: Caller,
  databaseId: string,
  rows: Readonly<Record<string, RowValues>>,
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const [name, values] of Object.entries(rows)) {
    const { id } = await newRow(app, databaseId, { Name: titled(name), ...values });
    ids[name] = id;
  }
  return ids;
}

/** Values of a row by name, without the members around them. */
export function valuesOf(page: Answer["json"]): Readonly<Record<string, unknown>> {
  const entries = Object.entries<Record<string, unknown>>(page.properties)
    .map(([name, value]) => [name, value[String(value.type)]]);
  return Object.fromEntries(entries);
}

/** The plain title of a row. */
export function nameOf(page: Answer["json"]): string {
  const [title] = Object.values<Record<string, unknown>>(page.properties)
    .filter(({ type }) => type === "title");
  const items = title?.title as { readonly plain_text: string }[];
  return items.map(({ plain_text }) => plain_text).join("");
}

/** Names of all rows that a query finds, over all pages. */
export async function query(
  app: Caller,
  databaseId: string,
  body: object = {},
  pageSize = 100,
): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const list: Answer["json"] = await succeed(app, `POST /v2/databases/${databaseId}/query`, {
      body: { ...body, page_size: pageSize, ...(cursor !== undefined && { start_cursor: cursor }) },
    });
    names.push(...list.results.map(nameOf));
    cursor = list.next_cursor;
  }
  return names;
}
