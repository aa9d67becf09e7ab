import { selectedIndex } from "../../src/api/search/selected_index.ts";
import { MOST_TEXT } from "../../src/search/text/parts.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import type { PageFacts, WordIndex, WordMatch } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";

/** Numbers of pages of a part each, newest first. */
const NUMBERS = Array.from({ length: 40 }, (_, n) => 40 - n);

/** An index with a page of this body for each number, which finds two pages at a time. */
function indexOf(body: string): WordIndex {
  const parts = NUMBERS.map((no): WordMatch => {
    return { id: `${no}`, no, title: "", body, length: 1, isWhole: true };
  });
  const empty = { counts: [], parts: 0, length: 0 };
  return {
    wordStatistics: () => Promise.resolve(empty),
    words: () => Promise.resolve({ parts: [], next: undefined }),
    hasOutdatedWords: () => Promise.resolve(false),
    findWords: (_workspace, { before = Infinity }) => {
      const matches = parts.filter(({ no }) => no < before).slice(0, 2);
      const rest = matches.at(-1)?.no ?? 1;
      return Promise.resolve({ matches, rest: rest > 1 ? rest : undefined });
    },
  };
}

/** The pages among these whose number is even. */
function even(ids: readonly string[]): Promise<PageFacts[]> {
  const facts = { parentId: null, isBelow: () => false };
  return Promise.resolve(
    // Sound because a selection reads nothing but the IDs.
    ids.filter((id) => Number(id) % 2 === 0).map((id) =>
      ({ id, ...facts }) as unknown as PageFacts
    ),
  );
}

const WITHIN = { scope: {}, rest: () => undefined };
const QUERY = { phrases: readPhrases("gulls"), match: "all", scope: {}, limit: 15 } as const;

async function find(body: string) {
  const index = selectedIndex(indexOf(body), { ...WITHIN, among: even });
  const { matches, rest } = await index.findWords("w", QUERY);
  return { ids: matches.map(({ id }) => Number(id)), rest };
}

Deno.test("an index with a filter reads on until enough pages match", async () => {
  const first = NUMBERS.filter((no) => no % 2 === 0).slice(0, 15);
  assertEquals(await find("gulls"), { ids: first, rest: 11 });
});

Deno.test("an index with a filter ends with the page that makes the texts long", async () => {
  assertEquals(await find("x".repeat(MOST_TEXT / 4)), { ids: [40, 38, 36, 34], rest: 33 });
});

Deno.test("an index without a filter is the index", () => {
  const index = indexOf("gulls");
  assertEquals(selectedIndex(index, WITHIN) === index, true);
});
