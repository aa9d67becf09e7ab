import { verify } from "../../src/cli/verify.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { block, insert, page, pendingUpload, person } from "../store/samples.ts";
import { rowsOf, runOn, withFile } from "../store/sqlite/files.ts";

function verifyFile(path: string, ...args: string[]): ReturnType<typeof verify> {
  const environment = (name: string) => name === "DATABASE_URL" ? `sqlite:${path}` : undefined;
  return verify(args, { environment });
}

Deno.test("verify finds no damage in an intact database, while a server uses it", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(page("a"), page("b")));
    assertEquals(await verifyFile(path), {
      code: 0,
      stdout: "Checked 2 documents and 0 files: nothing is damaged\n",
      stderr: "",
    });
    await store.close();
  }));

Deno.test("verify names every damaged document, and exits with 3", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    const ids = Array.from({ length: 1_200 }, (_, n) => `n${n}`);
    await store.commit("w", insert(...ids.map((id) => page(id))));
    await store.close();
    runOn(path, `UPDATE nodes SET doc = '{"a":1}' WHERE id IN ('n7', 'n1199')`);
    runOn(path, "UPDATE nodes SET checksum = NULL WHERE id = 'n8'");
    assertEquals(await verifyFile(path), {
      code: 3,
      stdout: "Checked 1200 documents (1 have no checksum yet) and 0 files: something is damaged\n",
      stderr: "Document n1199 in workspace w is damaged\nDocument n7 in workspace w is damaged\n",
    });
  }));

Deno.test("verify names a damaged user and a damaged upload", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.saveUser("w", person("ann"));
    await store.commit("w", [{ op: "createUpload", upload: pendingUpload("u") }]);
    await store.close();
    runOn(path, "UPDATE users SET name = 'Anm'; UPDATE uploads SET filename = 'b'");
    assertEquals(await verifyFile(path), {
      code: 3,
      stdout: "Checked 2 documents and 0 files: something is damaged\n",
      stderr: "User ann in workspace w is damaged\nUpload u in workspace w is damaged\n",
    });
  }));

Deno.test("verify names references to pages, rows and files that do not exist", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(page("a"), page("b"), block("c", "b", { parentKind: "page" })));
    await store.close();
    runOn(
      path,
      `INSERT INTO links (workspace_id, relation_id, from_id, to_id, ordinal)
      VALUES ('w', 'r', 'a', 'b', 0), ('w', 'r', 'a', 'a', 1);
      INSERT INTO upload_uses (workspace_id, node_id, upload_id) VALUES ('w', 'a', 'u');
      DELETE FROM nodes WHERE id = 'b'`,
    );
    assertEquals(await verifyFile(path), {
      code: 3,
      stdout: "Checked 2 documents and 0 files: something is damaged\n",
      stderr: "In workspace w, nodes.parent_id names b, which does not exist\n" +
        "In workspace w, links.to_id names b, which does not exist\n" +
        "In workspace w, upload_uses.upload_id names u, which does not exist\n",
    });
  }));

Deno.test("verify finds the last of many lost references, and names at most 20 of a column", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    await store.commit("w", insert(page("a")));
    await store.close();
    runOn(
      path,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO cells (workspace_id, node_id, property_id, ordinal, database_id)
      SELECT 'w', 'a', 'p', i, 'd' FROM n;
      INSERT INTO cells (workspace_id, node_id, property_id, ordinal, database_id)
      VALUES ('w', 'lost', 'p', 0, 'd')`,
    );
    const { stderr } = await verifyFile(path);
    assertEquals(stderr, "In workspace w, cells.node_id names lost, which does not exist\n");
    runOn(path, "UPDATE cells SET node_id = 'lost' || ordinal");
    assertEquals((await verifyFile(path)).stderr.split("\n").length, 20 + 1);
  }));

/** Changes the first occurrence of a text in the root page of an index. */
function changeInIndex(path: string, index: string, text: string): void {
  const [row] = rowsOf(path, `SELECT rootpage FROM sqlite_schema WHERE name = '${index}'`);
  const start = (Number(row?.rootpage) - 1) * 4096;
  const page = Deno.readFileSync(path).subarray(start, start + 4096);
  const at = new TextDecoder("latin1").decode(page).indexOf(text);
  assert(at >= 0);
  using file = Deno.openSync(path, { write: true });
  file.seekSync(start + at, Deno.SeekMode.Start);
  file.writeSync(Uint8Array.of(text.charCodeAt(0) ^ 1));
}

Deno.test("verify names an index that does not agree with its table", () =>
  withFile(async (path) => {
    await openSqliteStore(path).close();
    runOn(
      path,
      `INSERT INTO uploads (workspace_id, id, status, hash, created_time, created_by, life)
      VALUES ('w', 'u', 'pending', 'hash of u', 1, 'ann', 1)`,
    );
    changeInIndex(path, "uploads_by_hash", "hash of u");
    const { code, stderr } = await verifyFile(path);
    assertEquals(code, 3);
    assertStringIncludes(stderr, "missing from index uploads_by_hash");
  }));

Deno.test("verify reports a file that SQLite cannot read", () =>
  withFile(async (path) => {
    await openSqliteStore(path).close();
    const file = Deno.readFileSync(path);
    Deno.writeFileSync(path, file.fill(0xff, 4096));
    const { code, stderr } = await verifyFile(path);
    assertEquals(code, 3);
    assertStringIncludes(stderr, "malformed");
  }));

Deno.test("verify reports what it cannot check in a sentence", () =>
  withFile(async (path) => {
    assertEquals(await verifyFile(path), {
      code: 1,
      stdout: "",
      stderr: `No such database: ${path}\n`,
    });
    const connection = openConnection(path);
    migrate(connection, MIGRATIONS.slice(0, -1));
    connection.close();
    const { code, stderr } = await verifyFile(path);
    assertEquals([code, stderr], [
      1,
      "The schema is older than this release: run `recto migrate` first\n",
    ]);
  }));

Deno.test("verify --help only prints the usage, and other arguments are rejected", () =>
  withFile(async (path) => {
    const help = await verifyFile(path, "--help");
    assertEquals([help.code, help.stderr], [0, ""]);
    assertStringIncludes(help.stdout, "Usage: recto verify");
    assertEquals((await verifyFile(path, "now")).code, 2);
  }));
