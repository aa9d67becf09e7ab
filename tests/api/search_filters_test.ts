import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { newPage, refusal, succeed, UNKNOWN } from "./driver.ts";
import {
  allFound,
  type Aviary,
  aviaryClock,
  fillAviary,
  idsIn,
  searched,
  START,
} from "./search_driver.ts";

const DAY = 24 * 3_600_000;

function withAviary(test: (aviary: Aviary) => Promise<void>): Promise<void> {
  const clock = aviaryClock();
  return withApp(async (app) => await test(await fillAviary(app, clock)), { now: clock.now });
}

function date(day: number): string {
  return new Date(START + day * DAY).toISOString();
}

const created = (condition: object) => ({ timestamp: "created_time", created_time: condition });
const edited = (condition: object) => ({
  timestamp: "last_edited_time",
  last_edited_time: condition,
});

/** Filters, and the pages about owls that match them. */
function samples({ users, database, id }: Aviary): readonly (readonly [object, string])[] {
  const by = (value: string) => ({ property: "created_by", value });
  const rows = (filter?: object) => ({ database_id: database, ...(filter && { filter }) });
  const open = { property: "State", select: { equals: "open" } };
  const few = { property: "Count", number: { less_than: 4 } };
  return [
    [by(users.ann), "aceg"],
    [{ property: "last_edited_by", value: users.bob }, "bdf"],
    [created({ on_or_after: date(3) }), "defg"],
    [created({ before: date(1) }), "a"],
    // A new page edits its parent.
    [edited({ after: date(5) }), "ag"],
    [{ and: [created({ on_or_after: date(1) }), created({ before: date(3) })] }, "bc"],
    [rows(), "cdef"],
    [rows(open), "cd"],
    [rows({ and: [open, few] }), "c"],
    [rows({ or: [few, { property: "Tags", multi_select: { contains: "tall" } }] }), "cf"],
    [rows(edited({ on_or_after: date(4) })), "ef"],
    [{ or: [by(users.bob), rows(open)] }, "bcdf"],
    [{ not: rows() }, "abg"],
    [{ not: { or: [by(users.ann), rows(open)] } }, "bf"],
    [{ and: [by(users.ann), rows(open)] }, "c"],
    [{ and: [rows(open), { not: rows(few) }] }, "d"],
    [{ and: [{ property: "ancestor", value: id.a ?? "" }, by(users.ann)] }, "g"],
    [{ or: [{ property: "ancestor", value: id.a ?? "" }, rows(few)] }, "cg"],
    [{ and: [{ property: "parent", value: database }, { property: "parent", value: id.a }] }, ""],
    [{ and: [{ property: "object", value: "page" }, by(users.bob)] }, "bdf"],
    [{ and: [{ property: "object", value: "database" }, rows(open)] }, ""],
    [{ and: [] }, "abcdefg"],
    [{ or: [] }, "abcdefg"],
  ];
}

Deno.test("searches find what matches their filter and nothing else, by words and by time", () =>
  withAviary(async (aviary) => {
    const { names } = aviary;
    for (const [filter, expected] of samples(aviary)) {
      const told = JSON.stringify(filter);
      const sorted = async (body: object) => (await names(body)).toSorted().join("");
      assertEquals(await sorted({ query: "owl", filter }), expected, told);
      assertEquals(await sorted({ query: "owl", words: "any", filter }), expected, told);
      const descending = { timestamp: "created_time", direction: "descending" };
      const newest = (await names({ query: "owl", filter, sort: descending })).join("");
      assertEquals(newest, [...expected].toReversed().join(""), told);
      const all = (await names({ filter, sort: { ...descending, direction: "ascending" } }))
        .filter((name) => name !== "h" && name !== "database");
      assertEquals(all.join(""), expected, told);
      assertEquals(await names({ query: "penguin", filter }), [], told);
    }
  }));

Deno.test("a search by meaning finds what matches its filter and nothing else", () =>
  withAviary(async (aviary) => {
    const { app, id } = aviary;
    for (const [filter, expected] of samples(aviary)) {
      const { results } = await succeed(app, "POST /v2/search/semantic", {
        body: { query: "owl", filter },
      });
      const ids = [...expected].map((name) => id[name]);
      assertEquals(idsIn({ results }).toSorted(), ids.toSorted(), JSON.stringify(filter));
    }
  }));

Deno.test("filters combine as their conditions do, however they are nested", () =>
  withAviary(async (aviary) => {
    const leaves = samples(aviary);
    const leaf = fc.constantFrom(...leaves.map(([filter, found]) => ({ filter, found })));
    const everything = "abcdefg";
    const { tree } = fc.letrec<{ tree: { filter: object; found: string } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        tie("tree").map(({ filter, found }) => ({
          filter: { not: filter },
          found: [...everything].filter((name) => !found.includes(name)).join(""),
        })),
        fc.tuple(tie("tree"), tie("tree")).map(([one, other]) => ({
          filter: { and: [one.filter, other.filter] },
          found: [...one.found].filter((name) => other.found.includes(name)).join(""),
        })),
        fc.tuple(tie("tree"), tie("tree")).map(([one, other]) => ({
          filter: { or: [one.filter, other.filter] },
          found: [...everything].filter((name) =>
            one.found.includes(name) || other.found.includes(name)
          )
            .join(""),
        })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async ({ filter, found }) => {
        const names = await aviary.names({ query: "owl", filter });
        assertEquals(names.toSorted().join(""), found);
        const { total } = await searched(aviary.app, { query: "owl", filter, total: true });
        assertEquals(total, { value: found.length, relation: "exact" });
      }),
      { numRuns: 60 },
    );
  }));

Deno.test("a narrow filter finds its few rows among very many with the words", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Number: { number: {} } });
    const rows: string[] = [];
    for (let number = 0; number < 330; number++) {
      const values = { Name: titled(`owl ${number}`), Number: { number } };
      rows.push((await newRow(app, id, values)).id);
    }
    const filter = (operator: string, number: number) => ({
      database_id: id,
      filter: { property: "Number", number: { [operator]: number } },
    });
    const narrow = await allFound(app, { query: "owl", filter: filter("less_than", 2) });
    assertEquals(narrow.toSorted(), rows.slice(0, 2).toSorted());
    const wide = await allFound(app, { query: "owl", filter: filter("greater_than", 4) }, 100);
    assertEquals([wide.length, new Set(wide).size], [325, 325]);
    assert(!wide.includes(rows[4] ?? ""));
    assertEquals(await allFound(app, { query: "owl 7", filter: filter("less_than", 9) }), [
      rows[7],
    ]);
    const by = { by: "created_time", direction: "ascending" };
    const sort = { timestamp: by.by, direction: by.direction };
    assertEquals(await allFound(app, { filter: filter("less_than", 4), sort }), rows.slice(0, 4));
  }));

Deno.test("a filter by formula finds the rows that it holds for", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, {
      Number: { number: {} },
      Double: { formula: { expression: 'prop("Number") * 2' } },
    });
    const row = (number: number) => newRow(app, id, { Name: titled("owl"), Number: { number } });
    const [, two] = [await row(1), await row(2)];
    const filter = {
      database_id: id,
      filter: { property: "Double", formula: { number: { equals: 4 } } },
    };
    for (const query of ["owl", ""]) {
      assertEquals(await allFound(app, { query, filter }), [two.id]);
    }
  }));

Deno.test("`me` in a filter is the caller", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "ann" });
    const [mine] = [await newPage(app, { title: "owl", token }), await newPage(app)];
    const filter = { property: "created_by", value: "me" };
    assertEquals(idsIn(await searched(app, { filter }, { token })), [mine]);
    assertEquals(idsIn(await searched(app, { query: "owl", filter })), []);
  }));

Deno.test("results have a score, and those with a lower one can be left out", () =>
  withApp(async (app) => {
    const good = await newPage(app, { title: "owl owl" });
    const poor = await newPage(app, { title: "an owl among many other birds of the night" });
    for (const words of ["all", "any"]) {
      const { results } = await searched(app, { query: "owl", words });
      const scores = results.map(({ match }: { match: { score: number } }) => match.score);
      assertEquals(idsIn({ results }), [good, poor]);
      assert(scores[0] > scores[1] && scores[1] > 0, String(scores));
      const least = { query: "owl", words, min_score: (scores[0] + scores[1]) / 2, total: true };
      const list = await searched(app, least);
      assertEquals([idsIn(list), list.total], [[good], { value: 1, relation: "exact" }]);
      assertEquals(idsIn(await searched(app, { ...least, min_score: scores[0] + 1 })), []);
    }
    const sort = { timestamp: "created_time", direction: "ascending" };
    const { results } = await searched(app, { query: "owl", sort });
    assertEquals(results.map(({ match }: { match: { score: null } }) => match.score), [null, null]);
    const { results: near } = await succeed(app, "POST /v2/search/semantic", {
      body: { query: "owl", min_score: 10_000 },
    });
    assertEquals(near, []);
  }));

Deno.test("an invalid filter is rejected with every issue, at its place", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const pointers = async (body: object) => {
      const answer = await app.call("POST /v2/search", { body });
      assertEquals(refusal(answer), [400, "validation_error"], answer.text);
      return answer.json.errors.map(({ pointer }: { readonly pointer: string }) => pointer);
    };
    const wrong = { property: "Count", select: { equals: "x" } };
    const missing = { property: "Nothing", number: { equals: 1 } };
    assertEquals(
      await pointers({ filter: { or: [{ database_id: id, filter: { and: [wrong, missing] } }] } }),
      ["/filter/or/0/filter/and/0/select", "/filter/or/0/filter/and/1/property"],
    );
    const unknown = await app.call("POST /v2/search", {
      body: { filter: { database_id: UNKNOWN } },
    });
    assertEquals(refusal(unknown), [404, "object_not_found"]);
    const deep = Array.from({ length: 21 }).reduce<object>((not) => ({ not }), { and: [] });
    assertEquals(await pointers({ filter: deep }), [`/filter${"/not".repeat(21)}`]);
    const many = Array.from({ length: 99 }, () => ({ property: "object", value: "page" }));
    assertEquals(await pointers({ filter: { or: [{ and: many }, { and: many }] } }), ["/filter"]);
    const rows = Array.from({ length: 11 }, () => ({ database_id: id }));
    assertEquals(await pointers({ filter: { or: rows } }), ["/filter"]);
    assertEquals(await pointers({ also: [{}, { filter: { database_id: id, filter: wrong } }] }), [
      "/also/1/filter/filter/select",
    ]);
  }));
