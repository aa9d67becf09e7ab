import { attempt, onServer } from "../../src/cli/command.ts";
import { ConfigError } from "../../src/config/config.ts";
import { OperatorError } from "../../src/store/operator_error.ts";
import { assertEquals, assertMatch, assertRejects } from "../assert.ts";

/** Returns the message of a command that ends with this error. */
async function told(error: Error): Promise<string> {
  const { code, stdout, stderr } = await attempt("copy", () => Promise.reject(error));
  assertEquals([code, stdout], [1, ""]);
  return stderr;
}

Deno.test("attempt() reports every error as a sentence, with the command", async () => {
  assertEquals(await told(new ConfigError(["A", "B"])), "Cannot copy:\n  - A\n  - B\n");
  assertEquals(await told(new OperatorError("A")), "Cannot copy:\n  - A\n");
  const noSpace = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
  assertEquals(await told(noSpace), "Cannot copy:\n  - No space left on device\n");
});

Deno.test("attempt() rethrows programming errors", async () => {
  await assertRejects(() => told(new TypeError("mine")), TypeError, "mine");
  await assertRejects(() => onServer(() => Promise.reject(new TypeError("mine"))), TypeError);
});

Deno.test("each command reports a missing permission in a sentence, and how to run it", async () => {
  const environment = {
    RECTO_DATA_DIR: await Deno.makeTempDir({ prefix: "recto-" }),
    DATABASE_URL: "postgres://u@127.0.0.1:1/db",
  };
  const { DATABASE_URL: _, ...onDisk } = environment;
  await Deno.writeTextFile(`${environment.RECTO_DATA_DIR}/a.db`, "");
  const calls: [verb: string, args: string[], env: Record<string, string>][] = [
    ["mint a token", ["token", "--scope", "a"], onDisk],
    ["migrate", ["migrate"], onDisk],
    ["copy", ["copy", "--from", "sqlite", "--to", "postgres"], environment],
    ["back up", ["backup", "backups/a.db"], onDisk],
    ["restore", ["restore", `${environment.RECTO_DATA_DIR}/a.db`], onDisk],
  ];
  await Promise.all(calls.map(async ([verb, args, env]) => {
    const [name, ...rest] = args;
    const run = ["run", "--no-prompt", "--allow-env", `src/cli/${name}.ts`, ...rest];
    const command = new Deno.Command(Deno.execPath(), { args: run, env });
    const { code, stdout, stderr } = await command.output();
    assertEquals([code, new TextDecoder().decode(stdout)], [1, ""], verb);
    assertMatch(
      new TextDecoder().decode(stderr),
      new RegExp(
        `^Cannot ${verb}:\n  - Requires (?:read|write) access to "\\S+": run commands with .recto.*\n$`,
      ),
    );
  }));
  await Deno.remove(environment.RECTO_DATA_DIR, { recursive: true });
});
