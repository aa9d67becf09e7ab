/**
 * Users through `/v1`: the list, one, and the caller.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type AnyJson, V, withNotion } from "./driver.ts";

const HEADERS = { "notion-version": V };

Deno.test("users are listed page by page, without those of other workspaces and erased ones", () =>
  withNotion(async ({ notion, call, mint, store, refused }) => {
    const me = await notion("GET /users/me");
    for (const name of ["Bob", "Cy", "Dee"]) {
      const token = await mint({ sub: name, name });
      await call("GET /v1/users/me", { token, headers: HEADERS });
    }
    const token = await mint({ workspace: "other", sub: "eve", name: "Eve" });
    await call("GET /v1/users/me", { token, headers: HEADERS });
    const all = await notion("GET /users");
    assertEquals([all.object, all.type, all.user, all.has_more], ["list", "user", {}, false]);
    const names = all.results.map(({ name }: AnyJson) => name);
    assertEquals(names.toSorted(), [me.name, "Bob", "Cy", "Dee"].toSorted());
    const found: AnyJson[] = [];
    let cursor: string | null = null;
    do {
      const start: string = cursor === null ? "" : `&start_cursor=${cursor}`;
      const page: AnyJson = await notion(`GET /users?page_size=3${start}`);
      found.push(...page.results);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assertEquals(found, all.results);
    const bob = found.find(({ name }) => name === "Bob");
    assertEquals(await notion(`GET /users/${bob.id}`), bob);
    await store.eraseUser("default", bob.id, 1);
    assertEquals((await notion("GET /users")).results.length, 3);
    assertEquals((await refused("GET /users?page_size=101")).code, "validation_error");
  }));

Deno.test("e-mail addresses in the list need their scope, and the list that of users", () =>
  withNotion(async ({ call, mint }) => {
    const person = { sub: "bob", email: "bob@mail.test" };
    await call("GET /v1/users/me", { token: await mint(person), headers: HEADERS });
    const seen = async (scope: string) => {
      const token = await mint({ ...person, scope });
      const { status, text } = await call("GET /v1/users", { token, headers: HEADERS });
      return [status, text.includes("bob@mail.test")];
    };
    assertEquals(await seen("users.read users.email.read"), [200, true]);
    assertEquals(await seen("users.read"), [200, false]);
    assertEquals(await seen("users.email.read"), [403, false]);
  }));
