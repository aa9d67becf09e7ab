import { answering, baseUrl, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { callOnce, withProcesses } from "../processes/service.ts";
import { ORIGIN, withApp } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";

const ADMIN = { environment: { RECTO_ADMIN_PORT: "9" } };
const OPERATORS = ["/metrics", "/readyz", "/policy", "/docs", "/"];

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  return response.status;
}

Deno.test("with an admin port, what operators read is 404 for clients and served there", () =>
  withApp(async ({ app, send }) => {
    for (const path of OPERATORS) {
      const request = () => new Request(`${ORIGIN}${path}`);
      const refused = await send(request());
      assertEquals(refused.status, 404, path);
      assertEquals((await refused.json()).code, "route_not_found");
      const served = await app.adminHandler(request());
      await served.body?.cancel();
      assert(served.status < 400, path);
    }
  }, ADMIN));

Deno.test("the admin port serves no content, and both ports tell that the process lives", () =>
  withApp(async ({ app, send, mint }) => {
    const headers = { authorization: `Bearer ${await mint()}` };
    const request = (path: string) => new Request(`${ORIGIN}${path}`, { headers });
    assertEquals((await app.adminHandler(request("/v2/users/me"))).status, 404);
    assertEquals((await send(request("/v2/users/me"))).status, 200);
    for (const handler of [app.adminHandler, send]) {
      assertEquals((await handler(request("/healthz"))).status, 200);
      assertEquals((await handler(request("/v2/openapi.json"))).status, 200);
    }
  }, ADMIN));

Deno.test("without an admin port everything is on one, and only then clients are sent to /docs", async () => {
  const documentation = async ({ send }: { send: (request: Request) => Promise<Response> }) =>
    (await (await send(new Request(`${ORIGIN}/.well-known/oauth-protected-resource`))).json())
      .resource_documentation;
  await withApp(async (app) => {
    for (const path of OPERATORS) {
      const response = await app.send(new Request(`${ORIGIN}${path}`));
      await response.body?.cancel();
      assert(response.status < 400, path);
    }
    assertEquals(await documentation(app), `${ORIGIN}/docs`);
  });
  await withApp(async (app) => assertEquals(await documentation(app), undefined), ADMIN);
});

Deno.test("a process listens on the admin port until it has stopped", () =>
  withFolder(async (folder) => {
    const [port, adminPort] = [freePort(), freePort()];
    const child = new Deno.Command(Deno.execPath(), {
      args: rectoArgs(folder),
      env: { ...rectoEnv(port, folder), RECTO_ADMIN_PORT: String(adminPort) },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = Promise.all([child.stdout, child.stderr].map((one) => new Response(one).text()));
    await answering(port);
    assertEquals(await statusOf(`${baseUrl(adminPort)}/metrics`), 200);
    assertEquals(await statusOf(`${baseUrl(port)}/metrics`), 404);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0);
    const [lines = "", banner = ""] = await output;
    const events = lines.trimEnd().split("\n").map((line) => JSON.parse(line))
      .filter(({ message }) => message !== undefined);
    assertEquals(events.map(({ message }) => message), [
      ...["Starting", "Ready", "Draining: waiting for requests in flight", "Stopped"],
    ]);
    const [starting, ready] = events;
    assertEquals([starting.database, starting.files, starting.processes], ["sqlite", "disk", 1]);
    assertEquals(ready.address, `127.0.0.1:${port}`);
    assertEquals(ready.admin, `127.0.0.1:${adminPort}`);
    assertEquals(new Set(events.map(({ config }) => config)).size, 1);
    assertEquals(new Set(events.map(({ version }) => version)), new Set([ready.version]));
    assertStringIncludes(banner, `listens on 127.0.0.1:${port}\n`);
    assertStringIncludes(banner, `Operators: http://127.0.0.1:${adminPort}/metrics`);
  }));

Deno.test("of several processes one serves the admin port for all, also after it was replaced", async () => {
  const adminPort = freePort();
  await withProcesses(async (service) => {
    const scrape = async () => (await fetch(`${baseUrl(adminPort)}/metrics`)).text();
    const processes = `\nrecto_processes ${service.members().length}\n`;
    assertStringIncludes(await scrape(), processes);
    assertEquals((await callOnce(service, "GET /metrics")).status, 404);
    const replaced = service.event("All processes serve again");
    Deno.kill(service.primary(), "SIGKILL");
    await replaced;
    assertStringIncludes(await scrape(), processes);
  }, { env: { RECTO_ADMIN_PORT: String(adminPort) } });
});
