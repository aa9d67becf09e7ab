/**
 * Runs servers in their own processes, as in production.
 *
 * @module
 */
import { freePort } from "../support/ports.ts";
import { ALLOCATION, DENO_FLAGS } from "../../src/config/processes.ts";
import { keys } from "../../src/cli/keys.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";

export function baseUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Milliseconds. */
const PATIENCE = 60_000;

export interface ProcessOptions {
  /** URL on which it will listen. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; by default that of the benchmark. */
  readonly cwd?: string;
  /** Waits until it has started; by default until it responds. */
  readonly ready?: (port: number) => Promise<void>;
}

/** A process that ends when it is disposed. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
}

/** Starts `deno …`. */
export function startProcess(
  args: readonly string[],
  options: ProcessOptions,
): Promise<RunningProcess> {
  return startCommand(Deno.execPath(), args, options);
}

/** Starts a command that listens. */
export async function startCommand(
  command: string,
  args: readonly string[],
  { port, env = {}, cwd, ready = answering }: ProcessOptions,
): Promise<RunningProcess> {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    ...(cwd !== undefined && { cwd }),
    stdout: "null",
    stderr: "null",
  }).spawn();
  await ready(port);
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

/** Waits until the server responds, for at most 60 s because the machine may be busy. */
export async function answering(port: number): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (performance.now() < end) {
    try {
      await (await fetch(`${baseUrl(port)}/healthz`)).body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  throw new Error(`Nobody answers on port ${port}`);
}

/** Waits until our server sends its document compressed, like {@linkcode answering}. */
export async function compressed(port: number): Promise<void> {
  await answering(port);
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    const { headers, body } = await fetch(`${baseUrl(port)}/v2/openapi.json`, { method: "HEAD" });
    await body?.cancel();
    if (headers.has("content-encoding")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The document on port ${port} is not compressed`);
}

/** Waits until the server listens, like {@linkcode answering}. */
export async function listening(port: number): Promise<void> {
  for (const end = performance.now() + PATIENCE; performance.now() < end;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`Nobody listens on port ${port}`);
}

export interface RunningRecto extends RunningProcess {
  readonly port: number;
  readonly dataDir: string;
}

/**
 * Starts the real server like `deno task start`, on an empty data folder, without a rate limit and with
 * these additional variables.
 */
export async function startRecto(
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningRecto> {
  const port = freePort();
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const env = { ...rectoEnv(port, dataDir), ...variables };
  const child = await startProcess(rectoArgs(dataDir), { port, env });
  return {
    pid: child.pid,
    port,
    dataDir,
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

export function rectoArgs(dataDir: string, main = "main.ts"): string[] {
  const paths = `--allow-read=${dataDir},assets,policy,spec,src`;
  return [
    "run",
    "--no-prompt",
    ...DENO_FLAGS,
    "--allow-net",
    paths,
    `--allow-write=${dataDir}`,
    "--allow-env",
    "--allow-sys=setPriority",
    main,
  ];
}

export function rectoEnv(port: number, dataDir: string): Record<string, string> {
  return {
    ...ALLOCATION,
    PORT: String(port),
    RECTO_DATA_DIR: dataDir,
    RECTO_RATE_LIMIT: "off",
    RECTO_RATE_LIMIT_ADDRESS: "off",
  };
}

/** Mints a token of the local issuer in this data folder. */
export async function mint(dataDir: string, scope: string, workspace?: string): Promise<string> {
  const issuer = await openLocalIssuer({ folder: dataDir });
  const owner = workspace === undefined ? {} : { workspace };
  return issuer.mint({ scope, ttlSeconds: 3_600, now: Date.now(), ...owner });
}

/** Creates an API key in the SQLite database of this data folder. */
export async function createKey(dataDir: string, scope: string): Promise<string> {
  const { code, stdout, stderr } = await keys(["create", "--name", "bench", "--scope", scope], {
    environment: (name) => name === "RECTO_DATA_DIR" ? dataDir : undefined,
    now: Date.now(),
    readInput: () => Promise.resolve(""),
  });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}
