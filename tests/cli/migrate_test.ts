import { migrate } from "../../src/cli/migrate.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";

/** Runs a test with the command on a database of its own. */
async function withCommand(
  test: (command: (...args: string[]) => ReturnType<typeof migrate>, path: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const path = `${folder}/recto.db`;
  const variables = new Map([["DATABASE_URL", `sqlite:${path}`]]);
  const environment = (name: string) => variables.get(name);
  try {
    await test((...args) => migrate(args, { environment }), path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("migrate --plan shows what would run, and creates nothing", () =>
  withCommand(async (command, path) => {
    const stdout = MIGRATIONS.map(({ name }) => `Would run ${name}\n`).join("");
    assertEquals(await command("--plan"), { code: 0, stdout, stderr: "" });
    await assertRejects(() => Deno.stat(path), Deno.errors.NotFound);
  }));

Deno.test("migrate runs missing migrations once", () =>
  withCommand(async (command) => {
    const stdout = MIGRATIONS.map(({ name }) => `Ran ${name}\n`).join("");
    assertEquals(await command(), { code: 0, stdout, stderr: "" });
    const done = { code: 0, stdout: "The schema is up to date\n", stderr: "" };
    assertEquals(await command(), done);
    assertEquals(await command("--plan"), done);
  }));

Deno.test("migrate rejects other arguments and unknown databases", async () => {
  const { code, stderr } = await migrate(["--now"], { environment: () => undefined });
  assertEquals(code, 2);
  assertStringIncludes(stderr, "Usage: recto migrate [--plan]");
  const environment = () => "mysql://x";
  assertEquals((await migrate(["--plan"], { environment })).code, 1);
});
