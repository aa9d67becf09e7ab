import { runSpecDiff } from "../../src/cli/spec_diff.ts";
import { type Io, UsageError } from "../../src/policy/command.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";

const committed = await Deno.readTextFile("spec/openapi.json");

/** The committed document with one text in place of another. */
function edited(from: string, to: string): string {
  const text = committed.replace(from, to);
  if (text === committed) throw new Error(`Nowhere in the document: ${from}`);
  return text;
}

const FILES: Readonly<Record<string, string>> = {
  "spec/openapi.json": committed,
  "renamed.json": edited('"operationId": "getUser"', '"operationId": "readUser"'),
  "deprecated.json": edited(
    '"operationId": "getUser"',
    '"operationId": "getUser", "deprecated": true',
  ),
  "described.json": edited('"summary": "Read a user"', '"summary": "See a user"'),
  "cut.json": committed.slice(0, 1_000),
  "other.json": "{}",
  "main:./spec/openapi.json": committed,
  "main:./old.json": committed,
  "-": committed,
};

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(...args: string[]): Promise<Run> {
  let [out, err] = ["", ""];
  const find = (name: string): Promise<string> => {
    const text = new Map(Object.entries(FILES)).get(name);
    return text === undefined
      ? Promise.reject(new UsageError(`No ${name}`))
      : Promise.resolve(text);
  };
  const io: Io = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    read: find,
    git: ([, , object = ""]) => find(object),
    list: () => Promise.resolve([]),
    write: () => Promise.reject(new Error("It writes nothing")),
    today: "2026-12-01",
    color: false,
  };
  return { code: await runSpecDiff(args, io), out, err };
}

Deno.test("spec diff answers 0 where clients notice nothing, or nothing that breaks them", async () => {
  const nothing = { code: 0, out: "Nothing that a client would notice\n", err: "" };
  assertEquals(await run("spec/openapi.json", "spec/openapi.json"), nothing);
  assertEquals(await run("described.json"), nothing);
  assertEquals(await run("spec/openapi.json", "deprecated.json"), {
    code: 0,
    out: "Breaks no client: 1 change\n\nGET /v2/users/{user_id}\n    is deprecated\n",
    err: "",
  });
});

Deno.test("spec diff answers 1 where a change breaks clients, and marks it", async () => {
  assertEquals(await run("spec/openapi.json", "renamed.json"), {
    code: 1,
    out:
      "Breaks clients: 1 change\n\nGET /v2/users/{user_id}\n  ! operationId: getUser → readUser\n",
    err: "",
  });
});

Deno.test("spec diff reads revisions and standard input", async () => {
  for (const old of ["main", "main:old.json", "-"]) assertEquals((await run(old)).code, 0, old);
});

Deno.test("spec diff prints every change as JSON", async () => {
  const { code, out } = await run("spec/openapi.json", "renamed.json", "--json");
  assertEquals(code, 1);
  assertEquals(JSON.parse(out), [{
    place: "operationId",
    detail: "getUser → readUser",
    isBreaking: true,
    routes: ["GET /v2/users/{user_id}"],
  }]);
});

Deno.test("spec diff answers 2 where it cannot compare, and says why", async () => {
  const cases: readonly (readonly [string[], string])[] = [
    [[], "Too few arguments"],
    [["a.json", "b.json", "c.json"], 'Unexpected argument: "c.json"'],
    [["none.json"], "No none.json"],
    [["none"], "No none:./spec/openapi.json"],
    [["--yaml", "a.json"], "Unknown option --yaml"],
    [["cut.json"], "Not JSON: cut.json"],
    [["other.json"], "Not an OpenAPI 3.1 document"],
  ];
  for (const [args, reason] of cases) {
    const { code, out, err } = await run(...args);
    assertEquals([code, out], [2, ""], reason);
    assertStringIncludes(err, reason);
  }
});
