import { boot } from "../../src/app/boot.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { findSecurityDrift } from "../../src/openapi/drift.ts";
import { createLog } from "../../src/shared/log.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";

const log = createLog({ level: "off", write: () => {}, now: () => 0 });
const original = await Deno.readTextFile("policy/scopes.json");

/** Returns the error of a start with a policy that was changed so, and the name of its file. */
async function refusal(
  change: (policy: Record<"routes" | "fields", Record<string, unknown>>) => void,
): Promise<{ readonly message: string; readonly file: string }> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const policy = JSON.parse(original);
  change(policy);
  const file = `${folder}/scopes.json`;
  await Deno.writeTextFile(file, JSON.stringify(policy));
  await Deno.copyFile("spec/openapi.json", `${folder}/scopes.openapi.json`);
  await Deno.copyFile("spec/meta.json", `${folder}/scopes.meta.json`);
  const environment = new Map([["RECTO_POLICY_FILE", file], ["RECTO_DATA_DIR", folder]]);
  const config = readConfig((name) => environment.get(name));
  const { message } = await assertRejects(() => boot(config, log), ConfigError);
  await Deno.remove(folder, { recursive: true });
  return { message, file };
}

Deno.test("boot rejects an endpoint without a rule, naming the route and the file", async () => {
  const { message, file } = await refusal(({ routes }) => delete routes["GET /v2/pages/:page_id"]);
  assertStringIncludes(message, '"GET /v2/pages/:page_id" has no rule');
  assertStringIncludes(message, file);
});

Deno.test("boot rejects a rule without an endpoint, naming the route and the file", async () => {
  const { message, file } = await refusal(({ routes }) => routes["GET /v2/pages"] = ["pages.read"]);
  assertStringIncludes(message, '"GET /v2/pages" has no endpoint');
  assertStringIncludes(message, file);
});

Deno.test("boot rejects a policy that differs from the document, naming the route and the file", async () => {
  const { message, file } = await refusal(({ routes }) =>
    routes["GET /v2/users/:user_id"] = ["users.read", "pages.read"]
  );
  assertStringIncludes(message, "GET /v2/users/:user_id");
  assertStringIncludes(message, file);
});

Deno.test("boot rejects a policy whose fields differ from those of the document", async () => {
  const { message } = await refusal(({ fields }) =>
    fields["user.person.email"] = ["users.email.read", "search.read"]
  );
  assertStringIncludes(message, "differ beyond the routes");
});

Deno.test("boot rejects a policy with all of its issues, each with file and position", async () => {
  const { message, file } = await refusal(({ routes }) => {
    routes["POST /v2/search"] = [];
    routes["POST /v2/pages"] = ["pages.wirte"];
  });
  assertStringIncludes(message, `${file}: POST /v2/search`);
  assertStringIncludes(message, `${file}: POST /v2/pages`);
});

Deno.test("boot names the command that writes the document of a policy without one", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const file = `${folder}/ours.json`;
  await Deno.writeTextFile(file, original);
  const environment = new Map([["RECTO_POLICY_FILE", file], ["RECTO_DATA_DIR", folder]]);
  const config = readConfig((name) => environment.get(name));
  const { message } = await assertRejects(() => boot(config, log), ConfigError);
  const remedy = `run \`RECTO_POLICY_FILE=${file} deno task spec\``;
  assertStringIncludes(message, `${folder}/ours.openapi.json does not exist: ${remedy}`);
  assertStringIncludes(message, `${folder}/ours.meta.json does not exist: ${remedy}`);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("boot rejects an issuer whose keys cannot be fetched safely", async () => {
  const environment = new Map([["RECTO_AUTH_ISSUER", "http://issuer.test"], [
    "RECTO_AUTH_AUDIENCE",
    "a",
  ]]);
  const config = readConfig((name) => environment.get(name));
  const { message } = await assertRejects(() => boot(config, log), ConfigError);
  assertStringIncludes(message, "RECTO_AUTH_ISSUER must be https");
});

Deno.test("boot rejects a key file without usable keys, and does not quote it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const path = `${folder}/keys.json`;
  const environment = new Map([
    ["RECTO_AUTH_ISSUER", "https://issuer.test"],
    ["RECTO_AUTH_AUDIENCE", "a"],
    ["RECTO_AUTH_JWKS_FILE", path],
    ["RECTO_AUTH_INTROSPECTION_URL", "http://issuer.test"],
    ["RECTO_AUTH_CLIENT_ID", "id"],
    ["RECTO_AUTH_CLIENT_SECRET", "secret"],
  ]);
  const config = readConfig((name) => environment.get(name));
  const symmetric = JSON.stringify({ keys: [{ kty: "oct", k: "SECRET" }] });
  for (const text of [undefined, "", "SECRET", '"SECRET"', '{"keys":[]}', symmetric]) {
    if (text !== undefined) await Deno.writeTextFile(path, text);
    const { message } = await assertRejects(() => boot(config, log), ConfigError);
    assertStringIncludes(message, "RECTO_AUTH_JWKS_FILE cannot be used: ");
    assertStringIncludes(message, "RECTO_AUTH_INTROSPECTION_URL must be https");
    assertEquals(message.includes("SECRET"), false, message);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("boot names the database that cannot be opened, and why", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const refusal = async (RECTO_DATA_DIR: string) => {
    const environment = new Map([["RECTO_DATA_DIR", RECTO_DATA_DIR]]);
    const config = readConfig((name) => environment.get(name));
    return (await assertRejects(() => boot(config, log), ConfigError)).message;
  };
  await Deno.writeTextFile(`${folder}/recto.db`, "no database at all");
  const start = 'DATABASE_URL or RECTO_DATA_DIR: "';
  assertStringIncludes(
    await refusal(folder),
    `${start}${folder}/recto.db" cannot be opened: Error: file is not a database`,
  );
  const below = `${folder}/recto.db/below`;
  assertStringIncludes(await refusal(below), `${start}${below}/recto.db" cannot be opened: `);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("findSecurityDrift() finds nothing if the published document matches the policy", async () => {
  const document = await Deno.readTextFile("spec/openapi.json");
  const policy = parsePolicy(original);
  const policyFile = "policy/scopes.json";
  const digest = digestOf(policy);
  assertEquals(findSecurityDrift(document, { policy, digest, policyFile }), []);
  assertEquals(findSecurityDrift(document, { policy, digest: "0", policyFile }), [
    "Document and policy differ beyond the routes: run `deno task spec` after changing " +
    policyFile,
  ]);
});

Deno.test("boot writes the audit log to a file for its owner alone, and names one that it cannot write", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const configWith = (RECTO_AUDIT_LOG: string) => {
    const environment = new Map<string, string>();
    environment.set("RECTO_DATA_DIR", folder).set("RECTO_AUDIT_LOG", RECTO_AUDIT_LOG);
    return readConfig((name) => environment.get(name));
  };
  const { message } = await assertRejects(
    () => boot(configWith(`${folder}/missing/audit.jsonl`), log),
    ConfigError,
  );
  assertStringIncludes(message, "RECTO_AUDIT_LOG cannot be written");
  const { app } = await boot(configWith(`${folder}/audit.jsonl`), log);
  const issuer = await openLocalIssuer({ folder });
  const token = await issuer.mint({ scope: "users.read", ttlSeconds: 60, now: Date.now() });
  await app.handler(
    new Request("http://127.0.0.1:8000/v2/users/me", {
      headers: { authorization: `Bearer ${token}` },
    }),
  );
  await app.close();
  const text = await Deno.readTextFile(`${folder}/audit.jsonl`);
  assertEquals(JSON.parse(text).route, "/v2/users/:user_id");
  assertEquals(((await Deno.stat(`${folder}/audit.jsonl`)).mode ?? 0) & 0o777, 0o600);
  await Deno.remove(folder, { recursive: true });
});
