import fc from "fast-check";
import { readPhrases } from "../../../src/search/text/query.ts";
import type { WordMatches, WordStatistics } from "../../../src/store/port.ts";
import { openReadingConnection } from "../../../src/store/sqlite/connection.ts";
import { createWordFinder } from "../../../src/store/sqlite/search/finder.ts";
import { createWordCounter } from "../../../src/store/sqlite/search/statistics.ts";
import { createVocabulary, type Vocabulary } from "../../../src/store/sqlite/search/vocabulary.ts";
import type { Steps } from "../../../src/store/sqlite/steps.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
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
    const vocabulary = createVocabulary(connection, { fewest, mostTime: Infinity });
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

type Words = readonly string[] | undefined;

/** Looks for the words with these beginnings, in one search of the first workspace. */
function lookUp(vocabulary: Vocabulary, ...beginnings: readonly string[]): Words[] {
  const steps = vocabulary(LARGE, beginnings.map((one) => LARGE.code + one));
  assert(steps !== undefined);
  const wordsOf = returned(steps);
  return beginnings.map((one) =>
    wordsOf(LARGE.code + one)?.map((word) => word.slice(LARGE.code.length))
  );
}

function returned<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

async function withVocabulary(
  pages: readonly string[],
  work: (vocabulary: Vocabulary, path: string) => Promise<void> | void,
  mostTime = Infinity,
): Promise<void> {
  await withFile(async (path) => {
    await write(path, { first: pages, second: ["gullother"] });
    const connection = openReadingConnection(path);
    try {
      await work(createVocabulary(connection, { mostTime }), path);
    } finally {
      connection.close();
    }
  });
}

Deno.test("the vocabulary of a workspace has its words with a beginning, of texts and not of titles", () =>
  withVocabulary(["harbour gulls gulls gull", "gulls sea gullies"], (vocabulary) => {
    assertEquals(lookUp(vocabulary, "gull", "gulls", "terns", "sea"), [
      ["gull", "gullies", "gulls"],
      ["gulls"],
      [],
      ["sea"],
    ]);
  }));

Deno.test("the vocabulary leaves beginnings of too many words, and of small workspaces, to FTS5", () => {
  const words = (beginning: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${beginning}${index}`).join(" ");
  const page = [words("gull", 64), words("tern", 65), words("sand", 60)].join(" ");
  return withVocabulary([page], (vocabulary) => {
    const sizes = (...beginnings: string[]) =>
      lookUp(vocabulary, ...beginnings).map((found) => found?.length);
    assertEquals(sizes("gull"), [64]);
    assertEquals(sizes("tern"), [undefined]);
    // One search opens the lists of so many words at most, and looks for no more.
    assertEquals(sizes("gull", "sand", "sand1", "sand2"), [64, 60, undefined, undefined]);
    assertEquals(sizes("tern", "sand", "sand1"), [undefined, 60, undefined]);
    assertEquals(vocabulary({ ...LARGE, length: LARGE.length - 1 }, ["00001gull"]), undefined);
  });
});

Deno.test("the vocabulary leaves beginnings to FTS5 once their words take long to find", () =>
  withVocabulary(["gulls terns"], (vocabulary) => {
    assertEquals(lookUp(vocabulary, "gulls", "terns"), [undefined, undefined]);
  }, 0));

Deno.test("the vocabulary pauses after each word", () =>
  withVocabulary(["gulls gull gullies"], (vocabulary) => {
    const steps = vocabulary(LARGE, ["00001gull", "00001gull"]);
    assertEquals([...steps ?? []].length, 4);
  }));

Deno.test("the vocabulary has a word from the commit on that writes it", () =>
  withVocabulary(["gulls"], async (vocabulary, path) => {
    assertEquals(lookUp(vocabulary, "gull"), [["gulls"]]);
    const store = openSqliteStore(path);
    await store.commit("first", insert(...nodesOf("new", "", "gullies")));
    await store.close();
    assertEquals(lookUp(vocabulary, "gull"), [["gullies", "gulls"]]);
  }));
