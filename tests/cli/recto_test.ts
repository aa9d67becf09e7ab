import { backup } from "../../src/cli/backup.ts";
import { backupKeyIssue } from "../../src/cli/backup/scheduled_backups.ts";
import {
  COMMANDS,
  denoArguments,
  environmentOf,
  help,
  serveArguments,
  usageIssue,
} from "../../src/cli/recto.ts";
import { DENO_FLAGS } from "../../src/config/processes.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";

const RECTO = ["run", "--quiet", "--no-prompt", "--allow-env", "--allow-read", "--allow-run"];

async function recto(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...RECTO, "src/cli/recto.ts", ...args],
    env,
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The value of one permission in the arguments of Deno. */
function allowed(kind: string, args: readonly string[]): readonly string[] | undefined {
  const flag = args.find((arg) => arg.startsWith(`--allow-${kind}=`));
  return flag?.slice(`--allow-${kind}=`.length).split(",");
}

Deno.test("recto --help lists every command and every setting", () => {
  const text = help();
  for (const name of [...Object.keys(COMMANDS), ...Object.keys(VARIABLES)]) {
    assertStringIncludes(text, `  ${name}`);
  }
});

Deno.test("recto suggests the right command or setting", () => {
  assertEquals(usageIssue("tokn", []), 'Unknown command tokn: Did you mean "token"?');
  assertStringIncludes(usageIssue(undefined, []) ?? "", "recto --help");
  assertStringIncludes(usageIssue("token", ["RECTO_DATADIR"]) ?? "", "RECTO_DATA_DIR");
  assertEquals(usageIssue("token", ["RECTO_DATA_DIR", "PATH"]), undefined);
});

Deno.test("recto lets a server keep free memory in two arenas, unless the environment says otherwise", () => {
  const arenas = (name: string, environment = {}) =>
    environmentOf(name, environment).MALLOC_ARENA_MAX;
  assertEquals([arenas("serve"), arenas("serve", { MALLOC_ARENA_MAX: "4" })], ["2", "4"]);
  assertEquals(arenas("token"), undefined);
});

Deno.test("recto lets a command write only to the folders in its settings", () => {
  const serve = denoArguments("serve", [], { RECTO_DATA_DIR: "/srv/my data" });
  assertEquals(allowed("write", serve), ["/srv/my data"]);
  assert(allowed("read", serve)?.includes("/srv/my data"));
  assert(!allowed("read", serve)?.includes(".data"));
  const elsewhere = {
    DATABASE_URL: "sqlite:/db/recto.db",
    RECTO_DECISION_LOG: "/log/d.jsonl",
    RECTO_POLICY_FILE: "/etc/recto/scopes.json",
  };
  const args = denoArguments("serve", [], elsewhere);
  assertEquals(allowed("write", args), [".data", "/db", "/log"]);
  assert(allowed("read", args)?.includes("/etc/recto"));
  const token = denoArguments("token", ["--scope", "a"], {});
  assertEquals([allowed("write", token), token.includes("--allow-net")], [[".data"], false]);
  const backup = denoArguments("backup", ["/mnt/b.db"], {});
  assertEquals(allowed("write", backup), [".data", "/mnt"]);
});

Deno.test("recto lets a backup reach its archives, its bucket and its database alone", () => {
  const plain = denoArguments("backup", ["--keep", "7"], {});
  assertEquals(allowed("write", plain), [".data", "backups"]);
  assertEquals([allowed("net", plain), allowed("run", plain)], [undefined, undefined]);
  const bucket = { RECTO_S3_ENDPOINT: "https://s3.example", RECTO_S3_STYLE: "virtual" };
  const away = denoArguments("backup", ["--to", "s3://copies/recto", "--key-file", "/k"], bucket);
  assertEquals(allowed("write", away), [".data"]);
  assertEquals(allowed("net", away), ["copies.s3.example:443"]);
  assertEquals(allowed("read", away), [".data", "src", "/k"]);
  const restore = denoArguments("restore", ["--at", "2026-11-22", "--to", "/new"], {
    RECTO_BACKUP_TO: "s3://copies",
  });
  assertEquals(allowed("write", restore), [".data", "/new"]);
  assertEquals(allowed("net", restore), ["s3.us-east-1.amazonaws.com:443"]);
  const server = { DATABASE_URL: "postgres://u:p@db/recto" };
  assertEquals(allowed("run", denoArguments("backup", [], server)), ["pg_dump"]);
  assertEquals(allowed("run", denoArguments("restore", ["a"], server)), ["pg_restore"]);
});

Deno.test("recto lets an export and an import reach the named server only, and the named folder", () => {
  const token = { RECTO_TOKEN: "t" };
  const out = denoArguments("export", ["--format", "jsonl", "notes"], token);
  assertEquals(["net", "read", "write", "env"].map((kind) => allowed(kind, out)), [
    ["127.0.0.1:8000"],
    ["notes"],
    ["notes"],
    ["RECTO_SERVER", "RECTO_TOKEN", "RECTO_TOKEN_FILE"],
  ]);
  const server = { RECTO_SERVER: "https://recto.example" };
  const bucket = ["--files-host", "bucket.example:443"];
  const into = denoArguments("import", ["/mnt/a/", "--users", "u.csv", ...bucket], server);
  assertEquals(allowed("net", into), ["recto.example:443", "bucket.example:443"]);
  const own = ["", ".partial", ".tmp"].map((end) => `/mnt/a.recto-import${end}`);
  assertEquals(allowed("read", into), ["/mnt/a/", "u.csv", ...own]);
  assertEquals(allowed("write", into), own);
  const named = denoArguments("export", ["--server=http://other:81", "x"], server);
  assertEquals(allowed("net", named), ["other:81"]);
});

Deno.test("recto lets a mirror reach the source, its files and the server, and its own folder", () => {
  const flags = ["notion", "--from-url", "http://other:81", "--folder", "copy"];
  const mirror = denoArguments("import", flags, { RECTO_SERVER: "https://recto.example" });
  assertEquals(allowed("net", mirror)?.slice(0, 2), ["recto.example:443", "other:81"]);
  assertEquals([allowed("read", mirror), allowed("write", mirror)], [["copy"], ["copy"]]);
  assertEquals(allowed("env", mirror), [
    "RECTO_SERVER",
    "RECTO_TOKEN",
    "RECTO_TOKEN_FILE",
    "NOTION_TOKEN",
  ]);
});

Deno.test("recto rejects a folder that no permission flag can express", () => {
  assertThrows(() => denoArguments("serve", [], { RECTO_DATA_DIR: "a,b" }), Error, "comma");
});

Deno.test("recto runs a command in a folder with a space, and returns its exit code", async () => {
  const folder = `${await Deno.makeTempDir({ prefix: "recto-cli-" })}/with space`;
  try {
    const minted = await recto(["token", "--scope", "users.read"], { RECTO_DATA_DIR: folder });
    assertEquals([minted.code, minted.stderr], [0, ""]);
    assertEquals(minted.stdout.trim().split(".").length, 3);
    assertEquals((await recto(["token"], { RECTO_DATA_DIR: folder })).code, 2);
    assertEquals((await recto(["token"], { RECTO_DATADIR: folder })).code, 2);
  } finally {
    await Deno.remove(`${folder}/..`, { recursive: true });
  }
});

Deno.test("recto serve does not start with a key that every scheduled backup would fail with", async () => {
  const { stdout, stderr } = await backup(["key"], { environment: () => undefined, now: 0 });
  const identity = stdout.trim();
  const [recipient = ""] = /age1\w+/.exec(stderr) ?? [];
  const issueOf = (key: string, schedule = "daily 03:00") =>
    backupKeyIssue({ RECTO_BACKUP_KEY: key, RECTO_BACKUP_SCHEDULE: schedule });
  for (const key of [identity, recipient, ""]) assertEquals(await issueOf(key), undefined);
  const typo = recipient.replace(/.$/, (last) => last === "q" ? "p" : "q");
  for (const key of ["secret words", typo, identity.slice(0, -1), `${recipient},${recipient}`]) {
    const issue = await issueOf(key);
    assertStringIncludes(issue ?? "", "RECTO_BACKUP_KEY must be a key such as");
    assert(!issue?.includes(key));
    assertEquals(await issueOf(key, ""), undefined, "no backup is scheduled");
  }
  const env = { RECTO_BACKUP_KEY: typo, RECTO_BACKUP_SCHEDULE: "daily 03:00" };
  const started = await recto(["serve"], env);
  assertEquals([started.code, started.stdout], [1, ""]);
  assertStringIncludes(started.stderr, "Cannot start:\n  - RECTO_BACKUP_KEY must be a key");
});

Deno.test("recto lets the gateway read its policies and write to the data folder alone", () => {
  const args = denoArguments("gateway", [], {
    RECTO_DATA_DIR: "/srv/data",
    RECTO_GATEWAY_POLICIES: "a.test=/etc/a/policy.json, /b=/etc/b/policy.json",
  });
  assertEquals(allowed("write", args), ["/srv/data"]);
  assertEquals(allowed("read", args), ["/srv/data", "/etc/a", "/etc/b", "src"]);
});

Deno.test("recto serve starts one server, or a parent that may run Deno and nothing else", () => {
  const one = serveArguments([], {}, "/bin/deno");
  assertEquals(one, denoArguments("serve", [], {}));
  assertEquals(one.filter((arg) => DENO_FLAGS.some((flag) => flag === arg)), [...DENO_FLAGS]);
  const scheduled = { RECTO_BACKUP_SCHEDULE: "daily 03:00" };
  assertEquals(serveArguments([], scheduled, "/bin/deno"), [...one, "--scheduled"]);
  const args = serveArguments([], { RECTO_PROCESSES: "3", ...scheduled }, "/bin/deno");
  const parent = args.slice(0, args.findIndex((arg) => arg.endsWith("src/cli/processes.ts")));
  assertEquals(parent.filter((arg) => arg.startsWith("--allow")), [
    "--allow-env",
    "--allow-run=/bin/deno",
  ]);
  const [count, run, net, heap, ...member] = args.slice(parent.length + 1);
  assertEquals([count, run, net], ["3", "run", "--unstable-net"]);
  assertEquals(heap, "--v8-flags=--max-semi-space-size=8");
  // Each has the permissions of a server alone, and cannot run anything.
  assertEquals(member, [...one.slice(1), "--member"]);
  assertEquals(allowed("run", member), undefined);
});
