import { answering, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";
import { assertEquals } from "../assert.ts";

Deno.test("a service that is signalled twice stops once", () =>
  withFolder(async (folder) => {
    const port = freePort();
    const child = new Deno.Command(Deno.execPath(), {
      args: rectoArgs(folder),
      env: rectoEnv(port, folder),
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const output = new Response(child.stdout).text();
    await answering(port);
    child.kill("SIGTERM");
    child.kill("SIGINT");
    assertEquals((await child.status).code, 0);
    const messages = (await output).trimEnd().split("\n").map((line) => JSON.parse(line).message);
    assertEquals(messages.filter((message) => /^(?:Draining|Stopped)/.test(message)), [
      "Draining: waiting for requests in flight",
      "Stopped",
    ]);
  }));
