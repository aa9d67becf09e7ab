import { publish } from "../../src/api/meta/openapi.ts";
import { policyRoutes as routes } from "../../src/api/endpoints.ts";
import { checkBundle, readTexts } from "../../src/policy_runtime/policy_bundle.ts";
import { createShadowPolicy } from "../../src/policy_runtime/shadow_policy.ts";
import { policyNotices, type PolicyStatus } from "../../src/policy_runtime/status.ts";
import { createPolicyPage } from "../../src/web/policy_page.ts";
import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";

const paths = {
  policy: "policy/scopes.json",
  document: "spec/openapi.json",
  meta: "spec/meta.json",
};

const FILES = { policy: "policy/scopes.json", cases: "policy/cases" };
const { signal } = new AbortController();

Deno.test("/policy shows the active policy to everyone, and the page may load nothing else", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const policyPage = createPolicyPage(pair.value, FILES, signal);
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
  const { body } = await createPolicyPage(
    pair.value,
    { ...FILES, cases: "policy/nowhere" },
    signal,
  )([]);
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
  const { body } = await createPolicyPage(pair.value, { ...FILES, cases: folder }, signal)([]);
  assert(typeof body === "string" && body.includes("2 of 2 cases passed"), "their cases");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("/policy survives broken cases, and shows why it leaves them out", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  await Deno.writeTextFile(`${folder}/broken.json`, "{");
  await Deno.copyFile("policy/cases/users.json", `${folder}/users.json`);
  const files = { policy: "policy/ours.json", cases: folder };
  const { body } = await createPolicyPage(pair.value, files, signal)([]);
  assert(typeof body === "string" && body.includes("2 of 2 cases passed"));
  assert(body.includes(`${folder}/broken.json: The file is not JSON`), "the notice");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("/policy names refused files and the candidate, and forgets them with the status", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const policyPage = createPolicyPage(pair.value, FILES, signal);
  const active = { digest: "a".repeat(64), document: "d".repeat(64) };
  const reloads = { adopted: 0, refused: 1 };
  const refused = {
    digest: null,
    policyFile: null,
    document: null,
    since: 0,
    issues: ["policy/scopes.json: <The list is empty>"],
  };
  const textOf = async (status: PolicyStatus) => {
    const { body } = await policyPage(policyNotices(status));
    return typeof body === "string" ? body : "";
  };
  const first = await textOf({ active, refused, candidate: undefined, reloads });
  assert(first.includes("were refused") && first.includes("&lt;The list is empty&gt;"));
  const clean = await textOf({ active, refused: undefined, candidate: undefined, reloads });
  assert(!clean.includes('id="notices"'));
  const { policy } = pair.value;
  const shadow = createShadowPolicy({
    policy,
    active: policy,
    onDifference: () => {},
    onFieldDifference: () => {},
  });
  const beside = await textOf({ active, refused: undefined, candidate: shadow, reloads });
  assert(beside.includes(`digest ${shadow.digest.slice(0, 12)} is evaluated beside`));
});

Deno.test("/policy is rendered in a Worker, and again only if the notices change", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const { policy: policyText, document } = texts.value;
  const policyPage = createPolicyPage({ policyText, document }, FILES, signal);
  const { Worker } = globalThis;
  const started: string[] = [];
  globalThis.Worker = class extends Worker {
    constructor(module: string | URL, options?: WorkerOptions) {
      started.push(String(module).replace(/.*\//, ""));
      super(module, options);
    }
  };
  try {
    const [first, second] = await Promise.all([policyPage([]), policyPage([])]);
    assertEquals(first, second);
    assertEquals(started, ["policy_page_worker.ts"]);
    await policyPage(["Another policy was refused."]);
    assertEquals(started.length, 2);
  } finally {
    globalThis.Worker = Worker;
  }
});
