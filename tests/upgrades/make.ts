/**
 * Writes the fixtures of `upgrade_test.ts`: for every schema that a commit of main ever had, the
 * database that this commit's own server wrote. Each commit is unpacked and started, content is
 * created over its API, and the database is kept.
 *
 *     deno run --config tests/deno.json -A tests/upgrades/make.ts
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { freePort } from "../support/ports.ts";
import { startCluster } from "../postgres/cluster.ts";
import { answering, baseUrl } from "../bench/processes.ts";

/** Last migration of each schema, and the first commit whose migrations are all as they are today. */
const SQLITE = {
  "001": "5c6e2fd",
  "002": "b79a88c",
  "003": "1b378e5",
  "004": "0efbd1a",
  "005": "bcfafad",
  "006": "9708d9c",
  "007": "d5941b5",
  "008": "0e896d5",
  "009": "358962c",
  "010": "2b37d32",
  "011": "ad0e7d5",
  "012": "dc26b95",
  "014": "242b086",
  "015": "861c069",
  "016": "5b2fc2f",
  "018": "6a4f971b",
};
const POSTGRES = {
  "003": "a79319f",
  "005": "f86cc19",
  "006": "9014e8b",
  "007": "ad0e7d5",
  "008": "dc26b95",
  "011": "242b086",
  "012": "861c069",
  "013": "5b2fc2f",
  "015": "6a4f971b",
};

const FOLDER = new URL("./fixtures/", import.meta.url).pathname;
const SCOPES = "pages.read pages.write blocks.read blocks.write databases.read databases.write " +
  "users.read users.email.read search.read";

async function run(command: string, args: readonly string[], cwd = "."): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** Serves a commit from a folder of its own, and creates content. */
async function fill(commit: string, folder: string, databaseUrl?: string): Promise<void> {
  await run("sh", ["-c", `git archive ${commit} | tar x -C ${folder}`]);
  const port = freePort();
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-all", "main.ts"],
    cwd: folder,
    env: { PORT: String(port), ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    stdout: "null",
    stderr: "null",
  }).spawn();
  await answering(port);
  const mint = ["run", "--no-prompt", "--allow-all", "src/cli/token.ts"];
  const who = ["--name", "Ada", "--email", "ada@example.com", "--scope", SCOPES];
  const token = (await run(Deno.execPath(), [...mint, ...who], folder)).trim();
  await createContent(baseUrl(port), token);
  server.kill("SIGTERM");
  const { code } = await server.status;
  if (code !== 0) throw new Error(`${commit} ended with ${code}`);
}

const text = (content: string) => [{ text: { content } }];

/** Creates what the upgrade test reads; what the release cannot do yet is left out. */
async function createContent(url: string, token: string): Promise<void> {
  const call = async (route: string, body?: unknown) => {
    const [method = "", path] = route.split(" ");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(url + path, request);
    const json = await answer.json();
    if (![200, 404, 405, 501].includes(answer.status)) {
      throw new Error(`${route}: ${answer.status} ${JSON.stringify(json)}`);
    }
    return answer.ok ? json : undefined;
  };
  const me = await call("GET /v2/users/me");
  const page = await call("POST /v2/pages", {
    parent: { workspace: true },
    properties: { title: text("Launch plan") },
    icon: { emoji: "🚀" },
    children: [
      { heading_1: { rich_text: text("Preparations") } },
      { to_do: { rich_text: text("Feed the quokka"), checked: true } },
      {
        toggle: {
          rich_text: text("Later"),
          children: [{ paragraph: { rich_text: text("Inside the toggle") } }],
        },
      },
      {
        paragraph: {
          rich_text: [{ mention: { user: { id: me?.id } } }],
        },
      },
    ],
  });
  const trashed = await call("POST /v2/pages", {
    parent: { page_id: page.id },
    properties: { title: text("Thrown away") },
  });
  await call(`DELETE /v2/pages/${trashed.id}`);
  const database = await call("POST /v2/databases", {
    parent: { page_id: page.id },
    title: text("Tasks"),
    properties: { Task: { title: {} }, Hours: { number: {} }, Due: { date: {} } },
  });
  if (database === undefined) return;
  for (const [index, name] of ["Invite", "Cater", "Clean"].entries()) {
    await call("POST /v2/pages", {
      parent: { database_id: database.id },
      properties: {
        Task: { title: text(name) },
        Hours: { number: index + 1 },
        Due: { date: { start: `2026-12-0${index + 1}` } },
      },
    });
  }
}

async function makeSqlite(schema: string, commit: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-fixture-" });
  await fill(commit, folder);
  const path = `${folder}/.data/recto.db`;
  await run("sh", ["-c", `test ! -s ${path}-wal`]);
  await Deno.writeFile(
    `${FOLDER}sqlite_${schema}.db.gz`,
    gzipSync(await Deno.readFile(path), { level: 9 }),
  );
  await Deno.remove(folder, { recursive: true });
}

async function makePostgres(schema: string, commit: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-fixture-" });
  await using cluster = await startCluster();
  await fill(commit, folder, cluster.url);
  const dump = await run("pg_dump", [
    "--no-owner",
    "--inserts",
    "--rows-per-insert=1000",
    cluster.url,
  ]);
  const lines = dump.split("\n").filter((line) => !line.startsWith("\\"));
  await Deno.writeFile(
    `${FOLDER}postgres_${schema}.sql.gz`,
    gzipSync(lines.join("\n"), { level: 9 }),
  );
  await Deno.remove(folder, { recursive: true });
}

const [only] = Deno.args;
await Deno.mkdir(FOLDER, { recursive: true });
for (const [schema, commit] of Object.entries(SQLITE)) {
  if (only === undefined || only === `sqlite_${schema}`) await makeSqlite(schema, commit);
}
for (const [schema, commit] of Object.entries(POSTGRES)) {
  if (only === undefined || only === `postgres_${schema}`) await makePostgres(schema, commit);
}
