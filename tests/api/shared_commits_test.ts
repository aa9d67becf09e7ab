import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { onPostgres } from "../support/stores.ts";
import { assertEquals } from "../assert.ts";
import { type Answer, type Json, type TestApp, withApp } from "../support/app.ts";

/** Runs a test on a file whose transactions fail, as on a full disk, while `setFull(true)` holds. */
async function withFragileFile(
  test: (app: TestApp, setFull: (isFull: boolean) => void) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-shared-" });
  let fails = false;
  const beforeCommit = (): void => {
    if (!fails) return;
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  };
  const store = openSqliteStore(`${folder}/recto.db`, {
    deferred: { beforeCommit, discard: () => {} },
  });
  try {
    await withApp((app) => test(app, (isFull) => void (fails = isFull)), { store });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function titled(title: string): Json {
  return { properties: { title: [{ text: { content: title } }] } };
}

function titleOf(json: { readonly title?: string; readonly properties?: unknown }): string {
  return /"plain_text":"([^"]*)"/.exec(JSON.stringify(json.properties))?.[1] ?? "";
}

/** The code of an error, or the status. */
function outcomeOf({ status, json }: Answer): unknown {
  return json.code ?? status;
}

async function newPage({ call }: TestApp, title: string) {
  const { json } = await call("POST /v2/pages", {
    body: { parent: { workspace: true }, ...Object(titled(title)) },
  });
  return String(json.id);
}

// PostgreSQL shows nothing before it is durable.
Deno.test({
  name: "a transaction that fails refuses its writes, and no answer shows what they wrote",
  ignore: onPostgres,
  fn: () =>
    withFragileFile(async (app, setFull) => {
      const { call } = app;
      const [first, second] = [await newPage(app, "One"), await newPage(app, "Two")];
      setFull(true);
      const answers = await Promise.all([
        call(`PATCH /v2/pages/${first}`, { body: titled("Lost") }),
        call(`PATCH /v2/pages/${second}`, { body: titled("Lost") }),
        call(`GET /v2/pages/${first}`),
        call(`GET /v2/pages/${second}`),
      ]);
      assertEquals(answers.map(outcomeOf), ["storage_full", "storage_full", 200, 200]);
      assertEquals(answers.slice(2).map(({ json }) => titleOf(json)), ["One", "Two"]);
      setFull(false);
      // The version that was undone comes again: nothing of it may have been kept.
      assertEquals((await call(`PATCH /v2/pages/${first}`, { body: titled("Kept") })).status, 200);
      assertEquals(titleOf((await call(`GET /v2/pages/${first}`)).json), "Kept");
    }),
});

Deno.test({
  name: "a refused write is made by the same request with the same Idempotency-Key",
  ignore: onPostgres,
  fn: () =>
    withFragileFile(async (app, setFull) => {
      const { call } = app;
      const page = await newPage(app, "One");
      setFull(true);
      const options = { body: titled("New"), headers: { "idempotency-key": '"k1"' } };
      const outcomes: unknown[] = [];
      for (let attempt = 0; attempt < 2; attempt++) {
        outcomes.push(outcomeOf(await call(`PATCH /v2/pages/${page}`, options)));
        setFull(false);
      }
      const { headers } = await call(`PATCH /v2/pages/${page}`, options);
      outcomes.push(headers.get("idempotency-replayed"));
      assertEquals(outcomes, ["storage_full", 200, "true"]);
    }),
});
