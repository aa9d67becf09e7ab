import { EnvFileError, readEnvFiles, takeEnvFiles } from "../../src/cli/env_file.ts";
import { denoArguments } from "../../src/cli/recto.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { listening } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { withFolder } from "../support/folders.ts";

const LAUNCHER = ["run", "--quiet", "--no-prompt", "--allow-env", "--allow-run"]
  .concat("src/cli/recto.ts");

function recto(args: readonly string[], env: Readonly<Record<string, string>> = {}): Deno.Command {
  const piped = { stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(Deno.execPath(), { args: [...LAUNCHER, ...args], env, ...piped });
}

async function run(
  ...call: Parameters<typeof recto>
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { code, stdout, stderr } = await recto(...call).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("--env-file is taken out of a command line, wherever it is", () => {
  assertEquals(takeEnvFiles(["--env-file=a", "serve", "--env-file", "b", "--x"]), {
    files: ["a", "b"],
    args: ["serve", "--x"],
  });
  assertThrows(() => takeEnvFiles(["serve", "--env-file"]), EnvFileError, "needs a path");
  assertThrows(() => readEnvFiles(["/nowhere.env"]), EnvFileError, "cannot be read");
});

Deno.test("a file of settings sets what a command does and may do; the environment overrides it", () =>
  withFolder(async (folder) => {
    const file = `${folder}/recto.env`;
    await Deno.writeTextFile(file, `# ours\nRECTO_DATA_DIR="${folder}/my data"\n`);
    const minted = await run([`--env-file=${file}`, "token", "--scope", "users.read"]);
    assertEquals([minted.code, minted.stderr], [0, ""]);
    assert((await Deno.stat(`${folder}/my data/local_issuer.jwk.json`)).isFile);
    const other = await run(["token", "--scope", "users.read", "--env-file", file], {
      RECTO_DATA_DIR: `${folder}/other`,
    });
    assertEquals(other.code, 0);
    assert((await Deno.stat(`${folder}/other/local_issuer.jwk.json`)).isFile);
  }));

Deno.test("faults of a file of settings are told as those of the environment", () =>
  withFolder(async (folder) => {
    const file = `${folder}/recto.env`;
    await Deno.writeTextFile(file, "RECTO_DATADIR=/srv\n");
    const { code, stderr } = await run([`--env-file=${file}`, "token"]);
    assertEquals(code, 2);
    assertStringIncludes(stderr, 'Did you mean "RECTO_DATA_DIR"?');
    assertStringIncludes((await run(["--env-file=/nowhere", "token"])).stderr, "cannot be read");
  }));

Deno.test("a command may read the files of its secrets, and no other file beside them", () => {
  const secrets = { RECTO_S3_SECRET_FILE: "/run/secrets/s3", RECTO_TOKEN_FILE: "/run/secrets/t" };
  for (const name of ["serve", "gateway", "token", "keys", "migrate", "backup", "spec"]) {
    const flags = denoArguments(name, [], secrets).filter((arg) => arg.startsWith("--allow-"));
    const reads = flags.find((flag) => flag.startsWith("--allow-read="))?.split(/[=,]/) ?? [];
    const read = reads.filter((path) => path.startsWith("/"));
    assertEquals(read, ["/run/secrets/s3", "/run/secrets/t"], name);
    assert(flags.some((flag) => /^--allow-env=.*\bRECTO_S3_SECRET_FILE\b/.test(flag)), name);
    assert(!flags.some((flag) => flag.startsWith("--allow-write") && flag.includes("/run")), name);
  }
  assert(denoArguments("export", ["notes"], secrets).includes("--allow-read=notes,/run/secrets/t"));
});

Deno.test("no secret is in the list of processes", () =>
  withFolder(async (folder) => {
    const port = freePort();
    const secret = "a-secret-nobody-sees";
    await Deno.writeTextFile(`${folder}/secret`, secret);
    await Deno.writeTextFile(
      `${folder}/recto.env`,
      `PORT=${port}\nRECTO_DATA_DIR=${folder}/data\nRECTO_FILES=s3\nRECTO_S3_BUCKET=files\n` +
        `RECTO_S3_KEY_ID=${secret}\nRECTO_S3_SECRET_FILE=${folder}/secret\n`,
    );
    const server = recto(["serve", `--env-file=${folder}/recto.env`]).spawn();
    const output = [server.stdout, server.stderr].map((stream) => new Response(stream).text());
    await listening(port);
    const commandLines = await processesOf(server.pid);
    server.kill("SIGTERM");
    assertEquals((await server.status).code, 0);
    assertEquals(commandLines.length, 2);
    assertStringIncludes(commandLines.join("\n"), "main.ts");
    const texts = [...commandLines, ...await Promise.all(output)];
    assertEquals(texts.filter((text) => text.includes(secret)), []);
  }));

const PROCESSES =
  `for pid in $1 $(cat /proc/$1/task/*/children); do tr '\\0' ' ' < /proc/$pid/cmdline; echo; done`;

/** Returns the command lines of a process and of those that it started. */
async function processesOf(pid: number): Promise<string[]> {
  const args = ["-c", PROCESSES, "sh", String(pid)];
  const { stdout } = await new Deno.Command("sh", { args }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("a database in a file gets its permissions: its folder may be written", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/url`, `sqlite:${folder}/elsewhere/recto.db\n`);
    const args = denoArguments("serve", [], { DATABASE_URL_FILE: `${folder}/url` });
    const write = args.find((arg) => arg.startsWith("--allow-write="));
    assertStringIncludes(write ?? "", `${folder}/elsewhere`);
  }));
