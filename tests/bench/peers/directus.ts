/**
 * Directus on SQLite among the peers, installed by npm, on the Node.js of the machine.
 *
 * @module
 */
import { freePort } from "../../support/ports.ts";
import { baseUrl } from "../processes.ts";
import { DatabaseClient, forAll, rowOf } from "../rows.ts";
import type { Peer } from "./peer.ts";

const PACKAGE = "directus@11.3.5";
/** Not committed, and kept: the installation takes minutes. */
const FOLDER = new URL("../../../.tools/peers/", import.meta.url).pathname;
const TOKEN = "bench-token";
/** Rows of one request, while they are loaded. */
const BATCH = 100;
const START_TIME = 120_000;

const FIELDS = [
  { field: "title", type: "string" },
  { field: "kind", type: "string" },
  { field: "number", type: "float" },
  { field: "date", type: "date" },
];

/** Starts Directus; if it cannot be installed here, says why and returns a peer without requests. */
export async function startDirectusPeer(
  rows: number,
  print: (line: string) => void,
): Promise<Peer> {
  try {
    await install();
    return await startInstalled(rows);
  } catch (error) {
    print(`Directus is left out: ${error}`);
    return {
      name: "Directus",
      origin: "",
      headers: {},
      requests: {},
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
}

async function startInstalled(rows: number): Promise<Peer> {
  const port = freePort();
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const env = {
    HOST: "127.0.0.1",
    PORT: `${port}`,
    DB_CLIENT: "sqlite3",
    DB_FILENAME: `${folder}/d.db`,
    KEY: crypto.randomUUID(),
    SECRET: crypto.randomUUID(),
    TELEMETRY: "false",
    ADMIN_EMAIL: "bench@example.com",
    ADMIN_PASSWORD: "bench",
    ADMIN_TOKEN: TOKEN,
    LOG_LEVEL: "silent",
    RATE_LIMITER_ENABLED: "false",
    CACHE_ENABLED: "false",
    STORAGE_LOCAL_ROOT: folder,
  };
  const bootstrapped = await command("bootstrap", env).output();
  if (!bootstrapped.success) throw new Error("Directus cannot be set up");
  const child = command("start", env).spawn();
  const origin = baseUrl(port);
  const authorization = `Bearer ${TOKEN}`;
  await ready(origin);
  const client = new DatabaseClient(origin, authorization);
  await client.call("POST", "/collections", {
    collection: "tasks",
    schema: {},
    fields: [
      { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true } },
      ...FIELDS.map((field) => ({ ...field, schema: {} })),
    ],
  });
  await forAll(Math.ceil(rows / BATCH), async (batch) => {
    const numbers = Array.from({ length: BATCH }, (_, index) => batch * BATCH + index);
    await client.call("POST", "/items/tasks", numbers.map(rowOf));
  });
  return {
    name: "Directus",
    origin,
    headers: { authorization, "content-type": "application/json" },
    requests: requestsOf(),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function requestsOf(): Peer["requests"] {
  return {
    "page, authorized": { method: "GET", path: "/items/tasks/1" },
    "row of a database": { method: "GET", path: "/items/tasks/42" },
    "user": { method: "GET", path: "/users/me" },
    "database": { method: "GET", path: "/collections/tasks" },
    "query: filter, sort, 25 rows": {
      method: "GET",
      path: "/items/tasks?filter[kind][_eq]=A&sort=-number&limit=25",
    },
    "query: first 25 rows": { method: "GET", path: "/items/tasks?limit=25" },
    "search, two words": { method: "GET", path: "/items/tasks?search=task%2042&limit=25" },
    "insert a row": { method: "POST", path: "/items/tasks", body: rowOf(1) },
  };
}

async function install(): Promise<void> {
  if (await Deno.readTextFile(`${FOLDER}.installed`).catch(() => "") === PACKAGE) return;
  await Deno.mkdir(FOLDER, { recursive: true });
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", "--prefix", FOLDER, PACKAGE],
    cwd: FOLDER,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  await Deno.writeTextFile(`${FOLDER}.installed`, PACKAGE);
}

function command(name: string, env: Readonly<Record<string, string>>): Deno.Command {
  return new Deno.Command("node", {
    args: [`${FOLDER}node_modules/directus/cli.js`, name],
    cwd: FOLDER,
    env,
    stdout: "null",
    stderr: "null",
  });
}

async function ready(origin: string): Promise<void> {
  for (const end = performance.now() + START_TIME; performance.now() < end;) {
    const text = await fetch(`${origin}/server/ping`).then((one) => one.text(), () => "");
    if (text === "pong") return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Directus does not start");
}
