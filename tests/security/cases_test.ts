import { assert, assertEquals } from "../assert.ts";
import { CASES, type Shown } from "./cases.ts";

const COUNT = 86;

/** Names in a file that no test of it has. */
async function missing([file, ...names]: Shown): Promise<string[]> {
  const text = await Deno.readTextFile(file).catch(() => "");
  const tests = [...text.matchAll(/Deno\.test\(\s*("(?:[^"\\]|\\.)*"|`[^`]*`)/g)]
    .map(([, literal = ""]) => literal.slice(1, -1));
  return names.filter((name) => !tests.includes(name)).map((name) => `${file}: ${name}`);
}

Deno.test("every case of the catalogue has a test, or a reason why it needs none", () => {
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
  assertEquals(Object.keys(CASES).map(Number), numbers);
  const empty = Object.entries(CASES).filter(([, shown]) =>
    typeof shown === "string"
      ? shown.trim() === ""
      : shown.length === 0 || shown.some(([, ...names]) => names.length === 0)
  );
  assertEquals(empty, []);
});

Deno.test("every test that a case names is there", async () => {
  const shown = Object.values(CASES).flatMap((one) => typeof one === "string" ? [] : one);
  assert(shown.length >= COUNT);
  assertEquals((await Promise.all(shown.map(missing))).flat(), []);
});

Deno.test("every test that is named for a case stands in the table", async () => {
  const listed = new Set(
    Object.values(CASES).flatMap((one) => typeof one === "string" ? [] : one)
      .flatMap(([file, ...names]) => names.map((name) => `${file}: ${name}`)),
  );
  const found: string[] = [];
  for (const file of tests("tests")) {
    const text = await Deno.readTextFile(file);
    for (
      const [, literal = ""] of text.matchAll(/Deno\.test\(\s*("Cases? \d[^"]*"|`Cases? \d[^`]*`)/g)
    ) {
      found.push(`${file}: ${literal.slice(1, -1)}`);
    }
  }
  assertEquals(found.filter((one) => !listed.has(one)), []);
});

function tests(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return tests(`${folder}/${name}`);
    return name.endsWith("_test.ts") ? [`${folder}/${name}`] : [];
  });
}
