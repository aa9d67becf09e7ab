import { MIGRATIONS } from "../../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { block, insert, page } from "../samples.ts";
import { rowsOf, runOn, withFile } from "./files.ts";

/** More workspaces than a code of one digit names. */
const WORKSPACES = 40;

function paragraph(id: string, pageId: string, content: string) {
  const doc = JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
  return block(id, pageId, { parentKind: "page", containerId: pageId, position: id, doc });
}

/** Every term of the index with its places. */
function termsIn(path: string): unknown[] {
  runOn(path, "CREATE VIRTUAL TABLE terms USING fts5vocab(search_words, instance)");
  const terms = rowsOf(path, "SELECT term, doc, col, offset FROM terms ORDER BY 1, 2, 3, 4");
  runOn(path, "DROP TABLE terms");
  return terms;
}

Deno.test("the index of words is the same after it was made anew from the words that are kept", () =>
  withFile(async (path) => {
    const store = openSqliteStore(path);
    for (let number = 0; number < WORKSPACES; number++) {
      const words = [paragraph("a1", "a", "Gulls, “été” 東京都 🚀"), paragraph("a2", "a", "Terns")];
      const nodes = [page("a", { title: "Łódź pier" }), ...words, page("b", { title: "" })];
      assertEquals(await store.commit(`w${number}`, insert(...nodes)), "committed");
    }
    await store.close();
    const terms = termsIn(path);
    assert(terms.length > WORKSPACES * 10);
    runOn(path, MIGRATIONS.find(({ name }) => name === "009_search_titles")?.sql ?? "");
    assertEquals(termsIn(path), terms);
  }));
