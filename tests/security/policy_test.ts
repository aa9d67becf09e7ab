import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import { createPage, outcome, UNKNOWN } from "./support.ts";

const policy = parsePolicy(await Deno.readTextFile("policy/scopes.json"));
const paths = new Set([...policy.routes.keys()].map((route) => route.split(" ")[1] ?? ""));
/** Every method that a request can be made with here; others are in protocol_test.ts. */
const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "QUERY", "patch"];

type Call = (token: string | null) => Promise<Answer>;

interface Expected {
  readonly public: boolean;
  /** The scopes that the rule asks for. */
  readonly scopes: readonly string[];
}

/** The rule of a method on a path as the policy's file says it; undefined where it names none. */
function ruleOf(method: string, path: string): Expected | undefined {
  const rule = policy.routes.get(`${method === "HEAD" ? "GET" : method} ${path}`);
  return rule && { public: rule.public, scopes: rule.alternatives[0] ?? [] };
}

async function checkRule(call: Call, rule: Expected, { mint }: TestApp): Promise<void> {
  if (rule.public) {
    for (const token of [null, "broken", await mint({ scope: "" })]) {
      assertEquals((await call(token)).status, 200);
    }
    return;
  }
  assertEquals((await call(null)).status, 401);
  assertEquals((await call("broken")).status, 401);
  // Each scope alone is missed, and those that nobody asks for replace none.
  for (const missing of rule.scopes) {
    const scope = ALL_SCOPES.split(" ").filter((held) => held !== missing).join(" ");
    const refused = await call(
      await mint({ scope: `${scope} ${missing}X ${missing.split(".")[0]}` }),
    );
    assertEquals(refused.status, 403);
    if (refused.text === "") continue;
    const { missing_scopes, required_scopes } = refused.json.additional_data ?? refused.json;
    assertEquals(missing_scopes, [missing]);
    assertEquals(required_scopes, rule.scopes);
  }
  const enough = await call(await mint({ scope: rule.scopes.join(" ") }));
  assert(![401, 403, 405].includes(enough.status), `${enough.status}`);
}

for (const path of paths) {
  Deno.test(`${path} opens to the tokens that the policy names, and to no other`, () =>
    withApp(async (app) => {
      const url = path.replace(/:\w+/g, UNKNOWN);
      for (const method of METHODS) {
        const body = ["POST", "PATCH", "PUT"].includes(method) ? {} : undefined;
        const call: Call = (token) => app.call(`${method} ${url}`, { token, body });
        const rule = ruleOf(method, path);
        if (rule !== undefined) await checkRule(call, rule, app);
        else await checkUnlisted(call, method, path);
      }
    }));
}

async function checkUnlisted(call: Call, method: string, path: string): Promise<void> {
  const answer = await call(null);
  const isNotion = path.startsWith("/v1/");
  if (method === "QUERY" || method === "patch") {
    assertEquals(outcome(answer), `501 ${isNotion ? "invalid_request" : "not_implemented"}`);
    return;
  }
  const listed = METHODS.filter((other) => ruleOf(other, path) !== undefined);
  assertEquals(answer.headers.get("allow"), [...listed, "OPTIONS"].sort().join(", "));
  assertEquals(answer.status, method === "OPTIONS" ? 204 : isNotion ? 400 : 405);
}

Deno.test("a path that the policy does not name is a 404 with any token", () =>
  withApp(async ({ call }) => {
    for (
      const path of ["/v2", "/v2/", "/v2/users", "/v2/pages/a/b/c/d", "/v3/pages", "/admin"]
    ) {
      for (const token of [null, undefined]) {
        const answer = await call(`GET ${path}`, token === null ? { token } : {});
        assertEquals(outcome(answer), "404 route_not_found", path);
      }
    }
  }));

Deno.test("a token of another workspace opens nothing of this one", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const token = await app.mint({ workspace: "other" });
    for (const route of policy.routes.keys()) {
      const [method, path = ""] = route.split(" ");
      if (!path.includes(":")) continue;
      const body = method === "PATCH" || method === "POST" ? {} : undefined;
      const url = `${method} ${path.replace(/:\w+/, id).replace(/:\w+/, "title")}`;
      const headers = path.startsWith("/v1/") ? { "notion-version": "2022-06-28" } : {};
      const { text, status } = await app.call(url, { token, body, headers });
      assert(status >= 400 && status !== 500, `${url}: ${status} ${text}`);
    }
    assertEquals((await app.call(`GET /v2/pages/${id}`)).json.in_trash, false);
  }));

Deno.test("fields that ask for another method, path or caller have no effect", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const token = await app.mint({ scope: "pages.write" });
    const headers = {
      "x-http-method-override": "DELETE",
      "x-method-override": "DELETE",
      "x-original-url": "/v2/openapi.json",
      "x-rewrite-url": "/v2/openapi.json",
      "x-forwarded-prefix": "/v2/openapi.json?",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
      "x-middleware-subrequest": "src/middleware:src/middleware",
      forwarded: "for=127.0.0.1;host=evil.test",
    };
    const patched = await app.call(`PATCH /v2/pages/${id}`, {
      token,
      headers,
      body: { icon: null },
    });
    assertEquals([patched.status, patched.json.in_trash], [200, false]);
    assertEquals(patched.json.url, `http://recto.test/v2/pages/${id.replaceAll("-", "")}`);
    assertEquals((await app.call(`GET /v2/pages/${id}`, { token, headers })).status, 403);
    assertEquals((await app.call("GET /v2/users/me", { token: null, headers })).status, 401);
  }));
