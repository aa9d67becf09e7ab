import { NEW_PAGE } from "../security/support.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { freePort } from "../support/ports.ts";
import { createDpopClient } from "../api/dpop_driver.ts";
import { keys } from "../../src/cli/keys.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { callOnce, parentArgs, withProcesses } from "./service.ts";

/** Enough connections for every process to get some. */
const CONNECTIONS = 24;

Deno.test("four processes serve one port: what one writes, all read at once", () =>
  withProcesses(async (service) => {
    const written = await callOnce(service, "POST /v2/pages", { body: NEW_PAGE });
    assertEquals(written.status, 200);
    const { id } = JSON.parse(written.text);
    for (let times = 0; times < CONNECTIONS; times++) {
      assertEquals((await callOnce(service, `GET /v2/pages/${id}`)).text, written.text);
    }
    // Each changes the page through any process, and finds what the last one wrote.
    let etag = written.headers.get("etag") ?? "";
    for (let times = 0; times < CONNECTIONS; times++) {
      const changed = await callOnce(service, `PATCH /v2/pages/${id}`, {
        body: { icon: { type: "emoji", emoji: times % 2 === 0 ? "🦉" : "🐦" } },
        fields: { "if-match": etag },
      });
      assertEquals(changed.status, 200, changed.text);
      etag = changed.headers.get("etag") ?? "";
    }
  }));

Deno.test("a forwarded request is answered as any other: errors, fields, request IDs, bad bodies", () =>
  withProcesses(async (service) => {
    for (let times = 0; times < CONNECTIONS; times++) {
      const invalid = await callOnce(service, "POST /v2/pages", {
        body: { parent: {} },
        fields: { "x-request-id": `mine-${times}` },
      });
      assertEquals(invalid.status, 400);
      assertEquals(invalid.headers.get("x-request-id"), `mine-${times}`);
      const large = { ...NEW_PAGE, filler: "x".repeat(2_000_000) };
      assertEquals((await callOnce(service, "POST /v2/pages", { body: large })).status, 413);
      const nobody = { ...service, headers: { "content-type": "application/json" } };
      assertEquals((await callOnce(nobody, "POST /v2/pages", { body: large })).status, 401);
    }
  }, { processes: 2 }));

Deno.test("a file that is uploaded through any process is streamed, and read through every one", () =>
  withProcesses(async (service) => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const large = new Uint8Array(3_000_000).map((_, index) => bytes[index % bytes.length] ?? 0);
    for (let times = 0; times < 6; times++) {
      const announced = await callOnce(service, "POST /v2/files/upload-url", {
        body: { filename: "a.bin", content_type: "application/pdf", content_length: large.length },
      });
      assertEquals(announced.status, 200, announced.text);
      const { id, upload_url, upload_headers } = JSON.parse(announced.text);
      using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      const sent = await fetch(upload_url, {
        method: "PUT",
        client,
        headers: upload_headers,
        body: large,
      });
      assertEquals(sent.status, 200, await sent.text());
      const page = await callOnce(service, "POST /v2/pages", {
        body: { ...NEW_PAGE, cover: { type: "file_upload", file_upload: { id } } },
      });
      const { cover } = JSON.parse(page.text);
      const read = await fetch(cover.file.url, { client });
      assertEquals(new Uint8Array(await read.arrayBuffer()), large);
    }
  }, { processes: 2 }));

Deno.test("one rate limit holds for all processes together", () =>
  withProcesses(async (service) => {
    const started = performance.now();
    const calls = Array.from({ length: 200 }, () => callOnce(service, "GET /v2/users/me"));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const passed = statuses.filter((status) => status === 200).length;
    const seconds = (performance.now() - started) / 1_000;
    // A burst of 50, and 10 a second; a process may have taken some in advance that nobody used.
    assert(passed <= 50 + 10 * seconds + 1, `${passed} passed in ${seconds} s`);
    assert(passed >= 50 - 6, `${passed} passed`);
    assertEquals(statuses.filter((status) => status === 429).length, 200 - passed);
  }, { env: { RECTO_RATE_LIMIT: "10/s" } }));

Deno.test("a DPoP proof is used once, whichever process sees it", () =>
  withProcesses(async (service) => {
    const client = await createDpopClient();
    const issuer = await openLocalIssuer({ folder: `${service.folder}/.data` });
    const options = { scope: "users.read", ttlSeconds: 3_600, now: Date.now() };
    const token = await issuer.mint({ ...options, boundKey: client.thumbprint });
    const dpop = await client.prove("GET /v2/users/me", { token, origin: service.origin });
    const bound = { ...service, headers: { authorization: `DPoP ${token}`, dpop } };
    const statuses = new Set<number>();
    let accepted = 0;
    for (let times = 0; times < CONNECTIONS; times++) {
      const { status } = await callOnce(bound, "GET /v2/users/me");
      statuses.add(status);
      if (status === 200) accepted++;
    }
    assertEquals([accepted, [...statuses].toSorted()], [1, [200, 401]]);
  }, { env: { RECTO_AUTH_DPOP: "accept", RECTO_AUTH_DPOP_NONCE: "false" } }));

Deno.test("readiness and metrics are those of the whole service", () =>
  withProcesses(async (service) => {
    for (let times = 0; times < CONNECTIONS; times++) {
      await callOnce(service, "GET /v2/users/me");
    }
    const written = async () => {
      const { text } = await callOnce(service, "GET /metrics");
      return Number(/recto_log_lines_total\{result="written"\} (\d+)/.exec(text)?.[1]);
    };
    const end = performance.now() + 10_000;
    while (await written() < CONNECTIONS && performance.now() < end) await rest(20);
    assert(await written() >= CONNECTIONS, "All lines are counted");
    const { text } = await callOnce(service, "GET /metrics");
    const calls =
      /_requests_total\{method="GET",route="\/v2\/users\/:user_id",status="200"\} (\d+)/;
    assertEquals(
      Number(calls.exec(text)?.[1]),
      CONNECTIONS,
      "Requests of all processes are counted",
    );
    assertStringIncludes(text, `\nrecto_processes ${service.members().length}\n`);
    const replaced = service.event("All processes serve again");
    Deno.kill(service.primary(), "SIGKILL");
    await replaced;
    assertEquals((await callOnce(service, "GET /readyz")).status, 200);
  }));

Deno.test("an API key that is revoked is refused by every process within a second", () =>
  withProcesses(async (service) => {
    const run = (...args: string[]) =>
      keys(args, {
        environment: (name) => name === "RECTO_DATA_DIR" ? `${service.folder}/.data` : undefined,
        now: Date.now(),
        readInput: () => Promise.resolve(""),
      });
    const created = await run("create", "--name", "bot", "--scope", "users.read");
    assertEquals(created.code, 0, created.stderr);
    const bot = { ...service, headers: { authorization: `Bearer ${created.stdout.trim()}` } };
    const me = await callOnce(bot, "GET /v2/users/me");
    for (let times = 0; times < CONNECTIONS; times++) {
      assertEquals((await callOnce(bot, "GET /v2/users/me")).status, 200);
    }
    const revoked = await run("revoke", JSON.parse(me.text).id);
    assertEquals(revoked.code, 0, revoked.stderr);
    await rest(1_000);
    for (let times = 0; times < CONNECTIONS; times++) {
      assertEquals((await callOnce(bot, "GET /v2/users/me")).status, 401);
    }
  }));

Deno.test("several processes do not share a port with a server that is already there", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  using taken = Deno.listen({ hostname: "127.0.0.1", port: freePort() });
  const PORT = String(taken.addr.port);
  for (const name of ["policy", "spec"]) {
    await Deno.symlink(new URL(`../../${name}`, import.meta.url).pathname, `${folder}/${name}`);
  }
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: parentArgs(2).map((arg) =>
      arg.replace("--allow-read=.data,policy,spec", "--allow-read=.,/")
    ),
    cwd: folder,
    env: { PORT, RECTO_DATA_DIR: ".data" },
    stdout: "null",
    stderr: "piped",
  }).output();
  assertEquals(code, 1);
  const told = `Cannot listen on HOST=127.0.0.1 PORT=${PORT}: AddrInUse`;
  assertStringIncludes(new TextDecoder().decode(stderr), told);
  await Deno.remove(folder, { recursive: true });
});

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
