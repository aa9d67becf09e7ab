import { findAmongFew } from "../../src/api/search/few_pages.ts";
import { MOST_TEXT } from "../../src/search/text/parts.ts";
import { readPhrases } from "../../src/search/text/query.ts";
import type { PageWords, WordMatch } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";

const REST = () => undefined;

function part(id: string, no: number, words: string): WordMatch {
  const body = `${id}\n ${words} \n`;
  return { id, no, title: " long ", body, length: words.split(" ").length, isWhole: false };
}

/** An index whose answers have one part each. */
function indexOf(parts: readonly WordMatch[]) {
  const asked: string[] = [];
  return {
    asked,
    words(_workspace: string, ids: readonly string[], from = 0): Promise<PageWords> {
      const own = ids.flatMap((id, index) =>
        parts.filter((one) => one.id === id).map((part, number) => ({ id, part, number }))
          .slice(index === 0 ? from : 0)
      );
      const [first, next] = own;
      if (first !== undefined) asked.push(first.id);
      return Promise.resolve({
        parts: first === undefined ? [] : [first.part],
        next: next && { id: next.id, part: next.number },
      });
    },
  };
}

function find(index: ReturnType<typeof indexOf>, ids: readonly string[], query: string) {
  const phrases = readPhrases(query);
  const few = { ids, numbers: new Map<string, number>(), rest: REST };
  return (bounds: { readonly before?: number } = {}) =>
    findAmongFew(index, "w", { phrases, match: "all", scope: {}, limit: 300, ...bounds }, few);
}

Deno.test("findAmongFew() finds words in different parts of a page, in however many answers they are", async () => {
  const parts = [
    part("a", 1, "alpha"),
    part("a", 1, "gulls"),
    part("a", 1, "omega"),
    part("b", 2, "alpha"),
    part("c", 3, "omega"),
  ];
  const { matches, rest } = await find(indexOf(parts), ["b", "a", "c"], "alpha omega")();
  assertEquals(matches.map(({ body }) => body), [parts[0]?.body, parts[2]?.body]);
  assertEquals(rest, undefined);
});

Deno.test("findAmongFew() returns as many pages as fit, newest first, and reads the others later", async () => {
  const text = `alpha ${"gulls ".repeat(MOST_TEXT / 16)}`;
  const ids = ["c", "a", "d", "b"];
  const index = indexOf(ids.map((id) => part(id, id.charCodeAt(0), text)));
  const ask = find(index, ids, "alpha");
  const first = await ask();
  assertEquals(first.matches.map(({ id }) => id), ["d", "c", "b"]);
  index.asked.length = 0;
  const second = await ask({ before: first.rest ?? 0 });
  assertEquals([second.matches.map(({ id }) => id), second.rest], [["a"], undefined]);
  assertEquals(index.asked, ["a"]);
});

Deno.test("findAmongFew() keeps of a very long page what is ranked, and a part with each word", async () => {
  const text = `alpha ${"gulls ".repeat(MOST_TEXT / 16)}`;
  const parts = [1, 2, 3, 4, 5].map((n) => part("a", 1, `w${n} ${text}`));
  const { matches } = await find(indexOf(parts), ["a"], "alpha w5")();
  assertEquals(matches.length, 4);
  assert(matches.at(-1)?.body.includes("w5"));
});
