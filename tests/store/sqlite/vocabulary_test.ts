import fc from "fast-check";
import { readPhrases } from "../../../src/search/text/query.ts";
import type { WordMatches, WordStatistics } from "../../../src/store/port.ts";
import { openReadingConnection } from "../../../src/store/sqlite/connection.ts";
import { createWordFinder } from "../../../src/store/sqlite/search/finder.ts";
import { createWordCounter } from "../../../src/store/sqlite/search/statistics.ts";
import { createVocabulary } from "../../../src/store/sqlite/search/vocabulary.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assertEquals } from "../../assert.ts";
import { block, insert, page } from "../samples.ts";
import { withFile } from "./files.ts";

/** Terms of no workspace. */
const NEVER = Infinity;
/** The total of a workspace, of which only the number of terms matters here. */
const LARGE = { code: "00001", parts: 1, length: 4_000_000 };

function nodesOf(id: string, title: string, content: string) {
  const doc = JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
  const parent = { parentKind: "page", containerId: id } as const;
  return [page(id, { title, position: id }), block(`${id}b`, id, { ...parent, doc })];
}

/** Writes the pages of workspaces; the code of the first is `00001`. */
async function write(path: string, workspaces: Record<string, readonly string[]>): Promise<void> {
  const store = openSqliteStore(path);
  for (const [workspace, pages] of Object.entries(workspaces)) {
    for (const [index, content] of pages.entries()) {
      const [title = ""] = content.split(" ");
      const written = await store.commit(
        workspace,
        insert(...nodesOf(`p${index}`, title, content)),
      );
      assertEquals(written, "committed");
    }
  }
  await store.close();
}

interface Found {
  readonly matches: readonly WordMatches[];
  readonly counts: WordStatistics;
}

/** Searches, looking for words in workspaces with at least so many terms. */
async function find(path: string, query: string, fewest: number): Promise<Found> {
  const connection = openReadingConnection(path);
  try {
    const vocabulary = createVocabulary(connection, fewest);
    const { findWords } = createWordFinder(connection, vocabulary);
    const phrases = readPhrases(query);
    const ways = [{ match: "all" }, { match: "any" }, { match: "all", inTitle: true }] as const;
    const matches = [];
    for (const way of ways) {
      matches.push(await findWords("w", { phrases, scope: {}, limit: 100, ...way }));
    }
    return { matches, counts: await createWordCounter(connection, vocabulary)("w", phrases) };
  } finally {
    connection.close();
  }
}

const word = fc.oneof(
  fc.constantFrom("gulls", "gull", "gullies", "gullible", "sea", "seagulls", "écluse", "海鸥飞"),
  fc.tuple(fc.constantFrom("gull", "gulls"), fc.constantFrom("a", "z", "é", "🚀", "海"))
    .map((parts) => parts.join("")),
);
const content = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const asked = fc.oneof(
  content,
  fc.constantFrom("gul", "gulli", "x gull", "gull-gull", "seag", "gullzz", "éclu"),
);

Deno.test("a beginning finds and counts the same whether words are looked for or lists are merged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 8 }),
      fc.array(asked, { minLength: 1, maxLength: 6 }),
      (pages, queries) =>
        withFile(async (path) => {
          await write(path, { w: pages, other: ["gullother gull"] });
          for (const query of queries) {
            assertEquals(await find(path, query, 0), await find(path, query, NEVER));
          }
        }),
    ),
    { numRuns: 60 },
  );
});

Deno.test("the vocabulary of a workspace has its words with a beginning, of texts and not of titles", () =>
  withFile(async (path) => {
    await write(path, {
      first: ["harbour gulls gulls gull", "gulls sea gullies"],
      second: ["gullother"],
    });
    const connection = openReadingConnection(path);
    const wordsOf = createVocabulary(connection)(LARGE);
    assertEquals(wordsOf("00001gull"), ["00001gull", "00001gullies", "00001gulls"]);
    assertEquals(wordsOf("00001gulls"), ["00001gulls"]);
    assertEquals(wordsOf("00001terns"), []);
    connection.close();
  }));

Deno.test("the vocabulary leaves beginnings of too many words, and of small workspaces, to FTS5", () =>
  withFile(async (path) => {
    const words = (beginning: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${beginning}${index}`).join(" ");
    await write(path, {
      first: [`${words("gull", 64)} ${words("tern", 65)} ${words("sand", 60)}`],
    });
    const connection = openReadingConnection(path);
    const vocabulary = createVocabulary(connection);
    const sizeOf = (wordsOf: ReturnType<typeof vocabulary>, beginning: string) =>
      wordsOf(`00001${beginning}`)?.length;
    assertEquals(sizeOf(vocabulary(LARGE), "gull"), 64);
    assertEquals(sizeOf(vocabulary(LARGE), "tern"), undefined);
    // One search opens the lists of so many words at most.
    const wordsOf = vocabulary(LARGE);
    assertEquals(["gull", "sand", "sand"].map((one) => sizeOf(wordsOf, one)), [64, 60, undefined]);
    assertEquals(sizeOf(vocabulary({ ...LARGE, length: LARGE.length - 1 }), "gull"), undefined);
    connection.close();
  }));

Deno.test("the vocabulary has a word from the commit on that writes it", () =>
  withFile(async (path) => {
    await write(path, { first: ["gulls"] });
    const connection = openReadingConnection(path);
    const vocabulary = createVocabulary(connection);
    assertEquals(vocabulary(LARGE)("00001gull"), ["00001gulls"]);
    const store = openSqliteStore(path);
    await store.commit("first", insert(...nodesOf("new", "", "gullies")));
    await store.close();
    assertEquals(vocabulary(LARGE)("00001gull"), ["00001gullies", "00001gulls"]);
    connection.close();
  }));
