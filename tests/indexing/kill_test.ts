import { newPage, paragraph } from "../api/driver.ts";
import { indexAll, meant } from "../api/semantic_support.ts";
import { assert, assertEquals } from "../assert.ts";
import { answering, baseUrl, mint, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { type EmbeddingsServer, withEmbeddings } from "../search/embeddings_server.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { type TestApp, withApp } from "../support/app.ts";

const SCOPES = "pages.write blocks.write search.read";
/** Pages whose vectors are made before the kill, and pages that it meets: more than one batch. */
const MADE = 10;
const MET = 50;
/** Behind the lease of what was being worked on, in milliseconds. */
const LATER = 5 * 60_000;

type Caller = Pick<TestApp, "call">;

/** The real server in a process of its own, killed in the midst of whatever it does then. */
async function killedAfter(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  use: (caller: Caller) => Promise<void>,
): Promise<void> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: rectoArgs(dataDir),
    env: { ...rectoEnv(port, dataDir), ...settings },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await answering(port);
    await use(overHttp(port, await mint(dataDir, SCOPES)));
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
}

function overHttp(port: number, token: string): Caller {
  return {
    call: async (route, { body } = {}) => {
      const [method = "", path = ""] = route.split(" ");
      const response = await fetch(baseUrl(port) + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { status, headers } = response;
      const text = await response.text();
      return { status, headers, text, json: JSON.parse(text) };
    },
  };
}

async function makePages(caller: Caller, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const title = `${name} ${number}`;
    ids.push(await newPage(caller, { title, children: [paragraph(title)] }));
  }
  return ids;
}

/** Looks again and again until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Returns whether there are vectors of all pages. */
function isComplete(path: string): boolean {
  const sql = `SELECT 1 FROM search_spaces
    WHERE complete = 1 AND NOT EXISTS (SELECT 1 FROM search_due)`;
  return rowsOf(path, sql).length === 1;
}

/** The texts that the service was asked for, as one. */
function askedOf({ requests }: EmbeddingsServer, from = 0): string {
  return JSON.stringify(requests.slice(from).map(({ body }) => body));
}

Deno.test("vectors outlive a kill: what was due is made after it, what was made is not made again", () =>
  withEmbeddings(async (service) => {
    const folder = await Deno.makeTempDir({ prefix: "recto-" });
    const settings = {
      RECTO_EMBEDDER: "openai",
      RECTO_EMBEDDINGS_URL: service.url,
      RECTO_EMBEDDINGS_MODEL: "small",
    };
    const ids: string[] = [];
    try {
      await killedAfter(folder, settings, async (caller) => {
        ids.push(...await makePages(caller, "early", MADE));
        await until(() => isComplete(`${folder}/recto.db`));
        const asked = service.requests.length;
        service.fail("slow");
        ids.push(...await makePages(caller, "late", MET));
        await until(() => service.requests.length > asked);
        assertEquals((await meant(caller, { query: "late" })).search.due, MET);
      });
      const asked = service.requests.length;
      await withApp(async (app) => {
        await indexAll(app);
        const found = await meant(app, { query: "late", mode: "semantic", page_size: 100 });
        assertEquals(found.search, { ranked_by: "semantic", due: 0 });
        assertEquals(found.results.map(({ id }) => id).sort(), ids.toSorted());
        assert(!askedOf(service, asked).includes("early"));
      }, {
        environment: { ...settings, DATABASE_URL: `sqlite:${folder}/recto.db` },
        now: () => Date.now() + LATER,
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }));
