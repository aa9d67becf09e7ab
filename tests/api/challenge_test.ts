import fc from "fast-check";
import { parsePolicy, type Policy, type Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import { UNKNOWN } from "../security/support.ts";

const SCOPES = ALL_SCOPES.split(" ");
const live = parsePolicy(await Deno.readTextFile("policy/scopes.json"));

/** Every possible set of scopes. */
const TOKENS = Array.from(
  { length: 1 << SCOPES.length },
  (_, bits) => SCOPES.filter((_, position) => (bits >> position) & 1),
);

type Call = (route: string, scopes: Iterable<string>) => Promise<Answer>;

/** Calls a route with a token of these scopes; each token is minted once. */
function createCall({ call, mint }: TestApp): Call {
  const tokens = new Map<string, Promise<string>>();
  return async (route, scopes) => {
    const [method = "", path = ""] = route.split(" ");
    const scope = [...scopes].sort().join(" ");
    const token = tokens.get(scope) ?? mint({ scope });
    tokens.set(scope, token);
    const body = method === "POST" || method === "PATCH" ? {} : undefined;
    return call(`${method} ${path.replace(/:\w+/g, UNKNOWN)}`, { token: await token, body });
  };
}

/** The scopes that a challenge asks for (RFC 6750 section 3). */
function asked({ headers }: Answer): string[] {
  const [, scope = ""] = /^Bearer .*error="insufficient_scope".* scope="([^"]+)"$/.exec(
    headers.get("www-authenticate") ?? "",
  ) ?? [];
  return scope.split(" ");
}

/** Follows the challenge of a call that may be rejected; returns whether it was. */
async function follow(call: Call, route: string, held: readonly string[]): Promise<boolean> {
  const refused = await call(route, held);
  assert(refused.status !== 401, `${route} ${held}`);
  if (refused.status !== 403) return false;
  const wanted = asked(refused);
  const { required_scopes, missing_scopes } = refused.json.additional_data ?? refused.json;
  assertEquals(required_scopes, wanted);
  assertEquals(missing_scopes, wanted.filter((scope) => !held.includes(scope)).sort());
  // A client may request only the scopes in the challenge, or add them to those it has.
  for (const scopes of [wanted, new Set([...held, ...wanted])]) {
    const { status } = await call(route, scopes);
    assert(status !== 401 && status !== 403, `${route} with ${held} was told ${wanted}: ${status}`);
  }
  return true;
}

Deno.test("on every route, a token with the scopes of the challenge is accepted by the next call", () =>
  withApp(async (app) => {
    const call = createCall(app);
    for (const [route, rule] of live.routes) {
      let refusals = 0;
      for (const held of TOKENS) if (await follow(call, route, held)) refusals++;
      const [scopes = []] = rule.alternatives;
      assertEquals(refusals, rule.public ? 0 : TOKENS.length - (TOKENS.length >> scopes.length));
    }
  }));

const list = fc.subarray(SCOPES, { minLength: 1, maxLength: 4 });
const rule: fc.Arbitrary<Rule> = fc.array(list, { minLength: 2, maxLength: 4 })
  .map((alternatives) => ({ public: false, alternatives }));
const { size } = live.routes;
const policies: fc.Arbitrary<Policy> = fc.array(rule, { minLength: size, maxLength: size })
  .map((rules) => {
    const names = [...live.routes.keys()];
    return { ...live, routes: new Map(rules.map((rule, n) => [names[n] ?? "", rule])) };
  });

Deno.test("a token with one of several sets of scopes in the challenge is accepted too", async () => {
  let refusals = 0;
  for (const policy of fc.sample(policies, { numRuns: 8, seed: 6 })) {
    await withApp(async (app) => {
      const call = createCall(app);
      for (const route of policy.routes.keys()) {
        for (let n = 1; n < TOKENS.length; n += 37) {
          if (await follow(call, route, TOKENS[n] ?? [])) refusals++;
        }
      }
    }, { policy });
  }
  assert(refusals > 500, `${refusals}`);
});

Deno.test("the protected resource metadata lists every scope that a challenge can ask for", () =>
  withApp(async ({ call }) => {
    const { json } = await call("GET /.well-known/oauth-protected-resource", { token: null });
    const used = [...live.routes.values(), ...live.fields.values()]
      .flatMap(({ alternatives }) => alternatives.flat());
    assertEquals(json.scopes_supported.toSorted(), [...new Set(used)].sort());
  }));
