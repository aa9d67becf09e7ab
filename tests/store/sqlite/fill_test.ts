import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate, MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { readPhrases } from "../../../src/search/text/query.ts";
import { assertEquals } from "../../assert.ts";
import { withFile } from "./files.ts";

const PARAGRAPH = JSON.stringify({ rich_text: [{ plain_text: "Gulls cry" }], color: "default" });

/** Writes a database as a release before there was search left it. */
function writeOld(path: string): void {
  const connection = openConnection(path);
  migrate(connection, MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => /search/.test(name))));
  const insert = connection.db.prepare(`
    INSERT INTO nodes (
      workspace_id, id, kind, type, parent_kind, parent_id, container_id, position, title, doc,
      has_mentions, version, created_time, created_by, edited_time, edited_by, trash_root
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1, 0, 'ann', 0, 'ann', ?)
  `);
  for (const workspace of ["one", "two"]) {
    for (let page = 0; page < 70; page++) {
      const id = `page${page}`;
      const root = page === 69 ? id : null;
      insert.run(
        ...[workspace, id, "page", "child_page", "workspace", "", null, id, `Pier ${page}`, "{}"],
        root,
      );
      insert.run(
        ...[workspace, `${id}b`, "block", "paragraph", "page", id, id, "a", "", PARAGRAPH, root],
      );
    }
  }
  connection.close();
}

async function found(path: string, query: string, onProgress?: (pages: number) => void) {
  const store = openSqliteStore(path, onProgress === undefined ? {} : { onProgress });
  const phrases = readPhrases(query);
  const { matches } = await store.findWords("two", { phrases, match: "all", scope: {}, limit: 99 });
  await store.close();
  return matches.map(({ id }) => id);
}

Deno.test("openSqliteStore() brings what is older than search into the index, once", () =>
  withFile(async (path) => {
    writeOld(path);
    const told: number[] = [];
    assertEquals((await found(path, "gulls pier", (pages) => told.push(pages))).length, 69);
    assertEquals(told, [140]);
    assertEquals(await found(path, '"pier 7"', (pages) => told.push(pages)), ["page7"]);
    assertEquals(told, [140]);
  }));

Deno.test("openSqliteStore() indexes what is in the trash, so that it can come back", () =>
  withFile(async (path) => {
    writeOld(path);
    const store = openSqliteStore(path);
    const edit = { time: 1, by: "ann" };
    await store.commit("two", [{ op: "restore", id: "page69", version: 1, edit }]);
    await store.close();
    assertEquals(await found(path, "gulls 69"), ["page69"]);
  }));
