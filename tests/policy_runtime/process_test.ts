import { answering, baseUrl, mint } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { KEY } from "../auth/support.ts";
import { policyText, textsOf } from "./support.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const LIFECYCLE = /^(?:Starting|Ready|Draining|Stopped)/;
const SOURCES = new URL("../../src", import.meta.url).pathname;

interface Process {
  readonly port: number;
  readonly folder: string;
  hangUp(): void;
  /** Ends it as a service manager does, once. */
  stop(): Promise<unknown>;
  /** The next line of the log that tells of no request, nor of start and stop. */
  nextEvent(): Promise<Record<string, unknown>>;
}

/** The real server in a folder of its own, permitted what `deno task start` permits. */
async function withProcess(
  test: (process: Process) => Promise<void>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = await makeFolder();
  const { port, child } = spawnIn(folder, env);
  const events = eventsOf(child.stdout);
  let stopped: Promise<unknown> | undefined;
  const stop = () => {
    if (stopped === undefined) child.kill("SIGTERM");
    return stopped ??= child.status;
  };
  try {
    await answering(port);
    const nextEvent = async () => (await events.next()).value ?? {};
    await test({ port, folder, hangUp: () => child.kill("SIGHUP"), stop, nextEvent });
  } finally {
    await stop();
    await events.return(undefined);
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder with all that a server reads. */
async function makeFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  for (const name of ["policy", "spec", ".data"]) await Deno.mkdir(`${folder}/${name}`);
  await write(folder, policyText());
  return folder;
}

function spawnIn(
  folder: string,
  env: Readonly<Record<string, string>>,
): { readonly port: number; readonly child: Deno.ChildProcess } {
  const port = freePort();
  const args = ["run", "--no-prompt", "--allow-net", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, `--allow-read=.data,policy,spec,${SOURCES}`, "--allow-write=.data", MAIN],
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  return { port, child };
}

interface Starting {
  readonly child: Deno.ChildProcess;
  readonly events: AsyncGenerator<Record<string, unknown>, undefined>;
  /** The promise that the start waits for. */
  readonly pipe: Deno.FsFile;
  /** Lets the start go on, and waits until the server answers. */
  release(): Promise<void>;
}

/** The real server in the middle of its start: it reads the keys of its issuer from a pipe. */
async function withStarting(test: (starting: Starting) => Promise<void>): Promise<void> {
  const folder = await makeFolder();
  const file = ".data/keys.json";
  await new Deno.Command("mkfifo", { args: [`${folder}/${file}`] }).output();
  const env = {
    RECTO_AUTH_ISSUER: "urn:issuer",
    RECTO_AUTH_AUDIENCE: "a",
    RECTO_AUTH_JWKS_FILE: file,
  };
  const { port, child } = spawnIn(folder, env);
  const events = eventsOf(child.stdout);
  // It opens for one who writes once the other reads.
  const pipe = await Deno.open(`${folder}/${file}`, { write: true });
  const release = async () => {
    await pipe.write(new TextEncoder().encode(JSON.stringify({ keys: [KEY.jwk] })));
    pipe.close();
    await answering(port);
  };
  await test({ child, events, pipe, release });
  await events.return(undefined);
  await Deno.remove(folder, { recursive: true });
}

async function write(folder: string, policy: string): Promise<void> {
  const { document, meta } = await textsOf(policy);
  await Deno.writeTextFile(`${folder}/policy/scopes.json`, policy);
  await Deno.writeTextFile(`${folder}/spec/openapi.json`, document);
  await Deno.writeTextFile(`${folder}/spec/meta.json`, meta);
}

async function* eventsOf(
  stdout: ReadableStream<Uint8Array>,
): AsyncGenerator<Record<string, unknown>, undefined> {
  let rest = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const parsed = JSON.parse(line);
      if (parsed.message !== undefined && !LIFECYCLE.test(parsed.message)) yield parsed;
    }
  }
}

Deno.test("the server reloads changed files by itself, and reports their status on SIGHUP", () =>
  withProcess(async ({ port, folder, hangUp, nextEvent }) => {
    const readOpenapi = async () => {
      const response = await fetch(`${baseUrl(port)}/v2/openapi.json`);
      await response.body?.cancel();
      return response.status;
    };
    assertEquals(await readOpenapi(), 200);
    hangUp();
    assertEquals((await nextEvent()).message, "SIGHUP: policy unchanged");
    await Deno.writeTextFile(`${folder}/policy/scopes.json`, "{");
    assertEquals((await nextEvent()).message, "Policy rejected, the last valid one stays active");
    hangUp();
    assertEquals((await nextEvent()).message, "SIGHUP: policy refused");
    assertEquals(await readOpenapi(), 200);
    await write(
      folder,
      policyText(({ routes }) => {
        routes["GET /v2/openapi.json"] = ["search.read"];
      }),
    );
    let message: unknown;
    // A slow machine may see the three files half way.
    do message = (await nextEvent()).message; while (message !== "Policy reloaded");
    assertEquals(await readOpenapi(), 401);
  }, {}));

Deno.test("RECTO_DECISION_LOG in a new folder of the data folder needs no further permission, and is complete after a stop", async () => {
  let text = "";
  await withProcess(async ({ port, folder, stop }) => {
    const authorization = `Bearer ${await mint(`${folder}/.data`, "users.read")}`;
    for (let n = 0; n < 3; n++) {
      await (await fetch(`${baseUrl(port)}/v2/users/me`, { headers: { authorization } })).text();
    }
    await stop();
    text = await Deno.readTextFile(`${folder}/.data/logs/decisions.jsonl`);
  }, { RECTO_DECISION_LOG: ".data/logs/decisions.jsonl" });
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ route, scopes }) => [route, scopes]), [
    ...Array.from({ length: 3 }, () => ["GET /v2/users/:user_id", ["users.read"]]),
  ]);
  assert(text.endsWith("\n"));
});

Deno.test("a RECTO_DECISION_LOG that cannot be written is a configuration error", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read=policy,spec", MAIN],
    env: { RECTO_DECISION_LOG: "/nowhere/decisions.jsonl" },
    stdout: "null",
    stderr: "piped",
  });
  const { code, stderr } = await child.output();
  assertEquals(code, 1);
  const said = new TextDecoder().decode(stderr);
  assert(said.includes("RECTO_DECISION_LOG cannot be written"), said);
});

Deno.test("a SIGHUP during start-up waits until the server is up", () =>
  withStarting(async ({ child, events, release }) => {
    child.kill("SIGHUP");
    await release();
    assertEquals((await events.next()).value?.message, "SIGHUP: policy unchanged");
    child.kill("SIGTERM");
    assertEquals(await child.status, { success: true, code: 0, signal: null });
  }));

Deno.test("a SIGTERM during start-up stops the server at once", () =>
  withStarting(async ({ child, pipe }) => {
    child.kill("SIGTERM");
    assertEquals(await child.status, { success: true, code: 0, signal: null });
    pipe.close();
  }));

Deno.test("an address in use is reported with the variables that set it", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const RECTO_DATA_DIR = await Deno.makeTempDir({ prefix: "recto-" });
  const PORT = String(taken.addr.port);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--allow-write",
      MAIN,
    ],
    env: { RECTO_DATA_DIR, PORT },
    stdout: "null",
    stderr: "piped",
  });
  const { code, stderr } = await child.output();
  taken.close();
  assertEquals(code, 1);
  const told = `Cannot listen on HOST=127.0.0.1 PORT=${PORT}: AddrInUse`;
  assertStringIncludes(new TextDecoder().decode(stderr), told);
  await Deno.remove(RECTO_DATA_DIR, { recursive: true });
});

Deno.test("the server does not start with another policy than RECTO_POLICY_DIGEST allows", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-read=policy,spec", MAIN],
    env: { RECTO_POLICY_DIGEST: "0".repeat(64) },
    stdout: "null",
    stderr: "piped",
  });
  const { code, stderr } = await child.output();
  assertEquals(code, 1);
  assertStringIncludes(
    new TextDecoder().decode(stderr),
    `but RECTO_POLICY_DIGEST allows only ${"0".repeat(64)}`,
  );
});
