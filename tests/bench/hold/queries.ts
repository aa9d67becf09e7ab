/**
 * Searches with many words, and queries with many conditions and sorts.
 *
 * @module
 */
import { DATABASE } from "../query/data.ts";
import type { Deed } from "./deeds.ts";
import type { Service } from "./service.ts";

/** Stored properties, those with the fewest values first. */
const SORTED = ["Done", "Region", "Stage", "Tags", "Score", "Start", "Due", "Amount", "Name"];
/** Words of the rows and pages. */
const SOME_WORDS = (
  "plan review draft launch budget report design meeting notes offer contract summary " +
  "The quick brown fox jumps over lazy dog while others look on and say nothing"
).split(" ");
const QUERY = `POST /v2/databases/${DATABASE}/query`;

/** Searches for as many words as a question can have. */
export function questions({ ask }: Service): Deed[] {
  const all = Array.from({ length: 160 }, (_, n) => SOME_WORDS[n] ?? String(37 * n)).join(" ");
  const quoted = SOME_WORDS.map((word) => `"${word} ${word}"`).join(" ");
  const search = (name: string, body: object, route = ""): Deed => ({
    name: `search for 160 words: ${name}`,
    run: () => ask(`POST /v2/search${route}`, body),
  });
  return [
    search("all", { query: all }),
    search("any", { query: all, words: "any" }),
    search("any, total", { query: all, words: "any", total: true }),
    search("by meaning", { query: all }, "/semantic"),
    search("30 phrases", { query: quoted }),
  ];
}

export function queries({ ask }: Service): Deed[] {
  const contains = { property: "Notes", rich_text: { contains: "zzz" } };
  const many = (count: number, condition: (n: number) => object) => ({
    filter: { and: groups(Array.from({ length: count }, (_, n) => condition(n))) },
  });
  const text = (n: number) => ({ property: "Notes", rich_text: { contains: `zzz ${n}` } });
  const formula = (n: number) => ({ property: "Net", formula: { number: { equals: -n - 1 } } });
  const query = (name: string, body: object): Deed => ({ name, run: () => ask(QUERY, body) });
  const by = (property: string) => ({ sorts: [{ property, direction: "ascending" }] });
  return [
    query("query, newest first", {}),
    query("`contains` without a match", { filter: contains }),
    query("the same and a select equals", {
      filter: { and: [contains, { property: "Stage", select: { equals: "a1 1" } }] },
    }),
    query("100 conditions", many(100, text)),
    query("1,000 conditions", many(1_000, text)),
    query("1,000 conditions on a select", {
      ...many(1_000, () => ({ property: "Stage", select: { does_not_equal: "a1 1" } })),
      ...by("Amount"),
    }),
    query("formula filter without a match", {
      filter: { property: "Net", formula: { number: { less_than: -1 } } },
    }),
    query("1,000 formula conditions", many(1_000, formula)),
    query("sort by a formula", by("Net")),
    query("sort by a person's name", by("Owner")),
    query("sort by a relation", by("Box")),
    query("sort by a rollup", by("Boxed")),
    query("100 sorts", {
      sorts: Array.from({ length: 100 }, (_, n) => ({
        property: n % 2 === 0 ? "Done" : "Stage",
        direction: "descending",
      })),
    }),
    query("sorts by each stored property", {
      sorts: [...SORTED, ...SORTED].map((property) => ({ property, direction: "descending" })),
    }),
    {
      name: "four callers of `contains` without a match",
      run: async () => {
        const four = Array.from({ length: 4 }, () => ask(QUERY, { filter: contains }));
        const [first] = await Promise.all(four);
        return first ?? { status: 0, size: 0 };
      },
    },
  ];
}

/** Builds a filter of this many conditions, in as many `or`s as the limit requires. */
function groups(conditions: readonly object[]): object[] {
  return Array.from({ length: Math.ceil(conditions.length / 100) }, (_, index) => ({
    or: conditions.slice(index * 100, (index + 1) * 100),
  }));
}
