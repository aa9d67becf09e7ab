import { boot, openPolicy } from "../src/boot.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import { findSecurityDrift } from "../src/openapi/drift.ts";
import { createLog } from "../src/observe.ts";
import { parsePolicy } from "../src/policy/schema.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "./assert.ts";

const log = createLog({ level: "off", write: () => {}, now: () => 0 });
const original = await Deno.readTextFile("policy/scopes.json");

async function withPolicy(
  change: (policy: { routes: Record<string, unknown> }) => void,
  test: (file: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const policy = JSON.parse(original);
  change(policy);
  const file = `${folder}/scopes.json`;
  await Deno.writeTextFile(file, JSON.stringify(policy));
  try {
    await test(file);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("boot refuses an endpoint without a rule, naming the route and the file", () =>
  withPolicy(({ routes }) => delete routes["GET /v2/pages/:page_id"], async (file) => {
    const { message } = await assertRejects(() => openPolicy(file), ConfigError);
    assertStringIncludes(message, '"GET /v2/pages/:page_id" has no rule');
    assertStringIncludes(message, file);
  }));

Deno.test("boot refuses a rule without an endpoint, naming the route and the file", () =>
  withPolicy((policy) => policy.routes["GET /v2/pages"] = ["pages.read"], async (file) => {
    const { message } = await assertRejects(() => openPolicy(file), ConfigError);
    assertStringIncludes(message, '"GET /v2/pages" has no endpoint');
    assertStringIncludes(message, file);
  }));

Deno.test("boot refuses a policy that the document does not say, naming the route and the file", () =>
  withPolicy(
    (policy) => policy.routes["GET /v2/users/:user_id"] = ["users.read", "pages.read"],
    async (file) => {
      const DATA_DIR = await Deno.makeTempDir({ prefix: "recto-" });
      const environment = new Map([["POLICY_FILE", file], ["DATA_DIR", DATA_DIR]]);
      const config = readConfig((name) => environment.get(name));
      const { message } = await assertRejects(() => boot(config, log), ConfigError);
      assertStringIncludes(message, "GET /v2/users/:user_id");
      assertStringIncludes(message, file);
      await Deno.remove(DATA_DIR, { recursive: true });
    },
  ));

Deno.test("boot refuses an issuer whose keys it could not ask for safely", async () => {
  const environment = new Map([["AUTH_ISSUER", "http://issuer.test"], ["AUTH_AUDIENCE", "a"]]);
  const config = readConfig((name) => environment.get(name));
  const { message } = await assertRejects(() => boot(config, log), ConfigError);
  assertStringIncludes(message, "AUTH_ISSUER must be https");
});

Deno.test("findSecurityDrift() finds nothing where the published document says the policy", async () => {
  const document = await Deno.readTextFile("spec/openapi.json");
  const policy = parsePolicy(original);
  assertEquals(findSecurityDrift(document, { policy, policyFile: "policy/scopes.json" }), []);
});
