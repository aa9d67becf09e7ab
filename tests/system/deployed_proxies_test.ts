import { assert, assertEquals } from "../assert.ts";
import { startService } from "../security/service.ts";
import { NEW_PAGE } from "../security/support.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";
import { DEPLOYED_PROXIES } from "./deployed_proxies.ts";

/** Milliseconds after which a connection that stays open fails the test. */
const PATIENCE = 15_000;

interface Setting {
  /** Origin of the proxy. */
  readonly origin: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs a test against the real service behind a proxy that has a sample's settings. */
function withProxy(
  name: string,
  test: (setting: Setting) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withFolder(async (folder) => {
    const port = freePort();
    const origin = `http://127.0.0.1:${port}`;
    const env = { RECTO_PUBLIC_URL: origin, RECTO_TRUSTED_PROXIES: "127.0.0.1", ...variables };
    const data = `${folder}/data`;
    const service = await startService(data, { env });
    try {
      const start = DEPLOYED_PROXIES[name];
      assert(start !== undefined);
      await using _ = await start({ folder, port, behind: service.port });
      await test({ origin, port, headers: service.headers });
    } finally {
      await service.end("SIGTERM");
    }
  });
}

/** Sends the start of a request, and waits until the other side closes the connection. */
async function untilClosed(port: number, start: string): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const timer = setTimeout(() => connection.close(), PATIENCE);
  try {
    await connection.write(new TextEncoder().encode(start));
    const chunk = new Uint8Array(4_096);
    while (await connection.read(chunk) !== null);
    connection.close();
  } catch (error) {
    // It is reset rather than closed where bytes were left unread.
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    connection.close();
  } finally {
    clearTimeout(timer);
  }
}

for (const name of Object.keys(DEPLOYED_PROXIES)) {
  Deno.test(`behind ${name} as in deploy/, clients get pages, files and limits, and none of what is the operator's`, () =>
    withProxy(name, async ({ origin, headers }) => {
      const send = async (path: string, init: RequestInit = {}) => {
        const answer = await fetch(path.startsWith("http") ? path : origin + path, init);
        return { status: answer.status, text: await answer.text() };
      };
      const post = (path: string, body: unknown) =>
        send(path, { method: "POST", headers, body: JSON.stringify(body) });
      assertEquals((await post("/v2/pages", NEW_PAGE)).status, 200);
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        assertEquals((await send(path)).status, 404, path);
      }
      assertEquals((await post("/v2/pages", { padding: "x".repeat(2 ** 21) })).status, 413);
      const size = 3 * 2 ** 20;
      const grant = await post("/v2/files/upload-url", {
        filename: "big.bin",
        content_type: "application/octet-stream",
      });
      const { upload_url } = JSON.parse(grant.text);
      assert(upload_url.startsWith(`${origin}/files/`), "URLs name the proxy");
      const sent = await send(upload_url, {
        method: "PUT",
        headers: { "content-type": "application/octet-stream" },
        body: new Uint8Array(size),
      });
      assertEquals(sent.status, 200, sent.text);
    }));

  Deno.test(`behind ${name} as in deploy/, a client that stalls is cut`, () =>
    withProxy(name, async ({ port, headers }) => {
      const host = `Host: 127.0.0.1:${port}\r\n`;
      const fields = `${host}Authorization: ${headers.authorization}\r\nContent-Length: 500\r\n`;
      await Promise.all([
        untilClosed(port, `GET /v2/users/me HTTP/1.1\r\n${host}X-Half: `),
        untilClosed(port, `POST /v2/pages HTTP/1.1\r\n${fields}\r\n{"par`),
      ]);
    }));

  Deno.test(`behind ${name} as in deploy/, clients cannot invent addresses to pass the limit`, () =>
    withProxy(name, async ({ origin }) => {
      const statuses: number[] = [];
      for (let index = 0; index < 8; index++) {
        const forged = {
          "x-forwarded-for": `203.0.113.${index}`,
          forwarded: `for=192.0.2.${index}`,
        };
        const answer = await fetch(`${origin}/v2/users/me`, { headers: forged });
        await answer.body?.cancel();
        statuses.push(answer.status);
      }
      assertEquals([statuses[0], statuses.at(-1)], [401, 429], statuses.join());
    }, { RECTO_RATE_LIMIT_ADDRESS: "1/s" }));

  Deno.test(`behind ${name} as in deploy/, a 503 reaches its client, and the server is not left out`, () =>
    withFolder(async (folder) => {
      let calls = 0;
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        () => {
          calls++;
          return calls <= 5
            ? new Response("busy", { status: 503, headers: { "retry-after": "1" } })
            : new Response("ready");
        },
      );
      const port = freePort();
      const start = DEPLOYED_PROXIES[name];
      assert(start !== undefined);
      await using _ = await start({ folder, port, behind: server.addr.port });
      const answers: (readonly [number, string | null])[] = [];
      for (let index = 0; index < 6; index++) {
        const answer = await fetch(`http://127.0.0.1:${port}/v2/pages`);
        await answer.body?.cancel();
        answers.push([answer.status, answer.headers.get("retry-after")]);
      }
      assertEquals(answers, [...Array<[number, string]>(5).fill([503, "1"]), [200, null]]);
      assertEquals(calls, 6, "each request came once");
    }));
}
