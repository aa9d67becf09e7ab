/**
 * Runs the real server in a process of its own, and clients that keep it busy with Markdown.
 *
 * @module
 */
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { baseUrl, rectoArgs, rectoEnv, startProcess } from "../bench/processes.ts";
import { freePort } from "./ports.ts";

/** Concurrent clients, each with its own user. */
const CLIENTS = 12;

export interface LoadedServer {
  readonly pid: number;
  readonly port: number;
  /** Creates a page from Markdown as this user and returns the status. */
  create(markdown: string, as: { workspace: string; sub: string }): Promise<number>;
}

/** Runs work on an empty server. */
export async function withServer(work: (server: LoadedServer) => Promise<void>): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-hostile-" });
  const port = freePort();
  try {
    await using child = await startProcess(rectoArgs(dataDir), {
      port,
      env: rectoEnv(port, dataDir),
    });
    const issuer = await openLocalIssuer({ folder: dataDir });
    await work({
      pid: child.pid,
      port,
      create: async (markdown, as) => {
        const token = await issuer.mint({
          ...as,
          scope: "pages.write",
          ttlSeconds: 3_600,
          now: Date.now(),
        });
        const body = { parent: { workspace: true }, properties: {}, markdown };
        const response = await fetch(`${baseUrl(port)}/v2/pages`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        await response.body?.cancel();
        return response.status;
      },
    });
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Sends the texts from clients of one workspace; each sends its next text after a response. */
export async function sendAll(
  { create }: LoadedServer,
  texts: readonly string[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  const left = texts.values();
  await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
    for (const text of left) {
      statuses.push(await create(text, { workspace: "hostile", sub: `client-${client}` }));
    }
  }));
  return statuses;
}

/** Collects garbage and compiles what ran before; runs no JavaScript. The kernel cuts the name. */
const HELPER_THREAD = / V8 DefaultWorke$/;

/**
 * Measures how many milliseconds each thread of a process that can run JavaScript runs in a
 * period, longest first.
 */
export async function busyTimes(
  pid: number,
  milliseconds: number,
): Promise<readonly { readonly name: string; readonly time: number }[]> {
  const before = await threadTimes(pid);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const after = await threadTimes(pid);
  // A thread that starts meanwhile has received no work.
  return [...before]
    .filter(([name]) => !HELPER_THREAD.test(name))
    .map(([name, time]) => ({ name, time: (after.get(name) ?? time) - time }))
    .sort((a, b) => b.time - a.time);
}

/** Reads how many milliseconds each thread of a process has run, by ID and name. */
export async function threadTimes(pid: number): Promise<ReadonlyMap<string, number>> {
  const script =
    'for task in /proc/$0/task/*; do echo "${task##*/} $(cat $task/comm) $(cat $task/schedstat)"; done';
  const lines = (await printed(script, pid)).trim().split("\n");
  return new Map(lines.flatMap((line) => {
    const [, name = "", nanoseconds = ""] = /^(.*) (\d+) \d+ \d+$/.exec(line) ?? [];
    return name === "" ? [] : [[name, Number(nanoseconds) / 1e6]];
  }));
}

/** Reads the nice values of the threads of a process that run JavaScript, by name; `deno` is the first. */
export async function niceValues(pid: number): Promise<ReadonlyMap<string, number>> {
  const script =
    'for task in /proc/$0/task/*; do echo "$(cat $task/comm):$(cut -d ")" -f 2 $task/stat)"; done';
  const threads = (await printed(script, pid)).split("\n").map((line) => line.split(":"));
  // proc_pid_stat(5): "nice" is the 17th field behind the name.
  return new Map(
    threads.filter(([name = ""]) => name === "deno" || name.startsWith("worker-"))
      .map(([name = "", fields = ""]) => [name, Number(fields.split(" ")[17])]),
  );
}

/** Runs a script with a process ID: Deno requires all permissions to read these files itself. */
async function printed(script: string, pid: number): Promise<string> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", script, String(pid)],
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

/** Returns the resident memory of a process in megabytes. */
export async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  return Number(/VmRSS:\s+(\d+) kB/.exec(new TextDecoder().decode(stdout))?.[1]) / 1024;
}
