import { LOCAL_ISSUER } from "../../src/auth/local_issuer.ts";
import { assert, assertEquals } from "../assert.ts";
import type { Connection } from "../../src/http/client_address.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { lastRequest, outcome } from "./support.ts";
import { withServer } from "../support/socket.ts";

const LIMIT = { RECTO_RATE_LIMIT_ADDRESS: "1/s" };
/** At once, under `1/s`. */
const BURST = 5;

function from(hostname: string): Connection {
  return {
    remoteAddr: { transport: "tcp", hostname, port: 1 },
    completed: Promise.resolve(),
  };
}

interface Asking {
  readonly address?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks as a client at this address does. */
async function ask(
  { app }: TestApp,
  path: string,
  { address = "198.51.100.1", token, headers = {} }: Asking = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const request = new Request(`http://recto.test${path}`, {
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
  const response = await app.handler(request, from(address));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function outcomes(count: number, one: () => Promise<{ status: number; text: string }>) {
  const all = [];
  for (let n = 0; n < count; n += 1) all.push(outcome(await one()).slice(0, 3));
  return all;
}

const SPENT = [...Array(BURST).fill("401"), "429", "429"];

Deno.test("a caller that keeps guessing tokens is refused by its address, and told when to return", () =>
  withApp(async (app) => {
    const bad = [undefined, "a", `${await app.mint()}x`, "e30.e30.e30"];
    for (const [index, token] of bad.entries()) {
      const address = `198.51.100.${10 + index}`;
      const guess = () => ask(app, "/v2/users/me", { address, token });
      const first = await guess();
      assertEquals(first.headers.get("ratelimit-policy"), `"address";q=5;w=5`);
      assertEquals(first.headers.get("ratelimit"), `"address";r=4;t=1`);
      assertEquals(await outcomes(BURST + 1, guess), SPENT.slice(1));
      const refused = await guess();
      assertEquals(refused.headers.get("retry-after"), "1");
      assertEquals(refused.headers.get("ratelimit"), `"address";r=0;t=1`);
    }
  }, { environment: LIMIT }));

Deno.test("once an address is spent no token from it is verified that was not good before", async () => {
  // Without keys every verification would be a 503: the answer tells whether there was one.
  const environment = {
    ...LIMIT,
    RECTO_AUTH_ISSUER: LOCAL_ISSUER,
    RECTO_AUTH_AUDIENCE: "recto",
    RECTO_AUTH_JWKS_FILE: "/nowhere/keys.json",
  };
  await withApp(async (app) => {
    const token = await app.mint();
    const other = "192.0.2.1";
    assertEquals((await ask(app, "/v2/users/me", { token, address: other })).status, 503);
    assertEquals(await outcomes(7, () => ask(app, "/v2/users/me")), SPENT);
    assertEquals((await ask(app, "/v2/users/me", { token })).status, 429);
    assertEquals((await ask(app, "/v2/users/me", { token, address: other })).status, 503);
  }, { environment });
});

Deno.test("a storm at once is charged before it is verified", () =>
  withApp(async (app) => {
    const token = `${await app.mint()}x`;
    const storm = Array.from({ length: 200 }, () => ask(app, "/v2/users/me", { token }));
    const statuses = (await Promise.all(storm)).map(({ status }) => status);
    assertEquals(statuses.filter((status) => status === 401).length, BURST);
    assertEquals(statuses.filter((status) => status === 429).length, 195);
  }, { environment: LIMIT }));

Deno.test("a good token is limited by its caller alone, from a spent address too", () =>
  withApp(async (app) => {
    const token = await app.mint();
    assertEquals(
      await outcomes(50, () => ask(app, "/v2/users/me", { token })),
      Array(50).fill("200"),
    );
    assertEquals(await outcomes(7, () => ask(app, "/v2/users/me")), SPENT);
    const good = await ask(app, "/v2/users/me", { token });
    assertEquals([good.status, good.headers.get("ratelimit-policy")], [200, null]);
    // New tokens that are good give back what their check took.
    for (let n = 0; n < 20; n += 1) {
      const other = await app.mint({ sub: `user-${n}` });
      const answer = await ask(app, "/v2/users/me", { token: other, address: "192.0.2.2" });
      assertEquals(answer.status, 200);
    }
  }, { environment: LIMIT }));

Deno.test("a token that was good before is verified again from a spent address", async () => {
  let now = Date.now();
  await withApp(async (app) => {
    const token = await app.mint({ ttlSeconds: 86_400 });
    assertEquals((await ask(app, "/v2/users/me", { token })).status, 200);
    assertEquals(await outcomes(7, () => ask(app, "/v2/users/me")), SPENT);
    // The minute for which a good token is not checked again is over.
    now += 3_600_000;
    assertEquals((await ask(app, "/v2/users/me", { token })).status, 200);
    // And it is over for good once the token ended.
    now += 2 * 86_400_000;
    assertEquals((await ask(app, "/v2/users/me", { token })).status, 401);
    assertEquals((await ask(app, "/v2/users/me", { token })).status, 429);
  }, { environment: LIMIT, now: () => now });
});

Deno.test("public routes spend what an address has; probes of the service are not counted", () =>
  withApp(async (app) => {
    const open = ["/v2/openapi.json", "/v2/openapi/meta", "/docs", "/policy", "/"];
    for (const [index, path] of open.entries()) {
      const address = `203.0.113.${index}`;
      const expected = [...Array(BURST).fill("200"), "429"];
      assertEquals(await outcomes(6, () => ask(app, path, { address })), expected, path);
    }
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      const asked = await outcomes(30, () => ask(app, path));
      assertEquals(new Set(asked), new Set(["200"]), path);
    }
  }, { environment: LIMIT }));

Deno.test("nobody gets more by another address of their network, or by naming one", () =>
  withApp(async (app) => {
    let n = 0;
    const inOneNetwork = () => {
      n += 1;
      return ask(app, "/v2/users/me", { address: `2001:db8:1:2:${n}::${n}` });
    };
    assertEquals(await outcomes(7, inOneNetwork), SPENT);
    assertEquals((await ask(app, "/v2/users/me", { address: "2001:db8:1:3::1" })).status, 401);
    const naming = () => {
      n += 1;
      const headers = { "x-forwarded-for": `192.0.2.${n}`, forwarded: `for=192.0.2.${n}` };
      return ask(app, "/v2/users/me", { headers });
    };
    assertEquals(await outcomes(7, naming), SPENT);
  }, { environment: LIMIT }));

Deno.test("behind a trusted proxy the clients that it names are told apart", () =>
  withApp(async (app) => {
    const proxied = (list: string) => () =>
      ask(app, "/v2/users/me", { address: "10.1.2.3", headers: { "x-forwarded-for": list } });
    assertEquals(await outcomes(7, proxied("192.0.2.1")), SPENT);
    assertEquals(await outcomes(1, proxied("192.0.2.2")), ["401"]);
    // What the client put in front of it does not help, and a second proxy is looked through.
    assertEquals(await outcomes(1, proxied("8.8.8.8, 192.0.2.1")), ["429"]);
    assertEquals(await outcomes(1, proxied("192.0.2.1, 10.9.9.9")), ["429"]);
    // Who comes past the proxy is not believed.
    const past = { address: "192.0.2.1", headers: { "x-forwarded-for": "192.0.2.77" } };
    assertEquals((await ask(app, "/v2/users/me", past)).status, 429);
  }, { environment: { ...LIMIT, RECTO_TRUSTED_PROXIES: "10.0.0.0/8" } }));

Deno.test("the limit holds on the wire, over connections of one address", () =>
  withServer(async ({ exchange, host }) => {
    const get = (path: string) => exchange(lastRequest(`GET ${path} HTTP/1.1`, [`Host: ${host}`]));
    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(...await get("/v2/users/me"));
    assertEquals(answers.map(({ status }) => String(status)), SPENT);
    assert(answers.at(-1)?.headers.has("retry-after"));
    assertEquals((await get("/healthz"))[0]?.status, 200);
  }, { environment: LIMIT }));
