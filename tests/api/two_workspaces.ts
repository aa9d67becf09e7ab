/**
 * Two workspaces of one service that must not learn anything about each other.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type Answer, type CallOptions, type TestApp, withApp } from "../support/app.ts";
import { childrenOf, idsOf, newPage, paragraph, succeed, text, toggle } from "./driver.ts";

export const SECRET = "Their secret plans";
export const MINE = "mine";
export const THEIRS = "theirs";

/** Two workspaces; one requests the other's objects. */
export interface Two {
  readonly app: TestApp;
  /** A token of `mine`. */
  readonly token: string;
  readonly page: string;
  /** Ids of objects in `theirs` by kind; `mine` has none of them. */
  readonly foreign: readonly (readonly [kind: string, id: string])[];
}

/** Runs a test on two workspaces; `theirs` has one object of every kind. */
export function withTwo(test: (two: Two) => Promise<void>): Promise<void> {
  return withApp(async (app) => {
    const token = await app.mint({ workspace: MINE });
    const other = await app.mint({
      workspace: THEIRS,
      sub: "eve",
      name: SECRET,
      email: "e@mail.test",
    });
    const page = await newPage(app, { token, children: [paragraph("x")] });
    const theirPage = await newPage(app, {
      token: other,
      title: SECRET,
      children: [toggle(SECRET, [paragraph(SECRET)])],
    });
    const trashed = await newPage(app, { token: other, title: SECRET });
    await app.call(`DELETE /v2/pages/${trashed}`, { token: other });
    const [block = ""] = idsOf(await childrenOf(app, theirPage, { token: other }));
    const { id: user } = await succeed(app, "GET /v2/users/me", { token: other });
    const { database, row } = await theirDatabase(app, other);
    const foreign = Object.entries({ page: theirPage, trashed, block, user, database, row });
    await test({ app, token, page, foreign });
  });
}

async function theirDatabase(app: TestApp, token: string) {
  const body = {
    parent: { workspace: true },
    title: text(SECRET),
    properties: { [SECRET]: { title: {} } },
  };
  const { id: database } = await succeed(app, "POST /v2/databases", { token, body });
  const row = await newPage(app, { token, title: SECRET, parent: { database_id: database } });
  return { database, row };
}

/** A reply without the requested id and the request id, which may differ. */
export function shape({ status, text, headers }: Answer, id: string): unknown {
  const hidden = text.replaceAll(id, "ID").replace(/"request_id":"[^"]*"/, '"request_id":""');
  return [status, hidden, [...headers].filter(([name]) => name !== "x-request-id")];
}

/** Fails unless calls with a foreign id get the same replies as calls with an unknown id. */
export async function assertSame(
  { app, token, foreign }: Two,
  toCall: (id: string) => readonly [route: string, options: CallOptions],
): Promise<void> {
  for (const [kind, id] of foreign) {
    const unknown = crypto.randomUUID();
    const [there, nowhere] = await Promise.all([id, unknown].map((each) => {
      const [route, options] = toCall(each);
      return app.call(route, { token, ...options });
    }));
    const route = toCall(kind)[0];
    if (there === undefined || nowhere === undefined) throw new Error("Two calls, two answers");
    assertEquals(shape(there, id), shape(nowhere, unknown), route);
    assertEquals(there.text.includes(SECRET), false, route);
  }
}
