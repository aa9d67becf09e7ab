/**
 * The real service of several processes, with the permissions that `recto serve` grants, in a folder of
 * its own.
 *
 * @module
 */
import { DENO_FLAGS, MEMBER, MEMBER_FLAGS } from "../../src/config/processes.ts";
import { answering, baseUrl, mint, rectoEnv } from "../bench/processes.ts";
import { policyText, textsOf } from "../policy_runtime/support.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { freePort } from "../support/ports.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const DENO = Deno.execPath();

type Event = Readonly<Record<string, unknown>>;

export interface GroupProcess {
  readonly port: number;
  readonly origin: string;
  readonly folder: string;
  /** Process ID of the parent. */
  readonly pid: number;
  /** Process IDs of those that serve. */
  readonly members: () => readonly number[];
  readonly primary: () => number;
  /** Its fields for a request of one user with every scope. */
  readonly headers: Readonly<Record<string, string>>;
  /** Lines of the log so far that tell of no request. */
  readonly events: readonly Event[];
  /** Waits for the next line with this message. */
  event(message: string): Promise<Event>;
  /** Sends a signal to the parent, and waits until it has ended. */
  end(signal: Deno.Signal): Promise<Deno.CommandStatus>;
}

export interface GroupOptions {
  readonly processes?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a service, waits until all processes serve, and ends it after the test. */
export async function withProcesses(
  test: (service: GroupProcess) => Promise<void>,
  options: GroupOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  for (const name of ["policy", "spec", ".data"]) await Deno.mkdir(`${folder}/${name}`);
  await writePolicy(folder, policyText());
  const service = await startProcesses(folder, options);
  try {
    await test(service);
  } finally {
    await service.end("SIGTERM");
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes a policy, and the document that belongs to it. */
export async function writePolicy(folder: string, policy: string): Promise<void> {
  const { document, meta } = await textsOf(policy);
  await Deno.writeTextFile(`${folder}/policy/scopes.json`, policy);
  await Deno.writeTextFile(`${folder}/spec/openapi.json`, document);
  await Deno.writeTextFile(`${folder}/spec/meta.json`, meta);
}

/** Arguments of the parent, as the launcher passes them, for a service in its working directory. */
export function parentArgs(processes: number): string[] {
  return [
    ...["run", "--quiet", "--no-prompt", "--allow-env", `--allow-run=${DENO}`],
    ...[`${ROOT}src/cli/processes.ts`, String(processes)],
    ...[
      "run",
      "--quiet",
      "--no-prompt",
      ...MEMBER_FLAGS,
      ...DENO_FLAGS,
      "--allow-net",
      "--allow-env",
    ],
    ...[`--allow-read=.data,policy,spec,assets,${ROOT}src`, "--allow-write=.data"],
    ...[`${ROOT}main.ts`, MEMBER],
  ];
}

/** Starts a service in a folder, and waits until all processes serve. */
export async function startProcesses(
  folder: string,
  { processes = 4, env = {} }: GroupOptions = {},
): Promise<GroupProcess> {
  const port = freePort();
  const child = new Deno.Command(DENO, {
    args: parentArgs(processes),
    cwd: folder,
    env: { ...rectoEnv(port, ".data"), ...env },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const log = readLog(child.stdout);
  let members: readonly number[] = [];
  let primary = 0;
  log.onEvent((event) => {
    if (!Array.isArray(event.pids)) return;
    members = event.pids.map(Number);
    primary = Number(event.primary);
  });
  const first = log.event("All processes serve");
  const ended = child.status.then(({ code }) => {
    if (members.length === 0) throw new Error(`The service ended with ${code}`);
  });
  await Promise.race([first, ended]);
  await answering(port);
  const token = await mint(`${folder}/.data`, ALL_SCOPES);
  return {
    port,
    folder,
    pid: child.pid,
    origin: baseUrl(port),
    members: () => members,
    primary: () => primary,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    events: log.events,
    event: log.event,
    end: async (signal) => {
      try {
        child.kill(signal);
      } catch {
        // It has ended.
      }
      const status = await child.status;
      await log.ended;
      return status;
    },
  };
}

interface LogReader {
  readonly events: readonly Event[];
  readonly ended: Promise<void>;
  event(message: string): Promise<Event>;
  onEvent(listener: (event: Event) => void): void;
}

/** Reads the log to its end; each line must be whole. */
function readLog(stdout: ReadableStream<Uint8Array>): LogReader {
  const events: Event[] = [];
  const listeners = new Set<(event: Event) => void>();
  const read = async () => {
    let rest = "";
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const event of lines.map((line): Event => JSON.parse(line))) {
        if (event.message === undefined) continue;
        events.push(event);
        for (const listener of listeners) listener(event);
      }
    }
  };
  return {
    events,
    ended: read(),
    event: (message) =>
      new Promise((resolve) => {
        const listener = (event: Event) => {
          if (event.message !== message) return;
          listeners.delete(listener);
          resolve(event);
        };
        listeners.add(listener);
      }),
    onEvent: (listener) => void listeners.add(listener),
  };
}

/** Sends a request on a connection of its own, so that any process may get it. */
export async function callOnce(
  { origin, headers }: Pick<GroupProcess, "origin" | "headers">,
  route: string,
  { body, fields = {} }: {
    readonly body?: object;
    readonly fields?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const [method = "", path = ""] = route.split(" ");
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(origin + path, {
    method,
    client,
    headers: { ...headers, ...fields },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status, headers: answered } = response;
  return { status, headers: answered, text: await response.text() };
}
