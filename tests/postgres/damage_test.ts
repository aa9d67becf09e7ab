import { verify } from "../../src/cli/verify.ts";
import { AppError, type ErrorCode } from "../../src/shared/errors.ts";
import { checksumOf } from "../../src/store/checksum.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { done, node, refused, W } from "../store/contract_support.ts";
import {
  commentOn,
  completeClaims,
  insert,
  moveInto,
  page,
  pendingUpload,
  receipt,
  RECORD_DAMAGE,
  update,
  view,
} from "../store/samples.ts";
import { openSchema, type Schema } from "../support/stores.ts";

interface Place extends Schema {
  readonly store: Store;
  readonly run: (sql: string) => Promise<unknown>;
}

async function withStore(work: (place: Place) => Promise<void>): Promise<void> {
  const schema = await openSchema();
  const store = createPostgresStore(schema.connection);
  try {
    await work({ ...schema, store, run: (sql) => schema.connection.session.send(sql, []) });
  } finally {
    await store.close();
  }
}

async function codeOf(ask: () => Promise<unknown>): Promise<ErrorCode> {
  return (await assertRejects(ask, AppError)).code;
}

Deno.test("verify names links to rows that do not exist", () =>
  withStore(async ({ store, run, url }) => {
    await done(store, insert(page("p"), page("q")));
    await run(
      "INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal) " +
        `VALUES ('${W}', 'r', 'p', 'q', 0), ('${W}', 'r', 'p', 'p', 1)`,
    );
    await run("DELETE FROM nodes WHERE id = 'q'");
    const environment = (name: string) => name === "DATABASE_URL" ? url : undefined;
    const { code, stderr } = await verify([], { environment });
    assertEquals([code, stderr], [
      3,
      `In workspace ${W}, links.to_id names q, which does not exist\n`,
    ]);
  }));

Deno.test("a stored document that was changed is an error wherever it is read, and a check names it", () =>
  withStore(async ({ store, run, url }) => {
    await done(store, insert(page("p"), page("q")), receipt("k"));
    await done(store, [update("p", 1)]);
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, []);
    await run(`UPDATE nodes SET doc = '{"new":trve}' WHERE id = 'p'`);
    await run("UPDATE receipts SET body = body || ' '");
    const reads = [
      () => store.node(W, "p"),
      () => store.firstNodes(W, ["p", "q"]),
      () => store.docs(W, ["p"]),
      () => store.receipt(W, "k", 0),
    ];
    for (const read of reads) assertEquals(await codeOf(read), "data_corrupted");
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, [{ workspace: W, id: "p" }]);
    const environment = (name: string) => name === "DATABASE_URL" ? url : undefined;
    assertEquals(await verify([], { environment }), {
      code: 3,
      stdout: "Checked 2 documents and 0 files: something is damaged\n",
      stderr: `Document p in workspace ${W} is damaged\n`,
    });
  }));

Deno.test("a stored comment that was changed is an error where it is read, and a check names it", () =>
  withStore(async ({ store, run }) => {
    await done(store, insert(page("p")));
    await done(store, [{ op: "createComment", comment: commentOn("p", "c") }]);
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, []);
    await run("UPDATE comments SET doc = replace(doc, 'true', 'trve')");
    assertEquals(await codeOf(() => store.commentsById(W, ["c"])), "data_corrupted");
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, [{ workspace: W, id: "c" }]);
  }));

Deno.test("a document from before checksums is read, and gets its own when it is checked", () =>
  withStore(async ({ store, run, connection }) => {
    await done(store, insert(page("p"), page("q", { doc: "{" })));
    await run("UPDATE nodes SET checksum = NULL");
    assertEquals(await store.node(W, "p"), view(page("p")));
    const { damaged } = await store.checkDocuments(undefined, 10);
    assertEquals(damaged, [{ workspace: W, id: "q" }]);
    const rows = await connection.session.send("SELECT checksum FROM nodes ORDER BY id", []);
    assertEquals([...rows], [[checksumOf(page("p"))], [null]]);
  }));

Deno.test("a stored user or upload that was changed is an error where it is read, and a check names it", () =>
  withStore(async ({ store, run }) => {
    await store.saveUser(W, completeClaims("ann"));
    await done(store, [{ op: "createUpload", upload: pendingUpload("u") }]);
    for (const [table, changes] of Object.entries(RECORD_DAMAGE)) {
      await run(`CREATE TABLE sound AS SELECT * FROM ${table}`);
      const id = table === "users" ? "ann" : "u";
      const read = table === "users" ? () => store.user(W, id) : () => store.uploads(W, [id]);
      for (const change of changes) {
        await run(`UPDATE ${table} SET ${change}`);
        assertEquals(await codeOf(read), "data_corrupted", change);
        const { damaged } = await store.checkDocuments(undefined, 10);
        assertEquals(damaged, [{ workspace: W, id }], change);
        await run(`DELETE FROM ${table}`);
        await run(`INSERT INTO ${table} SELECT * FROM sound`);
      }
      await run("DROP TABLE sound");
    }
  }));

Deno.test("users and uploads from before checksums get theirs when they are checked", () =>
  withStore(async ({ store, run, connection }) => {
    const checksums = async () => [
      ...await connection.session.send(
        "SELECT checksum FROM users UNION ALL SELECT checksum FROM uploads",
        [],
      ),
    ];
    await store.saveUser(W, completeClaims("ann"));
    await done(store, [{ op: "createUpload", upload: pendingUpload("u") }]);
    const before = await checksums();
    await run("UPDATE users SET checksum = NULL");
    await run("UPDATE uploads SET checksum = NULL");
    assertEquals(await store.uploads(W, ["u"]), [pendingUpload("u")]);
    assertEquals((await store.checkDocuments(undefined, 10)).damaged, []);
    assertEquals(await checksums(), before);
  }));

Deno.test("a move into a circular tree ends, and what is in the tree does not move within it", () =>
  withStore(async ({ store, run }) => {
    await done(store, insert(page("a"), page("b"), page("c")));
    await run(`UPDATE nodes SET
      parent_kind = 'page', parent_id = CASE WHEN id = 'a' THEN 'b' ELSE 'a' END
      WHERE id IN ('a', 'b')`);
    await done(store, [moveInto("a", "c")]);
    await refused(store, [moveInto("b", "a")]);
    assertEquals((await node(store, "c")).parentId, "a");
  }));

/** SQLSTATEs of a server whose disk is full, that is a standby, or that finds a page damaged. */
const STATES: Readonly<Record<string, ErrorCode>> = {
  "53100": "storage_full",
  "25006": "storage_read_only",
  "XX001": "data_corrupted",
  "58030": "data_corrupted",
};

for (const [state, code] of Object.entries(STATES)) {
  Deno.test(`SQLSTATE ${state} is ${code}, nothing of the commit is there, and it works again`, () =>
    withStore(async ({ store, run }) => {
      await run(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'injected' USING ERRCODE = '${state}'; END $$`);
      await run("CREATE TRIGGER fail BEFORE INSERT ON nodes EXECUTE FUNCTION fail()");
      await run("CREATE TRIGGER fail BEFORE INSERT ON space_probe EXECUTE FUNCTION fail()");
      assertEquals(await codeOf(() => store.commit(W, insert(page("p")))), code);
      assertEquals(await codeOf(() => store.ping({ takesSpace: true })), code);
      await store.ping();
      await run("DROP TRIGGER fail ON nodes; DROP TRIGGER fail ON space_probe");
      await store.ping({ takesSpace: true });
      assertEquals(await store.node(W, "p"), undefined);
      await done(store, insert(page("p")));
    }));
}
