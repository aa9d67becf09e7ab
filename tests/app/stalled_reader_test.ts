/**
 * The service as a process whose standard output and error nobody reads.
 *
 * @module
 */
import { answering, baseUrl, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { assert, assertEquals } from "../assert.ts";
import { withFolder } from "../support/folders.ts";

const REQUESTS = 8_000;
const CLIENTS = 16;

/** Starts the service; its output goes to pipes that are read only when a test reads them. */
async function start(folder: string): Promise<{ port: number; child: Deno.ChildProcess }> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: rectoArgs(folder),
    env: rectoEnv(port, folder),
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await answering(port);
  return { port, child };
}

/** Asks so often; how many were answered with 200. */
async function ask(port: number, times: number): Promise<number> {
  let asked = 0;
  let good = 0;
  const client = async () => {
    while (asked++ < times) {
      // A long id, so that the lines are many more than may wait.
      const headers = { "x-request-id": "x".repeat(64) };
      const answer = await fetch(`${baseUrl(port)}/v2/openapi/meta`, { headers });
      await answer.body?.cancel();
      if (answer.status === 200) good++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return good;
}

async function countLines(port: number, result: "written" | "dropped"): Promise<number> {
  const text = await (await fetch(`${baseUrl(port)}/metrics`)).text();
  return Number(
    new RegExp(`^recto_log_lines_total{result="${result}"} (\\d+)$`, "m").exec(text)?.[1],
  );
}

Deno.test("every request succeeds while nobody reads the log, and dropped lines are counted and logged", () =>
  withFolder(async (folder) => {
    const { port, child } = await start(folder);
    assertEquals(await ask(port, REQUESTS), REQUESTS);
    assert(await countLines(port, "dropped") > 0, "the pipe and what may wait took all lines");
    const errors = child.stderr.cancel();
    const reading = new Response(child.stdout).text();
    const count = () =>
      Promise.all([countLines(port, "written"), countLines(port, "dropped")] as const);
    let [written, dropped] = await count();
    // With the two lines of the start.
    while (written + dropped < REQUESTS + 2) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      [written, dropped] = await count();
    }
    child.kill("SIGTERM");
    const lines = (await reading).trimEnd().split("\n")
      .map((line) => JSON.parse(line));
    assertEquals((await child.status).code, 0);
    await errors;
    const told = lines.filter((line) => line.dropped !== undefined);
    assertEquals(told.map(({ level, dropped }) => [level, dropped]), [["warn", dropped]]);
    assertEquals(lines.filter(({ status }) => status === 200).length, REQUESTS - dropped);
    assertEquals(lines.at(-1)?.message, "Stopped");
  }));

Deno.test("a log that nobody reads does not block the exit of the process", () =>
  withFolder(async (folder) => {
    const { port, child } = await start(folder);
    assertEquals(await ask(port, REQUESTS), REQUESTS);
    assert(await countLines(port, "dropped") > 0, "the pipe and what may wait took all lines");
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 0);
    await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
  }));

Deno.test("the launcher, which passes signals on, goes on while nobody reads its log", async () => {
  const launcher = import.meta.resolve("../../src/cli/backup/scheduled_backups.ts");
  const script = `
    import { createLauncherLog } from "${launcher}";
    Deno.addSignalListener("SIGTERM", () => Deno.exit(7));
    const log = createLauncherLog("info");
    // More than a pipe takes.
    for (let line = 0; line < 1_000; line++) log.event("info", "x".repeat(1_000));
    void log.flush();
    setTimeout(() => console.error("goes on"), 100);
  `;
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (text.includes("goes on")) child.kill("SIGTERM");
  }
  clearTimeout(late);
  assertEquals((await child.status).code, 7);
  await child.stdout.cancel();
});
