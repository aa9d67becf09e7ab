import { assertEquals } from "../../assert.ts";
import { runInCopy } from "../changed_copy.ts";

/** The file of a type that the service does not have: stars from 1 to 5. */
const RATING = `
import * as v from "valibot";
import { EMPTY, numberCell } from "../../schema/cells.ts";
import { propertyKind } from "../property_kind.ts";
import { numberCells, whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { numbers } from "../shared/operators.ts";

const stars = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5));

export const rating = propertyKind({
  config: NO_CONFIG,
  input: v.nullable(stars),
  output: v.nullable(v.number()),
  toStored: (given) => given ?? undefined,
  toRead: (stored) => stored ?? null,
  emptyCell: EMPTY,
  cell: numberCell,
  conditions: { operators: numbers },
  formula: { type: "number", value: (read) => read },
  collect: { parts: whole((read) => read), cells: numberCells },
  fromYaml: (value) => v.is(stars, value) ? value : undefined,
});
`;

/** Uses the type through the API and prints what the responses say. */
const SCRIPT = `
import { withApp } from "./tests/support/app.ts";
import { succeed } from "./tests/api/driver.ts";

await withApp(async (app) => {
  const database = await succeed(app, "POST /v2/databases", {
    body: {
      parent: { workspace: true },
      properties: {
        Name: { title: {} },
        Stars: { rating: {} },
        Twice: { formula: { expression: 'prop("Stars") * 2' } },
      },
    },
  });
  const add = (members: object) =>
    succeed(app, "POST /v2/pages", { body: { parent, properties: {}, ...members } });
  const parent = { database_id: database.id };
  await add({ properties: { Stars: { rating: 2 } } });
  await add({ markdown: "---\\nStars: 5\\n---\\n" });
  const { results } = await succeed(app, "POST /v2/databases/" + database.id + "/query", {
    body: {
      filter: { property: "Stars", rating: { greater_than: 1 } },
      sorts: [{ property: "Stars", direction: "descending" }],
    },
  });
  console.log(JSON.stringify(results.map(({ properties: { Stars, Twice } }: typeof results[number]) =>
    [Stars.type, Stars.rating, Twice.formula.number]
  )));
});
`;

Deno.test("a property type is added by its file and its name in the registry", async () => {
  const result = await runInCopy({
    added: { "properties/types/rating.ts": RATING },
    changed: {
      "properties/registry.ts": [
        ["  verification,\n}", "  verification,\n  rating,\n}"],
        ["import { relation }", 'import { rating } from "./types/rating.ts";\nimport { relation }'],
      ],
    },
    script: SCRIPT,
  });
  assertEquals(result, [["rating", 5, 10], ["rating", 2, 4]]);
});
