import { readDecisions } from "../../src/policy/analysis/decisions.ts";
import { ConfigError } from "../../src/config/config.ts";
import { ANONYMOUS } from "../../src/auth/principal.ts";
import { readScopes } from "../../src/auth/scopes.ts";
import type { GatewayHandler } from "../../src/gateway/handler.ts";
import { identityOf } from "../../src/gateway/identity.ts";
import { countPatterns } from "../policy/count_patterns.ts";
import { checkGuard } from "../../src/gateway/check_guard.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "../assert.ts";
import { createDpopClient } from "../api/dpop_driver.ts";
import { ask, connectionFrom, SHOP, withGateway } from "./support.ts";

const ADMIN = "https://shop.test/admin";

Deno.test("the gateway allows, refuses and asks for tokens as the policy says", () =>
  withGateway(async (gateway) => {
    const reader = await gateway.mint("orders:read");
    const writer = await gateway.mint("orders:read orders:write");
    const statuses = async (method: string, path: string) => [
      (await ask(gateway, [method, path])).status,
      (await ask(gateway, [method, path], { token: reader })).status,
      (await ask(gateway, [method, path], { token: writer })).status,
    ];
    assertEquals(await statuses("GET", "/orders"), [401, 200, 200]);
    assertEquals(await statuses("HEAD", "/orders?x=/public/"), [401, 200, 200]);
    assertEquals(await statuses("GET", "/orders/12"), [401, 200, 200]);
    assertEquals(await statuses("GET", "/orders/x"), [403, 403, 403]);
    assertEquals(await statuses("PUT", "/orders/12"), [401, 403, 200]);
    assertEquals(await statuses("DELETE", "/orders/12"), [401, 403, 401]);
    assertEquals(await statuses("GET", "/public/logo.svg"), [200, 200, 200]);
    assertEquals(await statuses("GET", "/public/../orders"), [403, 403, 403]);
    assertEquals(await statuses("GET", "/public/%2e%2e/orders"), [403, 403, 403]);
    assertEquals(await statuses("GET", "/files/a/b.txt"), [401, 200, 200]);
    assertEquals(await statuses("GET", "/nowhere"), [403, 403, 403]);
  }));

Deno.test("a refusal says what is missing, as the service does", () =>
  withGateway(async (gateway) => {
    const none = await ask(gateway, ["GET", "/orders"]);
    assertMatch(
      none.headers.get("www-authenticate") ?? "",
      /^Bearer realm="recto", resource_metadata="http:\/\/127\.0\.0\.1:8001\/\.well-known\/oauth-protected-resource"$/,
    );
    const token = await gateway.mint("orders:read");
    const scope = await ask(gateway, ["PUT", "/orders/1"], { token });
    assertMatch(
      scope.headers.get("www-authenticate") ?? "",
      /error="insufficient_scope", scope="orders:write orders:read"$/,
    );
    assertEquals((await scope.json()).missing_scopes, ["orders:write"]);
    const writer = await gateway.mint("orders:write");
    const level = await ask(gateway, ["DELETE", "/orders/1"], { token: writer });
    assertEquals(level.status, 401);
    assertMatch(level.headers.get("www-authenticate") ?? "", /acr_values="mfa"$/);
    const mfa = await gateway.mint("orders:write", { acr: "mfa" });
    assertEquals((await ask(gateway, ["DELETE", "/orders/1"], { token: mfa })).status, 200);
    const broken = await ask(gateway, ["GET", "/orders"], { token: "no token" });
    assertEquals(broken.status, 401);
    assertMatch(broken.headers.get("www-authenticate") ?? "", /error="invalid_request"/);
  }));

Deno.test("a scope that is no well-formed text is not passed on, and fails nothing", () =>
  withGateway(async (gateway) => {
    const token = await gateway.mint("orders:read \ud800");
    const { status, headers } = await ask(gateway, ["GET", "/orders"], { token });
    assertEquals([status, headers.get("x-auth-scopes")], [200, "orders:read"]);
  }));

Deno.test("the identity is passed on in headers, all of them always, in printable ASCII", () =>
  withGateway(async (gateway) => {
    const token = await gateway.mint("orders:read zzz acr:mfa", {
      sub: "anna",
      name: "Änna\r\nX: y",
      email: "anna@shop.test",
      workspace: "w1",
      acr: "mfa",
    });
    const { headers } = await ask(gateway, ["GET", "/orders"], { token });
    assertMatch(headers.get("x-auth-user") ?? "", /^[0-9a-f-]{36}$/);
    assertEquals(headers.get("x-auth-scopes"), "orders:read zzz");
    assertEquals(headers.get("x-auth-client"), "recto-cli");
    assertEquals(headers.get("x-auth-workspace"), "w1");
    assertEquals(headers.get("x-auth-name"), "%C3%84nna%0D%0AX: y");
    assertEquals(headers.get("x-auth-email"), "anna@shop.test");
    const open = await ask(gateway, ["GET", "/public/x"], { token });
    for (const name of ["user", "type", "client", "workspace", "scopes", "name", "email"]) {
      assertEquals(open.headers.get(`x-auth-${name}`), "");
    }
  }));

Deno.test("a scope with spaces, such as the name of a role, stays one for the service", () => {
  const scopes = readScopes(new Map([["roles", ["zzz", "orders:read orders:write"]]]), {
    scopeClaims: ["roles"],
    scopePrefix: "",
  });
  const identity = new Map<string, string>(identityOf({ ...ANONYMOUS, scopes }));
  assertEquals(identity.get("X-Auth-Scopes"), "orders:read%20orders:write zzz");
});

Deno.test("a token that is bound to a key needs a proof for each call, with a nonce of the gateway", () =>
  withGateway(async (gateway) => {
    const client = await createDpopClient();
    const token = await gateway.mint("orders:read", { boundKey: client.thumbprint });
    const send = async (path: string, proof: string | undefined) =>
      await ask(gateway, ["GET", path], {
        headers: { authorization: `DPoP ${token}`, ...(proof !== undefined && { dpop: proof }) },
      });
    const prove = (path: string, nonce: string | null) =>
      client.prove(`GET ${path}`, { token, nonce, origin: "https://shop.test" });
    const refused = await send("/orders", await prove("/orders", null));
    const nonce = refused.headers.get("dpop-nonce");
    assertMatch(refused.headers.get("www-authenticate") ?? "", /^DPoP .*error="use_dpop_nonce"/);
    const proof = await prove("/orders", nonce);
    const statuses = [];
    for (const sent of [proof, proof, undefined]) {
      statuses.push((await send("/orders", sent)).status);
    }
    statuses.push((await send("/orders/12", await prove("/orders", nonce))).status);
    statuses.push((await send("/orders/12", await prove("/orders/12", nonce))).status);
    statuses.push((await ask(gateway, ["GET", "/orders"], { token })).status);
    assertEquals(statuses, [200, 401, 401, 401, 200, 401]);
  }, {
    environment: { RECTO_AUTH_DPOP: "accept", RECTO_PUBLIC_URL: "https://shop.test" },
  }));

Deno.test("callers are answered again and again, and several at once", () =>
  withGateway(async (gateway) => {
    const handler: GatewayHandler = gateway.handler;
    await using listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      handler,
    );
    const url = `http://127.0.0.1:${listener.addr.port}/auth/nginx`;
    const askAs = async (sub: string): Promise<string> => {
      const headers = {
        "authorization": `Bearer ${tokens[sub]}`,
        "x-original-method": "GET",
        "x-original-url": "https://shop.test/orders",
      };
      const response = await fetch(url, { headers });
      return `${response.status} ${response.headers.get("x-auth-name")} ${await response.text()}`;
    };
    const tokens: Record<string, string> = {};
    for (const sub of ["anna", "bert"]) {
      tokens[sub] = await gateway.mint("orders:read", { sub, name: sub });
    }
    for (let times = 0; times < 5; times++) {
      const asked = ["anna", "bert", "anna", "bert"];
      const answers = await Promise.all(asked.map(askAs));
      assertEquals(answers, asked.map((sub) => `200 ${sub} `));
    }
  }));

Deno.test("only a trusted peer may describe a request of somebody else", () =>
  withGateway(async (gateway) => {
    const from = (peer: string) => ask(gateway, ["GET", "/public/x"], { peer });
    assertEquals((await from("127.0.0.1")).status, 200);
    assertEquals((await from("::1")).status, 200);
    assertEquals((await from("::ffff:127.0.0.1")).status, 200);
    for (const peer of ["10.0.0.1", "192.168.1.1", "2001:db8::1", "not an address"]) {
      assertEquals((await from(peer)).status, 403, peer);
    }
    const [line] = (await gateway.logged()).filter(({ status }) => status === 403);
    assertMatch(String(line?.["reason"]), /RECTO_TRUSTED_PROXIES/);
  }));

Deno.test("RECTO_TRUSTED_PROXIES replaces this machine", () =>
  withGateway(async (gateway) => {
    const from = (peer: string) => ask(gateway, ["GET", "/public/x"], { peer });
    assertEquals((await from("10.1.2.3")).status, 200);
    assertEquals((await from("127.0.0.1")).status, 403);
  }, { environment: { RECTO_TRUSTED_PROXIES: "10.0.0.0/8" } }));

/** The headers that each contract sends for the same request, and those that it must not read. */
const ASKS: Readonly<Record<string, (method: string, target: string) => [string, RequestInit]>> = {
  nginx: (method, target) => [
    "/auth/nginx",
    { headers: { "x-original-method": method, "x-original-url": `http://shop.test:80${target}` } },
  ],
  traefik: (method, target) => [
    "/auth/traefik",
    {
      headers: {
        "x-forwarded-method": method,
        "x-forwarded-uri": target,
        "x-forwarded-host": "shop.test",
      },
    },
  ],
  caddy: (method, target) => [
    "/auth/caddy",
    {
      headers: {
        "x-forwarded-method": method,
        "x-forwarded-uri": target,
        "x-forwarded-host": "Shop.TEST:443",
      },
    },
  ],
  envoy: (method, target) => [`/auth/envoy${target}`, { method, headers: { host: "shop.test" } }],
};

for (const [name, toRequest] of Object.entries(ASKS)) {
  Deno.test(`the contract of ${name} is decided like any other, and reads its own headers alone`, () =>
    withGateway(async (gateway) => {
      const token = await gateway.mint("orders:read");
      const others = {
        "x-original-method": "GET",
        "x-original-url": "http://shop.test/public/x",
        "x-original-uri": "/public/x",
        "x-forwarded-method": "GET",
        "x-forwarded-uri": "/public/x",
        "x-http-method-override": "GET",
        "x-rewrite-url": "/public/x",
      };
      for (
        const [method, target, status] of [
          ["GET", "/orders?a=b", 200],
          ["POST", "/orders", 403],
          ["GET", "/orders/1/2", 403],
          ["DELETE", "/orders/1", 403],
        ] as const
      ) {
        const [address, init] = toRequest(method, target);
        const send = async (extra: Readonly<Record<string, string>>) => {
          const headers = { ...extra, ...Object.fromEntries(new Headers(init.headers)) };
          const request = new Request(`http://127.0.0.1:8001${address}`, {
            ...init,
            headers: { ...headers, authorization: `Bearer ${token}` },
          });
          return (await gateway.handler(request, connectionFrom("127.0.0.1"))).status;
        };
        assertEquals([await send({}), await send(others)], [status, status], `${method} ${target}`);
      }
    }));
}

Deno.test("a request that the proxy does not describe, or describes twice, is refused", () =>
  withGateway(async (gateway) => {
    const send = async (headers: [string, string][]) => {
      const request = new Request("http://127.0.0.1:8001/auth/nginx", { headers });
      return (await gateway.handler(request, connectionFrom("127.0.0.1"))).status;
    };
    const good: [string, string][] = [
      ["x-original-method", "GET"],
      ["x-original-url", "http://shop.test/public/x"],
    ];
    assertEquals(await send(good), 200);
    assertEquals(await send([]), 403);
    assertEquals(await send(good.slice(0, 1)), 403);
    assertEquals(await send([...good, ["x-original-method", "POST"]]), 403);
    assertEquals(await send([...good, ["x-original-url", "http://shop.test/public/y"]]), 403);
    for (
      const url of ["/public/x", "ftp://a/public/x", "http:///public/x", "http://a b/public/x"]
    ) {
      assertEquals(await send([["x-original-method", "GET"], ["x-original-url", url]]), 403, url);
    }
    for (const method of ["get", "GET ", "G T", ""]) {
      const status = await send([["x-original-method", method], good[1] ?? ["", ""]]);
      assertEquals(status, method === "GET " ? 200 : 403, JSON.stringify(method));
    }
  }));

Deno.test("hosts and prefixes choose among several policies", async () => {
  const other = {
    service: "wiki",
    scopes: { wiki: "Read the wiki." },
    routes: { "GET /wiki/*": ["wiki"], "GET /wiki": ["wiki"] },
    fields: {},
  };
  const environment = {
    RECTO_GATEWAY_POLICIES: "shop.test={folder}/shop.json, shop.test/wiki={folder}/../wiki.json",
  };
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/wiki.json`, JSON.stringify(other));
    const policies = environment.RECTO_GATEWAY_POLICIES.replace("{folder}/..", folder);
    await withGateway(async (gateway) => {
      const token = await gateway.mint("orders:read");
      const wiki = await gateway.mint("wiki");
      const status = async (path: string, token: string, host = "shop.test") =>
        (await ask(gateway, ["GET", path], { token, host })).status;
      assertEquals([await status("/orders", token), await status("/orders", wiki)], [200, 403]);
      assertEquals([await status("/wiki/a", token), await status("/wiki/a", wiki)], [403, 200]);
      assertEquals(await status("/wikipedia", wiki), 403);
      assertEquals(await status("/orders", token, "other.test"), 403);
      assertEquals(await status("/orders", token, "SHOP.TEST:8443"), 200);
      assertEquals(await status("/wiki", wiki, "shop.test."), 200);
    }, { environment: { RECTO_GATEWAY_POLICIES: policies } });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("another spelling of a host or prefix does not lead to the policy of all others", async () => {
  const open = { service: "open", scopes: {}, routes: { "GET /*": "public" }, fields: {} };
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/open.json`, JSON.stringify(open));
    const mounts = ["shop.test=F", "b.test.=F", "/orders=F", `*=${folder}/open.json`].join(",");
    const environment = { RECTO_GATEWAY_POLICIES: mounts.replaceAll("F", "{folder}/shop.json") };
    await withGateway(async (gateway) => {
      const status = async (host: string, path: string) =>
        (await ask(gateway, ["GET", path], { host })).status;
      for (const host of ["shop.test", "shop.test.", "SHOP.test.:80", "b.test", "b.test.:80"]) {
        assertEquals(await status(host, "/orders"), 401, host);
      }
      for (const host of ["shop.test..", "shop..test", ".shop.test", ".", ".."]) {
        assertEquals(await status(host, "/orders"), 403, host);
      }
      assertEquals(await status("other.test", "/orders/1"), 401);
      for (const path of ["/orders;x/1", "/orders;x", "/orders;/1"]) {
        assertEquals(await status("other.test", path), 403, path);
      }
      for (const path of ["/files;x/1", "/files/a;b", "/orders2;x"]) {
        assertEquals(await status("other.test", path), 200, path);
      }
    }, { environment });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a valid change of a policy is used at once, an invalid one never, and /readyz says so", () =>
  withGateway(async (gateway) => {
    const token = await gateway.mint("orders:read");
    const status = async () => (await ask(gateway, ["POST", "/orders"], { token })).status;
    const ready = async () => {
      const response = await gateway.handler(new Request("http://127.0.0.1:8001/readyz"));
      const { policies } = await response.json();
      return [response.status, policies[0].refused];
    };
    assertEquals([await status(), await ready()], [403, [200, null]]);
    const opened = {
      ...SHOP,
      routes: { ...SHOP.routes, "POST /orders": ["orders:read"] },
      invariants: [],
    };
    await Deno.writeTextFile(gateway.file, JSON.stringify(opened));
    await gateway.reload();
    assertEquals([await status(), await ready()], [200, [200, null]]);
    const overlapping = { ...SHOP, routes: { ...SHOP.routes, "GET /orders/7": "public" } };
    for (
      const text of [
        "{",
        JSON.stringify({ ...opened, invariants: SHOP.invariants }),
        JSON.stringify(overlapping),
      ]
    ) {
      await Deno.writeTextFile(gateway.file, text);
      await gateway.reload();
      const [code, refused] = await ready();
      assertEquals([await status(), code], [200, 200]);
      assert(Array.isArray(refused) && refused.length > 0, text);
    }
    await Deno.writeTextFile(gateway.file, JSON.stringify(SHOP));
    await gateway.reload();
    assertEquals([await status(), await ready()], [403, [200, null]]);
  }));

Deno.test("a reload checks a policy beside the requests, and compiles its patterns between them", () =>
  withGateway(async (gateway) => {
    const routes = (rule: string) =>
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`GET /many/:id(\\d+)/r${index}`, [rule]]),
      );
    const reloadWith = async (rule: string) => {
      const policy = { ...SHOP, routes: { ...SHOP.routes, ...routes(rule) } };
      await Deno.writeTextFile(gateway.file, JSON.stringify(policy));
      using patterns = countPatterns();
      const counts = [0];
      let reloaded = false;
      const turns = (async () => {
        while (!reloaded) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          counts.push(patterns.count);
        }
      })();
      await gateway.reload();
      reloaded = true;
      await turns;
      return { count: patterns.count, turns: new Set(counts).size };
    };
    assertEquals(await reloadWith("unknown"), { count: 0, turns: 1 });
    const { count, turns } = await reloadWith("orders:read");
    assertEquals(count, 100);
    assert(turns > 2, `${turns} turns`);
    assertEquals((await ask(gateway, ["GET", "/many/7/r99"])).status, 401);
  }));

Deno.test("with RECTO_POLICY_RELOAD=approved a reload opens nothing without an approval", () =>
  withGateway(async (gateway) => {
    const token = await gateway.mint("orders:read");
    const opened = {
      ...SHOP,
      routes: { ...SHOP.routes, "POST /orders": ["orders:read"] },
      invariants: [],
    };
    await Deno.writeTextFile(gateway.file, JSON.stringify(opened));
    await gateway.reload();
    assertEquals((await ask(gateway, ["POST", "/orders"], { token })).status, 403);
    const rejected = (await gateway.logged()).find(({ message }) =>
      message === "Policy rejected, the last valid one stays active"
    );
    assertStringIncludes(JSON.stringify(rejected), "no approval");
  }, { environment: { RECTO_POLICY_RELOAD: "approved" } }));

Deno.test("a policy is watched without a signal", () =>
  withGateway(async (gateway) => {
    const routes = { ...SHOP.routes, "GET /new": "public" };
    await Deno.writeTextFile(gateway.file, JSON.stringify({ ...SHOP, routes }));
    for (let tries = 0; tries < 600; tries++) {
      if ((await ask(gateway, ["GET", "/new"])).status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The change was not seen");
  }));

Deno.test("requests and decisions are logged as in the service, without token, path or query", () =>
  withGateway(async (gateway) => {
    const token = await gateway.mint("orders:read", { sub: "anna" });
    await ask(gateway, ["GET", "/orders/4242424242?secret=1"], {
      token,
      headers: { "x-request-id": "r1" },
    });
    await ask(gateway, ["PUT", "/orders/4242424242"], { token });
    const lines = (await gateway.logged()).filter(({ method }) => method !== undefined);
    assertEquals(
      lines.map(({ method, route, status, decision }) => [method, route, status, decision]),
      [
        ["GET", "GET /orders/:id(\\d+)", 200, "allow"],
        ["PUT", "PUT /orders/:id(\\d+)", 403, "deny"],
      ],
    );
    assertEquals(lines[0]?.["request_id"], "r1");
    assertEquals(lines[1]?.["missing"], ["orders:write"]);
    assertMatch(String(lines[0]?.["subject"]), /^[0-9a-f]{16}$/);
    const text = JSON.stringify(lines);
    assert(!text.includes("4242424242") && !text.includes("secret") && !text.includes(token));
    let decisions: unknown[] = [];
    for (let tries = 0; decisions.length < 2 && tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const log = await Deno.readTextFile(`${gateway.folder}/decisions.jsonl`);
      const stats = { decisions: 0, unreadable: [] };
      decisions = await Array.fromAsync(readDecisions(
        async function* () {
          yield* log.split("\n");
        }(),
        stats,
      ));
      assertEquals(stats.unreadable, []);
    }
    assertMatch(JSON.stringify(decisions), /"request":"r1".*"client":"recto-cli"/);
  }, { environment: { RECTO_DECISION_LOG: "{folder}/decisions.jsonl" } }));

Deno.test("the gateway publishes the metadata that its challenges name", () =>
  withGateway(async (gateway) => {
    const address = "http://127.0.0.1:8001/.well-known/oauth-protected-resource";
    const { scopes_supported } = await (await gateway.handler(new Request(address))).json();
    assertEquals(scopes_supported, ["orders:read", "orders:write", ADMIN]);
    assertEquals((await gateway.handler(new Request("http://127.0.0.1:8001/livez"))).status, 200);
    assertEquals((await gateway.handler(new Request("http://127.0.0.1:8001/auth"))).status, 404);
    assertEquals(
      (await gateway.handler(new Request("http://127.0.0.1:8001/auth/nginxx"))).status,
      404,
    );
  }));

Deno.test("a start with a wrong setting or policy tells everything that is wrong", async () => {
  const failing = async (environment: Record<string, string>, policy?: unknown) =>
    (await assertRejects(
      () =>
        withGateway(() => Promise.resolve(), {
          environment,
          ...(policy !== undefined && { policy }),
        }),
      ConfigError,
    )).message;
  assertStringIncludes(await failing({ RECTO_GATEWAY_POLICIES: "" }), "must name a policy");
  assertStringIncludes(await failing({ RECTO_GATEWAY_POLICIES: "nothing" }), "HOST/PREFIX=FILE");
  const twice = "a.test={folder}/shop.json, A.test={folder}/shop.json";
  assertStringIncludes(await failing({ RECTO_GATEWAY_POLICIES: twice }), "a.test has 2 policies");
  assertStringIncludes(await failing({ RECTO_GATEWAY_HOST: "0.0.0.0" }), "RECTO_TRUSTED_PROXIES");
  const hiding = { ...SHOP, fields: { "order.price": ["orders:write"] } };
  assertStringIncludes(await failing({}, hiding), "cannot hide a field");
  const overlapping = { ...SHOP, routes: { ...SHOP.routes, "GET /orders/7": "public" } };
  assertStringIncludes(await failing({}, overlapping), "both match GET /orders/7");
});

Deno.test("checkGuard() refuses a policy whose statements are false", () => {
  const opened = { ...SHOP, routes: { ...SHOP.routes, "POST /orders": ["orders:read"] } };
  const checked = checkGuard({ text: JSON.stringify(opened), file: "shop.json" });
  assert(!checked.ok && checked.issues[0]?.includes('"Reading changes nothing" is false'));
});
