import { buildDocument } from "../../src/cli/spec.ts";
import { findSecurityDrift } from "../../src/openapi/drift.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { readApi } from "../../src/policy/document.ts";
import { parsePolicy, type Policy } from "../../src/policy/schema.ts";
import { ALL_SCOPES, type Answer, type CallOptions, withApp } from "../support/app.ts";
import { assertEquals, assertMatch } from "../assert.ts";

const live = JSON.parse(await Deno.readTextFile("policy/scopes.json"));

/** The live policy with another rule for users, and one for trashing pages that needs two levels. */
function policyWith(rule: unknown): Policy {
  return parsePolicy(JSON.stringify({
    ...live,
    scopes: { ...live.scopes, "acr:mfa": "A second factor.", "acr:phr": "A security key." },
    routes: {
      ...live.routes,
      "GET /v2/users/:user_id": rule,
      "DELETE /v2/pages/:page_id": ["pages.write", "acr:mfa", "acr:phr"],
    },
  }));
}

const INFO = { license: { name: "MIT", url: "https://mit.test" } };

const EITHER = { anyOf: [["users.read", "acr:mfa"], ["users.read", "acr:phr"]] };

type Call = (route: string, token: { scope: string; acr?: string }) => Promise<Answer>;

function withPolicy(rule: unknown, work: (call: Call) => Promise<void>): Promise<void> {
  return withApp(async ({ call, mint }) => {
    await work(async (route, token) => {
      const options: CallOptions = { token: await mint(token) };
      return await call(route, options);
    });
  }, { policy: policyWith(rule) });
}

const challengeOf = ({ headers }: Answer): string => headers.get("www-authenticate") ?? "";

Deno.test("a token without the authentication level is asked to step up, and allowed after it", () =>
  withPolicy(EITHER, async (call) => {
    const refused = await call("GET /v2/users/me", { scope: "users.read" });
    assertEquals(refused.status, 401);
    assertEquals(refused.json.code, "insufficient_user_authentication");
    assertEquals(refused.json.acr_values, ["mfa", "phr"]);
    assertMatch(
      challengeOf(refused),
      /^Bearer .*error="insufficient_user_authentication", error_description="[^"]+", acr_values="mfa phr"$/,
    );
    for (const acr of ["mfa", "phr"]) {
      assertEquals((await call("GET /v2/users/me", { scope: "users.read", acr })).status, 200);
    }
    assertEquals((await call("GET /v2/users/me", { scope: "users.read", acr: "pwd" })).status, 401);
  }));

Deno.test("a scope that looks like an authentication level opens nothing", () =>
  withPolicy(EITHER, async (call) => {
    const { status } = await call("GET /v2/users/me", { scope: "users.read acr:mfa acr:phr" });
    assertEquals(status, 401);
  }));

Deno.test("a token that lacks scopes as well is told both at once", () =>
  withPolicy(["users.read", "acr:mfa"], async (call) => {
    const refused = await call("GET /v2/users/me", { scope: "pages.read" });
    assertEquals(refused.status, 403);
    assertEquals(refused.json.missing_scopes, ["users.read"]);
    assertEquals(refused.json.required_scopes, ["users.read"]);
    assertMatch(
      challengeOf(refused),
      /error="insufficient_scope", scope="users\.read", acr_values="mfa"$/,
    );
    const half = await call("GET /v2/users/me", { scope: "pages.read", acr: "mfa" });
    assertEquals([half.status, half.json.missing_scopes], [403, ["users.read"]]);
  }));

Deno.test("the protected resource metadata lists scopes, not authentication levels", () =>
  withApp(async ({ call }) => {
    const { json } = await call("GET /.well-known/oauth-protected-resource", { token: null });
    assertEquals(json.scopes_supported.toSorted(), ALL_SCOPES.split(" ").sort());
  }, { policy: policyWith(EITHER) }));

Deno.test("the document says which authentication levels a call needs, and agrees with the policy", () => {
  for (
    const rule of [EITHER, { anyOf: [["acr:mfa"], ["users.read", "acr:phr"]] }, [
      "acr:mfa",
      "acr:phr",
      "users.read",
    ]]
  ) {
    const policy = policyWith(rule);
    const text = buildDocument(policy, INFO);
    const options = { policy, digest: digestOf(policy), policyFile: "policy/scopes.json" };
    assertEquals(findSecurityDrift(text, options), []);
    assertEquals(
      readApi(JSON.parse(text)).routes.get("GET /v2/users/:user_id")?.alternatives.map((list) =>
        list.toSorted()
      ),
      policy.routes.get("GET /v2/users/:user_id")?.alternatives.map((list) => list.toSorted()),
    );
  }
  const { paths, components } = JSON.parse(buildDocument(policyWith(EITHER), INFO));
  assertEquals(paths["/v2/users/{user_id}"].get.security, [
    { oauth2: ["users.read"], stepUp: ["mfa"] },
    { oauth2: ["users.read"], stepUp: ["phr"] },
  ]);
  assertEquals(components.securitySchemes.stepUp.scheme, "bearer");
  const { scopes } = components.securitySchemes.oauth2.flows.clientCredentials;
  assertEquals(Object.keys(scopes).filter((name) => name.startsWith("acr:")), []);
});

Deno.test("a document that leaves an authentication level out differs from the policy", () => {
  const policy = policyWith(EITHER);
  const text = buildDocument(policyWith(["users.read"]), INFO);
  const options = { policy, digest: digestOf(policy), policyFile: "policy/scopes.json" };
  assertMatch(findSecurityDrift(text, options)[0] ?? "", /differ on "GET \/v2\/users\/:user_id"/);
});
