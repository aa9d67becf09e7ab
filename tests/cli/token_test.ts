import { decodeJwt, decodeProtectedHeader } from "jose";
import { token } from "../../src/cli/token.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { NOW, SECONDS } from "../auth/support.ts";

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof token> {
  return token(args, { environment: (name) => Reflect.get(env, name), now: NOW });
}

async function withDataDir(use: (RECTO_DATA_DIR: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("token() prints only the token", async () => {
  await withDataDir(async (RECTO_DATA_DIR) => {
    const args = ["--scope", "pages.read blocks.read", "--workspace=acme", "--sub", "ada"];
    const { code, stdout, stderr } = await run([...args, "--ttl", "2h"], { RECTO_DATA_DIR });
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { jti: _, ...claims } = decodeJwt(stdout.trim());
    assertEquals<unknown>(claims, {
      workspace_id: "acme",
      iss: "urn:recto:local",
      sub: "ada",
      client_id: "recto-cli",
      iat: SECONDS,
      exp: SECONDS + 7200,
      scope: "pages.read blocks.read",
      aud: "recto",
    });
    assertEquals(decodeProtectedHeader(stdout.trim()).typ, "at+jwt");
  });
});

Deno.test("token() binds the token to the key whose thumbprint is given", async () => {
  await withDataDir(async (RECTO_DATA_DIR) => {
    const jkt = "x".repeat(43);
    const { stdout } = await run(["--scope", "pages.read", "--jkt", jkt], { RECTO_DATA_DIR });
    assertEquals(decodeJwt(stdout.trim()).cnf, { jkt });
  });
});

Deno.test("token() reads audience and workspace claim from the environment", async () => {
  await withDataDir(async (RECTO_DATA_DIR) => {
    const env = {
      RECTO_DATA_DIR,
      RECTO_AUTH_AUDIENCE: "ours",
      RECTO_AUTH_WORKSPACE_CLAIM: "tenant",
      RECTO_AUTH_ISSUER: "",
    };
    const { stdout } = await run(["--scope", "users.read", "--workspace", "acme"], env);
    const { aud, tenant, exp } = decodeJwt(stdout.trim());
    assertEquals([aud, tenant, exp], ["ours", "acme", SECONDS + 3600]);
  });
});

Deno.test("token() prints its usage and exits with 2 if the arguments are wrong", async () => {
  const calls = [
    [],
    ["--scope", ""],
    ["--scope", "a  b"],
    ["--scope", 'a"b'],
    ["--scope"],
    ["--scope", "a", "--scopes", "b"],
    ["--scope", "a", "more"],
    ["--scope", "pages.read no.such"],
    ["--scope", "a", "--sub", ""],
    ...["x".repeat(42), "x".repeat(44), `${"x".repeat(42)}=`].map(
      (jkt) => ["--scope", "a", "--jkt", jkt],
    ),
    ...["", "0s", "1", "h", "-1h", "1.5h", "1w", "366d", "1h1m", "9999999999s"].map(
      (ttl) => ["--scope", "a", `--ttl=${ttl}`],
    ),
  ];
  for (const args of calls) {
    const { code, stdout, stderr } = await run(args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertStringIncludes(stderr, "Usage: recto token");
  }
});

Deno.test("token() mints nothing if another issuer is configured", async () => {
  const { code, stdout, stderr } = await run(["--scope", "a"], { RECTO_AUTH_ISSUER: "https://x" });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(stderr, "RECTO_AUTH_ISSUER is set: request a token from that issuer\n");
});

Deno.test("token() refuses unknown scopes and options with a suggestion", async () => {
  const scope = await run(["--scope", "pages.raed blocks.read"]);
  assertStringIncludes(scope.stderr, 'Unknown scope "pages.raed": Did you mean "pages.read"?\n');
  const option = await run(["--scoep", "pages.read"]);
  assertStringIncludes(option.stderr, 'Unknown option --scoep: Did you mean "--scope"?\n');
  const help = await run(["--help"]);
  assertEquals([help.code, help.stderr], [0, ""]);
});
