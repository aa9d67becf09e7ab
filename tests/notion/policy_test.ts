/**
 * The policy of `/v1`: every route is decided by the rules that its alias names.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { endpoints } from "../../src/api/endpoints.ts";
import { routeName } from "../../src/http/endpoint.ts";
import { notionEndpoints, notionRoutes } from "../../src/notion/routes.ts";
import { checkPolicy } from "../../src/policy_runtime/policy_bundle.ts";
import { policyRoutes as routes } from "../../src/api/endpoints.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { V, VERSIONS, withNotion } from "./driver.ts";

const file = "policy/scopes.json";
const text = await Deno.readTextFile(file);
const policy = parsePolicy(text);

function issuesOf(change: (policy: { aliases: Record<string, unknown> }) => void) {
  const changed = JSON.parse(text);
  change(changed);
  const options = { file, routes, aliases: notionRoutes };
  const checked = checkPolicy(JSON.stringify(changed), options);
  return checked.ok ? [] : checked.issues;
}

Deno.test("the server starts only if the aliases name its routes of /v1 and rules of /v2", () => {
  assertEquals(issuesOf(() => {}), []);
  const [missing] = issuesOf(({ aliases }) => delete aliases["GET /v1/users"]);
  assert(missing?.startsWith('Endpoint "GET /v1/users" has no alias: add'), missing);
  const [unserved] = issuesOf(({ aliases }) => aliases["GET /v1/nothing"] = routes[0]);
  assert(unserved?.startsWith('Alias "GET /v1/nothing" has no endpoint'), unserved);
  const [unruled] = issuesOf(({ aliases }) => aliases["GET /v1/users"] = "GET /v2/users");
  assert(unruled?.startsWith('Alias "GET /v1/users" names "GET /v2/users"'), unruled);
  const [twice] = issuesOf(({ aliases }) => aliases["POST /v2/search"] = routes[0]);
  assertEquals(twice, `${file}: /aliases/POST ~1v2~1search: The route has a rule of its own`);
});

Deno.test("an alias of several routes needs what all of them need", () => {
  const both = parsePolicy(JSON.stringify({
    scopes: { a: "A.", b: "B.", c: "C." },
    routes: { "GET /v2/a": { anyOf: [["a"], ["b"]] }, "GET /v2/c": ["c"], "GET /v2/o": "public" },
    fields: {},
    aliases: { "GET /v1/x": ["GET /v2/a", "GET /v2/c"], "GET /v1/y": ["GET /v2/o", "GET /v2/c"] },
  })).routes;
  assertEquals(both.get("GET /v1/x"), { public: false, alternatives: [["a", "c"], ["b", "c"]] });
  assertEquals(both.get("GET /v1/y"), { public: false, alternatives: [["c"]] });
});

Deno.test("every route of /v1 takes exactly the scopes of the rules that decide it", () =>
  withNotion(async ({ call, mint }) => {
    const id = "00000000-0000-4000-8000-000000000000";
    for (const route of notionRoutes) {
      const [scopes = []] = policy.routes.get(route)?.alternatives ?? [];
      assert(scopes.length > 0, route);
      const path = route.replaceAll(/:\w+/g, id);
      const statusWith = async (held: readonly string[]) => {
        const token = await mint({ scope: held.join(" ") });
        // No version: a request that may pass is refused for that.
        return (await call(path, { token })).json.code;
      };
      assertEquals(await statusWith(scopes), "missing_version", route);
      const all = ALL_SCOPES.split(" ");
      for (const scope of scopes) {
        const others = all.filter((one) => one !== scope);
        assertEquals(await statusWith(others), "restricted_resource", `${route} ${scope}`);
      }
    }
  }));

Deno.test("no answer of /v1 shows an e-mail address to a token that may not see it", () =>
  withNotion(async ({ call, mint, notion }) => {
    const lean = await mint({
      scope: ALL_SCOPES.replace(" users.email.read", ""),
      email: "ada@recto.example",
    });
    const { id } = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "x" } }] },
    });
    for (const version of VERSIONS) {
      const headers = { "notion-version": version };
      for (const path of ["users", "users/me", `pages/${id}`, `blocks/${id}`]) {
        const { status, text } = await call(`GET /v1/${path}`, { token: lean, headers });
        assertEquals([status, text.includes("recto.example")], [200, false], path);
      }
      const seen = await call("GET /v1/users", { headers });
      assert(seen.text.includes("ada@recto.example"), "others see it");
    }
  }));

Deno.test("the list of users is paged, and knows the caller", () =>
  withNotion(async ({ notion, mint, call }) => {
    const people = ["a", "b", "c"];
    for (const sub of people) {
      const token = await mint({ sub, name: sub.toUpperCase() });
      await call("GET /v2/users/me", { token });
    }
    const all = await notion("GET /users?page_size=100");
    assertEquals([all.object, all.type, all.user, all.has_more], ["list", "user", {}, false]);
    const names: string[] = [];
    for (let cursor = ""; cursor !== null;) {
      const more = cursor === "" ? "" : `&start_cursor=${cursor}`;
      const page = await notion(`GET /users?page_size=2${more}`);
      assert(page.results.length <= 2);
      names.push(...page.results.map(({ name }: { name: string }) => name));
      cursor = page.next_cursor;
    }
    assertEquals(names, all.results.map(({ name }: { name: string }) => name));
    assertEquals(people.every((name) => names.includes(name.toUpperCase())), true);
    const me = await notion("GET /users/me");
    const listed = all.results.find(({ id }: { id: string }) => id === me.id);
    assertEquals(listed, (({ request_id: _, ...user }) => user)(me));
  }));

Deno.test("no route of /v1 is a route of /v2, and /v2 names the remedy for other versions", () =>
  withNotion(async ({ call }) => {
    const own = new Set(endpoints.map(routeName));
    assertEquals(notionEndpoints.filter((endpoint) => own.has(routeName(endpoint))), []);
    for (const version of VERSIONS) {
      const headers = { "notion-version": version };
      const { status, json } = await call("GET /v2/users/me", { headers });
      assertEquals(status, version === V ? 200 : 400);
      if (version !== V) assert(json.message.includes("/v1 speaks the other versions"));
    }
  }));
