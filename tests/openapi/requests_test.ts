/**
 * Bodies drawn from the document, sent to the real handler: what the document refuses is a 400, and
 * what it allows is none but for the rules that no schema can say. Every answer is judged as well.
 *
 * @module
 */
import fc from "fast-check";
import { newDatabase, newRow } from "../api/database_driver.ts";
import { appendOne, newPage, paragraph } from "../api/driver.ts";
import { SAMPLES } from "../content/blocks_samples.ts";
import { assert, assertEquals } from "../assert.ts";
import { createContract, type Operation, pointerOf } from "../support/contract.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { breakOnce, drawFrom } from "./arbitrary.ts";

const contract = createContract(await Deno.readTextFile("spec/openapi.json"));
const RUNS = 200;

/** An object to call an operation on, and what bodies may name. */
interface Scene {
  readonly path: string;
  readonly ids: readonly string[];
}

const NAMES = ["Name", "title", "Count", "State", "Tags", "When", "Done", "Site", "Who"];
const COLUMNS = {
  Count: { number: {} },
  State: { select: { options: [{ name: "open" }] } },
  Tags: { multi_select: {} },
  When: { date: {} },
  Done: { checkbox: {} },
  Site: { url: {} },
  Who: { people: {} },
};

/** Makes what an operation is called on; a block is of the type that the body changes. */
async function paint(app: TestApp, { template }: Operation, body: object = {}): Promise<Scene> {
  const page = await newPage(app);
  const block = await makeBlock(app, page, Object.keys(body).find((key) => key in SAMPLES));
  const { id: database } = await newDatabase(app, COLUMNS);
  const { id: row } = await newRow(app, database);
  const path = template.replace("{page_id}", row).replace("{database_id}", database)
    .replace("{block_id}", template.endsWith("/children") ? page : block);
  return { path, ids: [page, block, database, row] };
}

async function makeBlock(app: TestApp, page: string, type = "paragraph"): Promise<string> {
  const children = [{ [type]: SAMPLES[type]?.least.given }];
  const { status, json } = await app.call(`PATCH /v2/blocks/${page}/children`, {
    body: { children },
  });
  // Some types stand only in others.
  return status === 200 ? json.results[0].id : (await appendOne(app, page, paragraph("Words"))).id;
}

/**
 * Why a body that fits its schema is still refused. Nothing else may be a 400: these are rules between
 * members, between a body and what is there, and about what a text means.
 */
const RULES: readonly RegExp[] = [
  // Members that depend on each other, on the type of the block or on the width of the table.
  / should be (?:not present(?:, as|, because| beside)|the same as|neither a|an array of \S+ cells)/,
  / should be "\w+", as the type of a block cannot change/,
  /^Give either /,
  / should be defined(?:, or `\w+`)?, /,
  /^Remove `sort`: with `"words": "any"` results are always sorted by relevance\.$|^There is already a condition on /,
  / should be (?:a datetime without an offset|not before `start`|null, as a copy cannot be)/,
  // What is named, and is not there or is of another kind.
  /^Could not find |^Provided ID | is not a property that exists\.$| start again without it\.$/,
  / should be the id (?:or name )?of an option of this | an option that no other group has/,
  // Properties and what their types take.
  / is expected to be | needs values of type | can't collect a |^Property .* (?:does not match filter |has no options to count)/,
  /^A database (?:must|can) have (?:exactly|at most) one property of type |^Two properties can't have the same name/,
  /^Can't (?:remove|change)|which is given already\.$|^A property can't/,
  /^Option names must be unique|^Cannot update | option, commas not allowed|^Invalid status option|^Select option /,
  / should be (?:at most|under a name of|a file name without a path|not present unless)/,
  // Conditions and orders of a search.
  /^There is already a condition on | results are always sorted by relevance\.$/,
  // What a text means: emoji, days, time zones, formulas.
  / should be (?:an emoji|a day that exists|an IANA time zone)/,
  /^Line \d+, column \d+: /,
  // I-JSON (RFC 7493 section 2.2), whatever the schema.
  /^Error parsing JSON body: /,
];

/** Judged where the page's parent is known, so an unknown parent is told first. */
const JUDGED_LATER = /^\/(?:properties|children|content)\//;

for (const operation of contract.operations) {
  const pointer = pointerOf("paths", operation.template, operation.method.toLowerCase());
  const content = Object(operation.value["requestBody"]).content?.["application/json"];
  if (content === undefined) continue;
  const name: string = content.schema.$ref.split("/").at(-1);
  Deno.test(`${operation.operationId} refuses just what the document refuses`, async () => {
    const validate = contract.asWritten(`${pointer}/requestBody/content/application~1json/schema`);
    await withApp(async (app) => {
      const { ids } = await paint(app, operation);
      const usual = JSON.parse(withIds(JSON.stringify(content.examples.usual.value), ids));
      const drawn = drawFrom(contract.schemas, { ids, names: NAMES })(name);
      const whole = operation.operationId === "updateBlock" ? drawn.map(withOneType) : drawn;
      const slightlyBroken = whole.chain((value) => breakOnce(value));
      const bodies = fc.oneof(
        { arbitrary: whole, weight: 4 },
        { arbitrary: slightlyBroken, weight: 4 },
        { arbitrary: fc.constant(usual), weight: 1 },
        { arbitrary: breakOnce(usual), weight: 1 },
      ).filter((value) => isObject(value));
      const counts = { allowed: 0, refused: 0, done: 0 };
      await fc.assert(
        fc.asyncProperty(bodies, async (value) => {
          const { path } = await paint(app, operation, Object(value));
          const answer = await app.call(`${operation.method} ${path}`, { body: value });
          const isAllowed = validate(value);
          counts[isAllowed ? "allowed" : "refused"]++;
          if (answer.status === 200) counts.done++;
          assert(answer.status < 500, answer.text);
          if (isAllowed) {
            if (answer.status === 400) assertEquals(unexplained(answer.json), []);
          } else if (!isUnknownParent(answer, validate.errors?.at(0)?.instancePath)) {
            assertEquals(answer.status, 400, JSON.stringify(validate.errors));
          }
        }),
        { numRuns: RUNS },
      );
      assert(counts.allowed > RUNS / 10 && counts.refused > RUNS / 10, JSON.stringify(counts));
      assert(counts.done > 0, "Something succeeds");
    });
  });
}

/** The same text naming the first of these ids wherever it names one. */
function withIds(text: string, [id = ""]: readonly string[]): string {
  return text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, id);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isUnknownParent({ status }: Answer, pointer = ""): boolean {
  return status === 404 && JUDGED_LATER.test(pointer);
}

function unexplained({ message, errors = [{ detail: message }] }: Answer["json"]): string[] {
  return errors.map(({ detail }: { detail: string }) => detail).filter((detail: string) =>
    !RULES.some((rule) => rule.test(detail))
  );
}

/** A change of a block names one type; drawn alone, it would nearly always name several. */
function withOneType(value: unknown): unknown {
  const entries = Object.entries(Object(value));
  const [first] = entries.filter(([key]) => key in SAMPLES);
  return Object.fromEntries([
    ...entries.filter(([key]) => key !== "type" && !(key in SAMPLES)),
    ...(first === undefined ? [] : [first]),
  ]);
}
