import type { GatewayHandler } from "../../src/gateway/handler.ts";
import { ask, SHOP, type TestGateway, withGateway } from "../gateway/support.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { latin1 } from "../support/socket.ts";
import { FORWARD_PROXIES } from "./forward_proxies.ts";

/** The request as the service behind the proxy saw it. */
interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the request did not reach the service. */
  readonly seen: Seen | undefined;
}

/** Sends a request byte by byte, because clients would change its path. */
async function send(
  port: number,
  [method, target]: readonly [method: string, target: string],
  fields: readonly string[],
): Promise<Answer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = [`${method} ${target} HTTP/1.1`, "Host: shop.test", "Connection: close", ...fields];
  await connection.write(latin1(`${head.join("\r\n")}\r\nContent-Length: 0\r\n\r\n`));
  const text = await new Response(connection.readable).text();
  const [first = "", ...lines] = text.split("\r\n\r\n")[0]?.split("\r\n") ?? [];
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const seen = headers.get("x-seen");
  return {
    status: Number(first.split(" ")[1]),
    headers,
    seen: seen === null ? undefined : JSON.parse(decodeURIComponent(seen)),
  };
}

/** A service that tells in a header what it saw, so that HEAD does too. */
function serveEcho(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const target = request.url.slice(request.url.indexOf("/", 7));
    const seen = { method: request.method, target, headers: Object.fromEntries(request.headers) };
    return new Response(null, { headers: { "x-seen": encodeURIComponent(JSON.stringify(seen)) } });
  });
}

interface Setting {
  readonly gateway: TestGateway;
  /** Port of the proxy. */
  readonly port: number;
}

/** Runs a test behind a proxy. */
function withProxy(name: string, test: (setting: Setting) => Promise<void>): Promise<void> {
  return withGateway(async (gateway) => {
    const handler: GatewayHandler = gateway.handler;
    await using service = serveEcho();
    await using listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      handler,
    );
    const start = FORWARD_PROXIES[name];
    if (start === undefined) throw new Error(`No proxy ${name}`);
    const ports = { gateway: listener.addr.port, service: service.addr.port };
    await using proxy = await start({ folder: gateway.folder, ...ports });
    await test({ gateway, port: proxy.port });
  });
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const TARGETS = [
  ...[
    "/",
    "/orders",
    "/orders/",
    "/orders/1",
    "/orders/1?x=/public/y",
    "/orders/x",
    "/orders/open",
  ],
  ...["/orders/1/2", "/ORDERS", "/orders;x=1", "/orders%2f1", "/orders/%31", "/orders/1%3fx"],
  ...["/public/a", "/public/a/b?c=d&e", "/public/", "/public", "/public/%20", "/public/caf%C3%A9"],
  ...[
    "/public/../orders",
    "/public/%2e%2e/orders",
    "/public/..;/orders",
    "/public//a",
    "//public/a",
  ],
  ...["/public/.", "/public/a%00b", "/public/a%2fb", "/public/a%5cb", "/files/a/b.txt", "/files/"],
  ...["/admin", "/nowhere", "/auth/nginx", "/_recto/x", "/public/a#b", "/orders/1#/public/a"],
];

/** The statuses with which a proxy itself answers a malformed target. */
const OWN_REFUSALS = [400, 404];

for (const name of Object.keys(FORWARD_PROXIES)) {
  Deno.test(`${name} lets exactly those requests through that the policy allows`, () =>
    withProxy(name, async ({ gateway, port }) => {
      const tokens = [
        undefined,
        await gateway.mint("orders:read"),
        await gateway.mint("orders:read orders:write", { acr: "mfa" }),
        "broken",
      ];
      const counts = new Map<number, number>();
      for (const token of tokens) {
        const fields = token === undefined ? [] : [`Authorization: Bearer ${token}`];
        for (const method of METHODS) {
          for (const target of TARGETS) {
            const { status, seen } = await send(port, [method, target], fields);
            // Caddy escapes a fragment, for the gateway and for the service alike.
            const asked = name === "Caddy" ? target.replace("#", "%23") : target;
            const direct = await ask(
              gateway,
              [method, asked],
              token === undefined ? {} : { token },
            );
            counts.set(status, (counts.get(status) ?? 0) + 1);
            assertEquals(seen !== undefined, status === 200, `${method} ${target}`);
            if (OWN_REFUSALS.includes(status)) continue;
            assertEquals(status, direct.status, `${method} ${target} ${token}`);
            if (seen !== undefined) assertEquals([seen.method, seen.target], [method, asked]);
          }
        }
      }
      for (const status of [200, 401, 403]) assert((counts.get(status) ?? 0) > 30, `${status}`);
      const own = OWN_REFUSALS.map((status) => counts.get(status) ?? 0);
      assert(own.every((count) => count < 200), `${own}`);
    }));

  Deno.test(`behind ${name} the challenge reaches the client`, () =>
    withProxy(name, async ({ gateway, port }) => {
      const none = await send(port, ["GET", "/orders"], []);
      assertMatch(
        none.headers.get("www-authenticate") ?? "",
        /^Bearer realm="recto", resource_metadata="[^"]+"$/,
      );
      const token = await gateway.mint("orders:read");
      const fields = [`Authorization: Bearer ${token}`];
      const scope = await send(port, ["PUT", "/orders/1"], fields);
      assertEquals(scope.status, 403);
      assertMatch(
        scope.headers.get("www-authenticate") ?? "",
        /^Bearer .*error="insufficient_scope", scope="orders:write orders:read"$/,
      );
      const writer = await gateway.mint("orders:write");
      const level = await send(port, ["DELETE", "/orders/1"], [`Authorization: Bearer ${writer}`]);
      assertEquals(level.status, 401);
      assertMatch(
        level.headers.get("www-authenticate") ?? "",
        /error="insufficient_user_authentication".*acr_values="mfa"$/,
      );
      assertEquals(
        (await send(port, ["GET", "/orders"], fields)).headers.get("www-authenticate"),
        null,
      );
    }));

  Deno.test(`behind ${name} the service gets the identity of the token, and never the client's words`, () =>
    withProxy(name, async ({ gateway, port }) => {
      const token = await gateway.mint("orders:read", { sub: "anna", email: "anna@shop.test" });
      const forged = ["User", "Type", "Client", "Workspace", "Scopes", "Name", "Email"]
        .flatMap((one) => [`X-Auth-${one}: forged`, `x-auth-${one.toLowerCase()}: forged`]);
      const { seen } = await send(port, ["GET", "/orders"], [
        `Authorization: Bearer ${token}`,
        ...forged,
      ]);
      assertEquals(seen?.headers["x-auth-scopes"], "orders:read");
      assertEquals(seen?.headers["x-auth-email"], "anna@shop.test");
      assertMatch(seen?.headers["x-auth-user"] ?? "", /^[0-9a-f-]{36}$/);
      const open = await send(port, ["GET", "/public/a"], forged);
      assertEquals(open.status, 200);
      for (const headers of [seen?.headers, open.seen?.headers]) {
        assert(!JSON.stringify(headers).includes("forged"), JSON.stringify(headers));
      }
    }));

  Deno.test(`behind ${name} smuggled descriptions of another request have no effect`, () =>
    withProxy(name, async ({ gateway, port }) => {
      const token = await gateway.mint("orders:read");
      const descriptions = [
        ["X-Original-Method: GET", "X-Original-URL: http://shop.test/public/a"],
        ["X-Original-URI: /public/a", "X-Original-URL: http://shop.test/public/a"],
        ["X-Forwarded-Method: GET", "X-Forwarded-Uri: /public/a", "X-Forwarded-Host: shop.test"],
        ["X_Original_URL: http://shop.test/public/a", "X_Forwarded_Uri: /public/a"],
        ["X-Forwarded-Proto: ftp", "X-Forwarded-Prefix: /public", "X-Forwarded-Path: /public/a"],
        ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1;host=shop.test;proto=http"],
        ["X-Rewrite-URL: /public/a", "X-HTTP-Method-Override: GET", "X-HTTP-Method: GET"],
        ["Connection: close, X-Original-URL, X-Original-Method, X-Forwarded-Uri, X-Forwarded-Method"],
        ["Connection: close, Authorization"],
      ];
      for (const authorization of [[], [`Authorization: Bearer ${token}`]]) {
        for (
          const request of [["GET", "/orders"], ["DELETE", "/orders/1"], [
            "GET",
            "/nowhere",
          ]] as const
        ) {
          const plain = await send(port, request, authorization);
          for (const fields of descriptions) {
            const twice = fields.flatMap((field) => [field, field]);
            for (const smuggled of [fields, twice, fields.map((field) => field.toLowerCase())]) {
              const { status, seen } = await send(port, request, [...authorization, ...smuggled]);
              const what = `${request} ${smuggled}`;
              // A proxy that drops the token asks for one.
              if (status !== 401 || !/Authorization/i.test(smuggled.join())) {
                assertEquals(status, plain.status, what);
              }
              if (seen !== undefined) assertEquals([seen.method, seen.target], [...request], what);
            }
          }
        }
      }
    }));
}

Deno.test("the samples of the guide name every header of the identity", async () => {
  const guide = await Deno.readTextFile("docs/gateway.md");
  const samples = guide.match(/```(?:nginx|caddyfile|yaml)\n[^]*?```/g) ?? [];
  assertEquals(samples.length >= 4, true);
  for (const sample of samples.filter((one) => /auth\//.test(one))) {
    for (const name of ["User", "Type", "Client", "Workspace", "Scopes", "Name", "Email"]) {
      assertMatch(sample, new RegExp(`x-auth-${name}`, "i"), sample);
    }
  }
  assertEquals(typeof SHOP.service, "string");
});
