import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { OPERATORS } from "../../src/content/query/operators.ts";
import { withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { succeed, text } from "./driver.ts";
import {
  type Case,
  CREATED,
  EDITED,
  EMPTINESS,
  type Question,
  questions,
  stored,
} from "./query_cases.ts";
import { type Fixture, RELATED, REPEATED_BY_FORMULA, withFixture } from "./query_fixture.ts";

const sorts = [{ timestamp: "created_time", direction: "ascending" }];

async function assertFinds({ find }: Fixture, all: readonly Question[]): Promise<void> {
  for (const { filter, found } of all) {
    assertEquals(await find({ filter, sorts }), found, JSON.stringify(filter));
  }
}

Deno.test("every operator on every stored property finds exactly its rows", () =>
  withFixture(async (fixture) => {
    const all = stored(fixture);
    for (const [key, operators] of OPERATORS) {
      const asked = all.filter((one) => one.key === key).flatMap(({ cases }) => cases);
      assert(Object.keys(operators).every((name) => asked.some(([operator]) => operator === name)));
    }
    await assertFinds(fixture, questions(all));
    const onTimes = [["created_time", CREATED], ["last_edited_time", EDITED]] as const;
    const times = onTimes.flatMap(([timestamp, cases]) =>
      cases.map(([operator, operand, found]) => ({
        filter: { timestamp, [timestamp]: { [operator]: operand } },
        found,
      }))
    );
    await assertFinds(fixture, times);
  }));

const RESULT_KEYS = new Map([["rich_text", "string"]]);

Deno.test("every operator on a formula finds the same rows as on the property itself", () =>
  withFixture(async (fixture) => {
    const repeated = stored(fixture).filter(({ property, key }) =>
      property === key && REPEATED_BY_FORMULA.includes(property)
    );
    assertEquals(repeated.length, REPEATED_BY_FORMULA.length);
    await assertFinds(
      fixture,
      repeated.flatMap(({ property, key, cases }) =>
        cases.map(([operator, operand, found]) => ({
          filter: {
            property: `formula ${property}`,
            formula: { [RESULT_KEYS.get(key) ?? key]: { [operator]: operand } },
          },
          found,
        }))
      ),
    );
  }));

const QUANTIFIERS = {
  any: (related: readonly string[], found: string) => related.some((row) => found.includes(row)),
  every: (related: readonly string[], found: string) => related.every((row) => found.includes(row)),
  none: (related: readonly string[], found: string) => !related.some((row) => found.includes(row)),
};

Deno.test("conditions on any, every or no item of a rollup work like those on a row's own value", () =>
  withFixture(async (fixture) => {
    const { properties } = await succeed(fixture.app, `GET /v2/databases/${fixture.id}`);
    const collected = stored(fixture).filter(({ property }) =>
      Object.hasOwn(properties, `rollup ${property}`)
    );
    assertEquals(collected.length > 15, true);
    await assertFinds(
      fixture,
      Object.entries(QUANTIFIERS).flatMap(([quantifier, holds]) =>
        collected.flatMap(({ property, key, cases }) =>
          cases.map(([operator, operand, found]) => ({
            filter: {
              property: `rollup ${property}`,
              rollup: { [quantifier]: { [key]: { [operator]: operand } } },
            },
            found: [...RELATED].filter(([, related]) => holds(related, found))
              .map(([row]) => row).join(" "),
          }))
        )
      ),
    );
  }));

Deno.test("a rollup with a number or a date is filtered as one", () =>
  withFixture(async (fixture) => {
    const number: readonly Case[] = [
      ["equals", 2, "b"],
      ["does_not_equal", 2, "a -"],
      ["less_than", 2, "a"],
      ...EMPTINESS,
    ];
    const date: readonly Case[] = [["equals", "2026-11-19", "a b"], [
      "equals",
      "2026-11-19T21:30:00Z",
      "a b",
    ], ...EMPTINESS];
    const ask = (property: string, key: string, cases: readonly Case[]) =>
      cases.map(([operator, operand, found]) => ({
        filter: { property, rollup: { [key]: { [operator]: operand } } },
        found,
      }));
    await assertFinds(fixture, [
      ...ask("cost", "number", number),
      ...ask("last date", "date", date),
    ]);
  }));

Deno.test("a filter of more conditions than one statement takes finds the same rows", () =>
  withFixture(async (fixture) => {
    const shuffled = questions(stored(fixture));
    for (const { filter, found } of shuffled.filter((_, index) => index % 20 === 0)) {
      const same = Array.from({ length: 90 }, () => filter);
      const all = [...same, { and: same }, { or: same }, ...same.slice(0, 8)];
      assertEquals(await fixture.find({ filter: { and: all }, sorts }), found);
      const some = { or: [{ and: same }, { and: same }, { or: same }] };
      assertEquals(await fixture.find({ filter: some, sorts }), found);
    }
  }));

Deno.test("compound filters of any depth combine their parts", () =>
  withFixture(async (fixture) => {
    const parts = questions(stored(fixture));
    const { tree } = fc.letrec<{ tree: Question; leaf: Question; compound: Question }>((tie) => ({
      tree: fc.oneof({ maxDepth: 12, depthSize: "large" }, tie("leaf"), tie("compound")),
      leaf: fc.constantFrom(...parts),
      compound: fc.tuple(
        fc.constantFrom("and" as const, "or" as const),
        fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
      ).map(([op, inner]) => join(op, inner)),
    }));
    await fc.assert(
      fc.asyncProperty(tree, (question) => assertFinds(fixture, [question])),
      { numRuns: 150 },
    );
  }));

function join(op: "and" | "or", parts: readonly Question[]): Question {
  const holds = (row: string) => ({ found }: Question) => found.includes(row);
  const rows = [...RELATED.keys()].filter((row) =>
    op === "and" ? parts.every(holds(row)) : parts.some(holds(row))
  );
  return { filter: { [op]: parts.map(({ filter }) => filter) }, found: rows.join(" ") };
}

Deno.test("long texts are found within texts of any length, whatever their signs", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Text: { rich_text: {} } });
    const short = `50%_off? (a|b)* [c]+ {2} \\d^$ .* ***=:${"ab".repeat(20)}`;
    const texts = [short, `${"ab".repeat(700)}${short}`, "ab".repeat(900)];
    for (const content of texts) {
      await newRow(app, id, {
        Name: titled(content.slice(0, 9)),
        Text: { rich_text: text(content) },
      });
    }
    const found = async (contains: string) => {
      const filter = { property: "Text", rich_text: { contains } };
      const { results } = await succeed(app, `POST /v2/databases/${id}/query`, {
        body: { filter },
      });
      return results.length;
    };
    assertEquals(await found(short), 2);
    assertEquals(await found(`ab${short}`), 1);
    assertEquals(await found("ab".repeat(20)), 3);
    assertEquals(await found("ab".repeat(800)), 1);
    assertEquals(await found(`${"ab".repeat(450)}b${"ab".repeat(450)}`), 0);
  }));
