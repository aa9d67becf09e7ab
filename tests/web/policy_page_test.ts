import { publish } from "../../src/api/meta/openapi.ts";
import { policyRoutes as routes } from "../../src/api/endpoints.ts";
import { checkBundle, readTexts } from "../../src/policy_runtime/policy_bundle.ts";
import { createPolicyPage } from "../../src/web/policy_page.ts";
import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";

const paths = {
  policy: "policy/scopes.json",
  document: "spec/openapi.json",
  meta: "spec/meta.json",
};

Deno.test("/policy shows the active policy to everyone, and the page may load nothing else", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const policyPage = createPolicyPage(pair.value, "policy/cases");
  await withApp(async ({ call }) => {
    const page = await call("GET /policy", { token: null });
    assertEquals(page.status, 200);
    assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
    const security = page.headers.get("content-security-policy") ?? "";
    assert(/^default-src 'none'; style-src 'sha256-[^;]+; script-src 'sha256-/.test(security));
    assert(security.endsWith("frame-ancestors 'none'; base-uri 'none'; form-action 'none'"));
    assert(page.text.includes("/v2/pages/:page_id"));
    assert(page.text.includes("46 of 46"));
    assert(page.text.includes(`href="/docs"`));
    const etag = page.headers.get("etag") ?? "";
    const again = await call("GET /policy", { token: null, headers: { "if-none-match": etag } });
    assertEquals(again.status, 304);
    assertEquals(again.headers.get("content-security-policy"), security);
    const json = await call("GET /healthz", { token: null });
    assert(json.headers.get("content-security-policy")?.startsWith("default-src 'none'; frame"));
  }, { published: { ...publish(pair.value), policyPage } });
});

Deno.test("a policy without cases has a page too", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const { body } = await createPolicyPage(pair.value, "policy/nowhere")();
  assert(typeof body === "string" && body.includes("/v2/pages/:page_id"));
});

Deno.test("the page also shows the cases of subfolders", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  await Deno.mkdir(`${folder}/deep`);
  await Deno.copyFile("policy/cases/users.json", `${folder}/deep/users.json`);
  const { body } = await createPolicyPage(pair.value, folder)();
  assert(typeof body === "string" && body.includes("2 of 2 cases passed"), "their cases");
  await Deno.remove(folder, { recursive: true });
});
