/**
 * The real service as a process on a folder that outlives it, so that it can be ended and started again.
 *
 * @module
 */
import { answering, baseUrl, mint, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { ALL_SCOPES } from "../support/app.ts";

export interface ServiceProcess {
  readonly pid: number;
  readonly port: number;
  readonly origin: string;
  /** Its fields for a request of one user with every scope. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a signal, and waits until it has ended. */
  end(signal: Deno.Signal): Promise<Deno.CommandStatus>;
}

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Words before the command, as `prlimit --nofile=256`. */
  readonly under?: readonly string[];
  /** Options of Deno's own, as `--v8-flags=…`. */
  readonly flags?: readonly string[];
}

/** Starts the service, and waits until it answers. */
export async function startService(
  folder: string,
  { env = {}, under = [], flags = [] }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const port = freePort();
  const [run = "run", ...rest] = rectoArgs(folder);
  const [command = "", ...args] = [...under, Deno.execPath(), run, ...flags, ...rest];
  const child = new Deno.Command(command, {
    args,
    env: { ...rectoEnv(port, folder), ...env },
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answering(port);
  const token = await mint(folder, ALL_SCOPES);
  return {
    pid: child.pid,
    port,
    origin: baseUrl(port),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    end: (signal) => {
      child.kill(signal);
      return child.status;
    },
  };
}

/** Sends a request on a new connection, because an older one proves nothing of the listener. */
export async function statusAlone(
  { origin, headers }: ServiceProcess,
  path: string,
): Promise<number> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(`${origin}${path}`, { headers, client });
  await response.body?.cancel();
  return response.status;
}
