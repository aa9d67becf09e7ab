import { assertEquals } from "../../assert.ts";

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
  const root = await Deno.makeTempDir();
  try {
    await copy(["deno.json", "deno.lock", "src", "tests", "policy", "spec"], root);
    const properties = `${root}/src/content/properties`;
    await Deno.writeTextFile(`${properties}/types/rating.ts`, RATING);
    const registry = await Deno.readTextFile(`${properties}/registry.ts`);
    await Deno.writeTextFile(
      `${properties}/registry.ts`,
      registry.replace("  verification,\n}", "  verification,\n  rating,\n}").replace(
        "import { relation }",
        'import { rating } from "./types/rating.ts";\nimport { relation }',
      ),
    );
    await Deno.writeTextFile(`${root}/use.ts`, SCRIPT);
    await run(root, ["check", `${root}/src/content/properties/registry.ts`]);
    // Responses are checked against the document, which follows from the registry too.
    await run(root, ["task", "spec"]);
    const output = await run(root, ["run", "--config", "tests/deno.json", "-A", "use.ts"]);
    assertEquals(JSON.parse(output), [["rating", 5, 10], ["rating", 2, 4]]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

async function copy(names: readonly string[], root: string): Promise<void> {
  const { success } = await new Deno.Command("cp", { args: ["-r", ...names, root] }).output();
  assertEquals(success, true);
}

async function run(cwd: string, args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd, clearEnv: false });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  assertEquals(success, true, decoder.decode(stderr));
  return decoder.decode(stdout);
}
