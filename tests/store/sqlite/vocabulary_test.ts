import fc from "fast-check";
import { readPhrases } from "../../../src/search/text/query.ts";
import type { WordMatches, WordStatistics } from "../../../src/store/port.ts";
import { openReadingConnection } from "../../../src/store/sqlite/connection.ts";
import type { BeginningPlan } from "../../../src/store/sqlite/search/expressions.ts";
import { createWordFinder } from "../../../src/store/sqlite/search/finder.ts";
import { createWordCounter } from "../../../src/store/sqlite/search/statistics.ts";
import {
  createVocabulary,
  type Vocabulary,
  type VocabularyOptions,
} from "../../../src/store/sqlite/search/vocabulary.ts";
import type { Steps } from "../../../src/store/sqlite/steps.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../../assert.ts";
import { block, insert, page, update } from "../samples.ts";
import { withFile } from "./files.ts";

/** Terms of no workspace. */
const NEVER = Infinity;
/** The total of a workspace, of which only the number of terms matters here. */
const LARGE = { code: "00001", parts: 1, length: 4_000_000 };
const SMALL = { ...LARGE, length: 1_000 };

function docOf(content: string): string {
  return JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
}

function paragraph(id: string, name: string, content: string) {
  const parent = { parentKind: "page", containerId: id, position: name } as const;
  return block(id + name, id, { ...parent, doc: docOf(content) });
}

function nodesOf(id: string, title: string, content: string) {
  return [page(id, { title, position: id }), paragraph(id, "b", content)];
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

/** Words are merged, read side by side, found by their first letters, or some merged and some not. */
const WAYS = {
  merged: { fewest: NEVER, mostPlaces: Infinity },
  byWords: { fewest: 0 },
  byFirstLetters: { fewest: NEVER, mostPlaces: 0 },
  mixed: { fewest: NEVER, mostPlaces: 4 },
};

async function find(path: string, query: string, way: keyof typeof WAYS): Promise<Found> {
  const connection = openReadingConnection(path);
  try {
    const vocabulary = createVocabulary(connection, { ...WAYS[way], mostTime: Infinity });
    const { findWords } = createWordFinder(connection, vocabulary);
    const phrases = readPhrases(query);
    const ways = [{ match: "all" }, { match: "any" }, { match: "all", inTitle: true }] as const;
    const scopes = [{}, { kind: "page" }, { parentId: "p1" }] as const;
    const matches = [];
    for (const way of ways) {
      for (const scope of scopes) {
        matches.push(await findWords("w", { phrases, scope, limit: 100, ...way }));
      }
    }
    return { matches, counts: await createWordCounter(connection, vocabulary)("w", phrases) };
  } finally {
    connection.close();
  }
}

const word = fc.oneof(
  fc.constantFrom("gulls", "gull", "gullies", "gullible", "sea", "seagulls", "écluse", "海鸥飞"),
  fc.constantFrom("gulf", "seat", "갈매기가", "갈매기는"),
  fc.tuple(fc.constantFrom("gull", "gulls"), fc.constantFrom("a", "z", "é", "🚀", "海"))
    .map((parts) => parts.join("")),
);
const content = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const asked = fc.oneof(
  content,
  fc.constantFrom("gul", "gulli", "x gull", "gull-gull", "seag", "gullzz", "éclu"),
  fc.constantFrom("gulls gullib", "갈매기 gull", '"sea gulls', "海鸥gull", "갈매기 갈매기는"),
);

/** Writes pages that are changed later. Some have several parts. */
async function writeChanged(path: string, pages: readonly string[]): Promise<void> {
  await write(path, { w: pages, other: ["gullother gull"] });
  const store = openSqliteStore(path);
  for (const [index, words] of pages.entries()) {
    const id = `p${index}`;
    const long = index % 3 === 0 ? " x".repeat(2_100) : "";
    const others = [paragraph(id, "c", `gulf sea${long}`), paragraph(id, "d", "seagull")];
    const changed = update(`${id}b`, 1, docOf(words.split(" ").slice(1).join(" ")));
    assertEquals(await store.commit("w", [changed, ...insert(...others)]), "committed");
  }
  await store.close();
}

Deno.test("a beginning finds and counts the same in each way in which its words are found", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 8 }),
      fc.array(asked, { minLength: 1, maxLength: 6 }),
      (pages, queries) =>
        withFile(async (path) => {
          await writeChanged(path, pages);
          for (const query of queries) {
            const merged = await find(path, query, "merged");
            assertEquals(await find(path, query, "byWords"), merged);
            for (const way of ["byFirstLetters", "mixed"] as const) {
              const { matches, counts } = await find(path, query, way);
              assertEquals(matches, merged.matches);
              for (const [index, count] of counts.counts.entries()) {
                assert(count >= (merged.counts.counts[index] ?? 0));
              }
            }
          }
        }),
    ),
    { numRuns: 40 },
  );
});

Deno.test("a phrase that ends with a beginning of many words is compared with the texts", () =>
  withFile(async (path) => {
    await write(path, { w: ["a sea gulf", "a sea gulls", "b 海鸥gulf", "b 海鸥gulls"] });
    for (const query of ["sea-gull", "海鸥gull"]) {
      const { matches: [all, any] } = await find(path, query, "byFirstLetters");
      assertEquals([all?.matches.length, any?.matches.length], [1, 1]);
    }
  }));

/** Plans how words with these beginnings are found, in one search of the first workspace. */
function lookUp(
  vocabulary: Vocabulary,
  beginnings: readonly string[],
  index = LARGE,
): BeginningPlan[] {
  const steps = vocabulary(index, beginnings.map((one) => LARGE.code + one));
  assert(steps !== undefined);
  const planOf = returned(steps);
  return beginnings.map((one) => {
    const plan = planOf(LARGE.code + one);
    return typeof plan === "string" ? plan : plan.map((word) => word.slice(LARGE.code.length));
  });
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
  options: VocabularyOptions = {},
): Promise<void> {
  await withFile(async (path) => {
    await write(path, { first: pages, second: ["gullother"] });
    const connection = openReadingConnection(path);
    try {
      await work(createVocabulary(connection, { mostTime: Infinity, ...options }), path);
    } finally {
      connection.close();
    }
  });
}

Deno.test("the vocabulary of a workspace has its words with a beginning, of texts and not of titles", () =>
  withVocabulary(["harbour gulls gulls gull", "gulls sea gullies"], (vocabulary) => {
    assertEquals(lookUp(vocabulary, ["gull", "gulls", "terns", "sea"]), [
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
      lookUp(vocabulary, beginnings).map((plan) => plan === "merged" ? plan : plan.length);
    assertEquals(sizes("gull"), [64]);
    assertEquals(sizes("tern"), ["merged"]);
    // One search opens the lists of so many words at most, and looks for no more.
    assertEquals(sizes("gull", "sand", "sand1", "sand2"), [64, 60, "merged", "merged"]);
    assertEquals(sizes("tern", "sand", "sand1"), ["merged", 60, "merged"]);
    assertEquals(vocabulary(SMALL, ["00001gull"]), undefined);
  });
});

Deno.test("beginnings whose words have too many places to be merged are found by their first letters", () =>
  withVocabulary(["gull gulls sea", "gull sand", "terns"], (vocabulary) => {
    const plans = (...beginnings: string[]) => lookUp(vocabulary, beginnings, SMALL);
    // The title of a page is its first word once more.
    assertEquals(plans("gulls", "tern"), ["merged", "merged"]);
    assertEquals(plans("gull", "tern"), ["by first letters", "merged"]);
    // All beginnings of a search are merged together.
    assertEquals(plans("tern", "gulls", "sand"), ["merged", "merged", "by first letters"]);
    assertEquals(plans("sand", "gulls", "tern"), ["merged", "merged", "by first letters"]);
  }, { mostPlaces: 3 }));

Deno.test("the vocabulary leaves beginnings to FTS5 once their words take long to find", () =>
  withVocabulary(["gulls terns"], (vocabulary) => {
    assertEquals(lookUp(vocabulary, ["gulls", "terns"]), ["merged", "merged"]);
  }, { mostTime: 0 }));

Deno.test("the vocabulary pauses after each word", () =>
  withVocabulary(["gulls gull gullies"], (vocabulary) => {
    const steps = vocabulary(LARGE, ["00001gull", "00001gull"]);
    assertEquals([...steps ?? []].length, 4);
  }));

Deno.test("the vocabulary has a word from the commit on that writes it", () =>
  withVocabulary(["gulls"], async (vocabulary, path) => {
    assertEquals(lookUp(vocabulary, ["gull"]), [["gulls"]]);
    const store = openSqliteStore(path);
    await store.commit("first", insert(...nodesOf("new", "", "gullies")));
    await store.close();
    assertEquals(lookUp(vocabulary, ["gull"]), [["gullies", "gulls"]]);
  }));
