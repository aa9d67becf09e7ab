import { hashApiKey, isApiKey } from "../../src/auth/api_key_format.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { keys } from "../../src/cli/keys.ts";
import type { CommandResult } from "../../src/cli/command.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { ApiKey, FoundApiKey } from "../../src/store/port.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { NOW } from "../auth/support.ts";

const DAY = 86_400_000;

interface Desktop {
  readonly folder: string;
  run(args: readonly string[], options?: RunOptions): Promise<CommandResult>;
  /** Creates a key and returns its secret. */
  create(...more: string[]): Promise<string>;
  keys(): Promise<ApiKey[]>;
  find(secret: string): Promise<FoundApiKey | undefined>;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: number;
  readonly input?: string;
}

/** Runs a test on an empty data folder. */
async function withFolder(test: (desktop: Desktop) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-keys-" });
  const run: Desktop["run"] = (args, { env = {}, now = NOW, input = "" } = {}) => {
    const variables = { RECTO_DATA_DIR: folder, ...env };
    return keys(args, {
      environment: (name) => Reflect.get(variables, name),
      now,
      readInput: () => Promise.resolve(input),
    });
  };
  const create = async (...more: string[]): Promise<string> => {
    const args = ["create", "--name", "n8n", "--scope", "pages.read blocks.read", ...more];
    const { code, stdout, stderr } = await run(args);
    assertEquals(code, 0, stderr);
    return stdout.trim();
  };
  const onStore = async <T>(work: (store: ReturnType<typeof openSqliteStore>) => Promise<T>) => {
    const store = openSqliteStore(`${folder}/recto.db`);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  try {
    await test({
      folder,
      run,
      create,
      keys: () => onStore((store) => store.apiKeys()),
      find: (secret) => onStore((store) => store.apiKey(hashApiKey(secret))),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Asserts wrong usage, and returns what it says before the usage. */
function complaint({ code, stdout, stderr }: CommandResult): string {
  assertEquals([code, stdout], [2, ""]);
  const [issues = "", usage] = stderr.split("\n\nUsage: recto keys");
  assert(usage !== undefined, stderr);
  return issues;
}

Deno.test("keys create prints the key alone, and stores only its hash", () =>
  withFolder(async ({ run, folder, keys, find }) => {
    const args = ["create", "--name", "Zapier é", "--scope", " pages.read  blocks.read pages.read"];
    const { code, stdout, stderr } = await run([
      ...args,
      "--workspace",
      "acme",
      "--expires",
      "90d",
    ]);
    const secret = stdout.trim();
    assertEquals([code, isApiKey(secret), stdout], [0, true, `${secret}\n`]);
    const [key] = await keys();
    assert(key !== undefined);
    assertMatch(key.id, /^[0-9a-f-]{36}$/);
    assertEquals<unknown>(key, {
      id: key.id,
      workspace: "acme",
      name: "Zapier é",
      scopes: ["pages.read", "blocks.read"],
      createdTime: NOW,
      expiresTime: NOW + 90 * DAY,
      revokedTime: null,
      usedTime: null,
    });
    assertEquals((await find(secret))?.id, key.id);
    assertStringIncludes(stderr, key.id);
    assert(!stderr.includes(secret));
    for (const { name } of Deno.readDirSync(folder)) {
      const bytes = await Deno.readFile(`${folder}/${name}`);
      assert(!new TextDecoder("latin1").decode(bytes).includes(secret.slice(6, 38)), name);
    }
  }));

Deno.test("keys create uses the default workspace, and sets no expiry by itself", () =>
  withFolder(async ({ run, keys }) => {
    const env = { RECTO_AUTH_DEFAULT_WORKSPACE: "team" };
    await run(["create", "--name", "a", "--scope", "users.read"], { env });
    assertEquals((await keys()).map(({ workspace, expiresTime }) => [workspace, expiresTime]), [
      ["team", null],
    ]);
  }));

Deno.test("keys create works beside an issuer, and refuses if the server takes no keys", () =>
  withFolder(async ({ run, keys }) => {
    const args = ["create", "--name", "a", "--scope", "users.read"];
    const issuer = { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: "recto" };
    assertEquals((await run(args, { env: issuer })).code, 0);
    const { code, stdout, stderr } = await run(args, { env: { RECTO_API_KEYS: "false" } });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "RECTO_API_KEYS is false");
    assertEquals((await keys()).length, 1);
  }));

Deno.test("keys create reports all issues at once, and creates nothing", () =>
  withFolder(async ({ run, folder }) => {
    const issues = complaint(await run(["create", "--scope", "pages.raed nothing.like.it"]));
    assertEquals(issues.split("\n").length, 3, issues);
    assertStringIncludes(issues, "--name is required");
    assertStringIncludes(issues, 'Unknown scope "pages.raed": Did you mean "pages.read"?');
    assertStringIncludes(issues, 'Unknown scope "nothing.like.it": the policy has pages.read, ');
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("keys create refuses names and workspaces that could mislead a terminal or a log", () =>
  withFolder(async ({ run, folder }) => {
    const wrong = [" ", "a\nb", "\u001b[2J", "a\u0000", "\u202ename", "\u2066", "x".repeat(201)];
    for (const text of [...wrong, "\ud800"]) {
      for (const option of ["name", "workspace"]) {
        const named = option === "name" ? [] : ["--name", "a"];
        const args = ["create", ...named, "--scope", "pages.read", `--${option}`, text];
        assertStringIncludes(complaint(await run(args)), `--${option} must have 1 to 200`);
      }
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("keys create stores hostile names literally", () =>
  withFolder(async ({ run, keys }) => {
    const names = ["'; DROP TABLE api_keys; --", '"}\\"', "<script>", "%s %00", "\u{1F600}", "--x"];
    for (const name of names) {
      const args = ["create", `--name=${name}`, "--scope", "pages.read"];
      assertEquals((await run(args)).code, 0, name);
    }
    assertEquals((await keys()).map(({ name }) => name), names);
  }));

Deno.test("keys refuses what it does not know, with a suggestion", () =>
  withFolder(async ({ run }) => {
    assertEquals(complaint(await run([])), "Missing command");
    assertEquals(complaint(await run(["creat"])), 'Unknown command creat: Did you mean "create"?');
    assertStringIncludes(complaint(await run(["issuer"])), "Unknown command issuer");
    assertStringIncludes(complaint(await run(["issuer", "rotat"])), '"issuer rotate"');
    assertStringIncludes(complaint(await run(["constructor"])), "Unknown command");
    assertEquals(
      complaint(await run(["create", "--scopes", "a"])),
      'Unknown option --scopes: Did you mean "--scope"?',
    );
    assertEquals(complaint(await run(["list", "more"])), 'Unexpected argument: "more"');
    assertEquals(complaint(await run(["revoke"])), "ID is missing");
    assertEquals(complaint(await run(["revoke", "a", "b"])), "Expected only one ID");
    assertEquals(
      complaint(await run(["list", "--format", "xml"])).split(":")[0],
      "--format must be text or json",
    );
    for (const grace of ["", "1", "31d", "1w", "-1h"]) {
      assertStringIncludes(
        complaint(await run(["rotate", "a", `--grace=${grace}`])),
        "--grace must",
      );
    }
    for (const expires of ["0s", "3651d", "x"]) {
      assertStringIncludes(
        complaint(await run(["rotate", "a", `--expires=${expires}`])),
        "--expires must",
      );
    }
  }));

Deno.test("keys --help prints the usage of all commands", () =>
  withFolder(async ({ run }) => {
    for (const args of [["--help"], ["create", "--help"], ["issuer", "-h"]]) {
      const { code, stdout } = await run(args);
      assertEquals([code, stdout.startsWith("Usage: recto keys")], [0, true]);
    }
  }));

Deno.test("keys list, rotate and revoke create no database", () =>
  withFolder(async ({ run, folder }) => {
    for (const args of [["list"], ["rotate", "a"], ["revoke", "a"]]) {
      const { code, stderr } = await run(args);
      assertEquals(code, 1);
      assertStringIncludes(stderr, "No such database");
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  }));

Deno.test("keys list shows states, and the hour of the last use", () =>
  withFolder(async ({ run, create, folder }) => {
    await create();
    await create("--expires", "1d", "--workspace", "acme");
    const revoked = await create();
    await run(["revoke", revoked]);
    const store = openSqliteStore(`${folder}/recto.db`);
    const first = (await store.apiKeys()).find(({ workspace }) => workspace === "default");
    await store.noteApiKeyUses([{ workspace: "default", id: first?.id ?? "", time: NOW }]);
    await store.close();
    const { stdout } = await run(["list"], { now: NOW + DAY });
    const [header = "", ...rows] = stdout.trimEnd().split("\n");
    assertMatch(header, /^ID +NAME +WORKSPACE +STATE +CREATED +EXPIRES +LAST USED +SCOPES$/);
    assertEquals(rows.map((row) => row.split(/ {2,}/).slice(1)).sort(), [
      [
        "n8n",
        "acme",
        "expired",
        "2027-01-15 12:00Z",
        "2027-01-16 12:00Z",
        "never",
        "pages.read blocks.read",
      ],
      [
        "n8n",
        "default",
        "active",
        "2027-01-15 12:00Z",
        "never",
        "2027-01-15 12:00Z",
        "pages.read blocks.read",
      ],
      [
        "n8n",
        "default",
        "revoked",
        "2027-01-15 12:00Z",
        "never",
        "never",
        "pages.read blocks.read",
      ],
    ]);
    const json = JSON.parse(
      (await run(["list", "--format", "json", "--workspace", "acme"])).stdout,
    );
    assertEquals(json.length, 1);
    assertEquals([json[0].state, json[0].expires_time], ["active", "2027-01-16T12:00:00.000Z"]);
    assertMatch(json[0].subject, /^[0-9a-f]{16}$/);
    assert(!JSON.stringify(json).includes("recto_"));
  }));

Deno.test("keys rotate prints a new secret, and gives the one before a day", () =>
  withFolder(async ({ run, create, keys, find }) => {
    const before = await create();
    const [key] = await keys();
    const { code, stdout } = await run(["rotate", key?.id ?? ""]);
    const after = stdout.trim();
    assertEquals([code, isApiKey(after), after === before], [0, true, false]);
    assertEquals((await find(before))?.secretExpiresTime, NOW + DAY);
    assertEquals((await find(after))?.secretExpiresTime, null);
    assertEquals([(await find(before))?.id, (await find(after))?.id], [key?.id, key?.id]);
  }));

Deno.test("keys rotate ends leaked secrets at once with --grace 0s, and extends a key with --expires", () =>
  withFolder(async ({ run, create, find }) => {
    const before = await create("--expires", "1d");
    const rotated = await run(["rotate", before, "--grace", "0s"]);
    assertEquals((await find(before))?.secretExpiresTime, NOW);
    assertEquals((await find(rotated.stdout.trim()))?.expiresTime, NOW + DAY);
    const late = { now: NOW + 2 * DAY };
    const refused = await run(["rotate", rotated.stdout.trim()], late);
    assertEquals([refused.code, refused.stdout], [1, ""]);
    assertStringIncludes(refused.stderr, "has expired: set --expires");
    const again = await run(["rotate", rotated.stdout.trim(), "--expires", "1d"], late);
    assertEquals((await find(again.stdout.trim()))?.expiresTime, NOW + 3 * DAY);
  }));

Deno.test("keys revoke ends a key, named by its ID or itself, once", () =>
  withFolder(async ({ run, create, keys }) => {
    const secret = await create();
    const [key] = await keys();
    const { code, stdout } = await run(["revoke", secret]);
    assertEquals(code, 0);
    assertStringIncludes(stdout, key?.id ?? "");
    assert(!stdout.includes(secret));
    assertEquals((await keys())[0]?.revokedTime, NOW);
    for (const args of [["revoke", key?.id ?? ""], ["rotate", key?.id ?? ""]]) {
      const again = await run(args);
      assertEquals([again.code, again.stdout], [1, ""]);
      assertStringIncludes(again.stderr, "was revoked");
    }
  }));

Deno.test("keys names no unknown ID in its refusal, because it may be a secret", () =>
  withFolder(async ({ run, create }) => {
    const secret = await create();
    for (const text of [secret.slice(0, -1), "no-such-key"]) {
      const { code, stderr } = await run(["revoke", text]);
      assertEquals(code, 1);
      assert(!stderr.includes(text));
      assertStringIncludes(stderr, "recto keys list");
    }
  }));

Deno.test("keys issuer rotates and revokes, and refuses both if another issuer is configured", () =>
  withFolder(async ({ run, folder }) => {
    const { mint, jwks } = await openLocalIssuer({ folder });
    const token = await mint({ scope: "pages.read", ttlSeconds: 60, now: NOW });
    const revoked = await run(["issuer", "revoke", "-"], { input: `${token}\n` });
    assertEquals([revoked.code, revoked.stdout.includes(token)], [0, false]);
    assertEquals((await run(["issuer", "revoke", token])).code, 1);
    assertStringIncludes(complaint(await run(["issuer", "revoke", "no.such.token"])), "TOKEN must");
    assertEquals((await run(["issuer", "rotate", "--grace", "1h"])).code, 0);
    const rotated = await openLocalIssuer({ folder });
    assertEquals(rotated.jwks.keys.slice(1), jwks.keys);
    const env = { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: "recto" };
    for (const args of [["issuer", "rotate"], ["issuer", "revoke", token]]) {
      const { code, stderr } = await run(args, { env });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "RECTO_AUTH_ISSUER is set");
    }
  }));
