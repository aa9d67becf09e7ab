import { verify } from "../../src/cli/verify.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { insert, page } from "../store/samples.ts";
import { runOn, withFile } from "../store/sqlite/files.ts";

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
      stdout: "Checked 2 documents: nothing is damaged\n",
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
      stdout: "Checked 1200 documents (1 have no checksum yet): something is damaged\n",
      stderr: "Document n1199 in workspace w is damaged\nDocument n7 in workspace w is damaged\n",
    });
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
