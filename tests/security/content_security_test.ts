import { endpoints, policyRoutes as routes } from "../../src/api/endpoints.ts";
import { publish } from "../../src/api/meta/openapi.ts";
import { renderPage } from "../../src/policy/page/render_page.ts";
import { checkBundle, readTexts } from "../../src/policy_runtime/policy_bundle.ts";
import { createPolicyPage } from "../../src/web/policy_page.ts";
import { assert, assertEquals } from "../assert.ts";
import { announce, fetchOwn, PNG, put } from "../api/file_driver.ts";
import { withApp } from "../support/app.ts";
import { NEW_PAGE, UNKNOWN } from "./support.ts";

const paths = {
  policy: "policy/scopes.json",
  document: "spec/openapi.json",
  meta: "spec/meta.json",
};

/** Directives of a policy that are there more than once, or not at all. */
function misfits(policy: string | null): string[] {
  const names = (policy ?? "").split(";").map((part) => part.trim().split(" ")[0] ?? "");
  const locked = ["base-uri 'none'", "form-action 'none'"].filter((one) =>
    !policy?.includes(`; ${one}`)
  );
  return [...names.filter((name, index) => names.indexOf(name) !== index), ...locked];
}

const FILES = { policy: "policy/scopes.json", cases: "policy/cases" };

Deno.test("every answer forbids forms and another base address, whatever the route", async () => {
  const texts = await readTexts(paths);
  assert(texts.ok);
  const pair = await checkBundle(texts.value, { paths, routes });
  assert(pair.ok);
  const policyPage = createPolicyPage(pair.value, FILES, new AbortController().signal);
  await withApp(async (app) => {
    for (const { method, path } of endpoints) {
      const target = path.replace(/:\w+/g, UNKNOWN);
      for (const token of [null, undefined]) {
        const body = method === "GET" ? {} : { body: {} };
        const answer = await app.call(`${method} ${target}`, {
          ...body,
          ...(token === null && { token }),
        });
        const policy = answer.headers.get("content-security-policy");
        assertEquals(misfits(policy), [], `${method} ${path}: ${policy}`);
      }
    }
  }, { published: { ...publish(pair.value), policyPage } });
});

Deno.test("a served file forbids forms and another base address, a 304 of it too", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    const { json: { id } } = await put(app, url, new Uint8Array(9), { type: PNG });
    const icon = { file_upload: { id } };
    const { json: { icon: { file } } } = await app.call("POST /v2/pages", {
      body: { ...NEW_PAGE, icon },
    });
    const read = await fetchOwn(app, file.url);
    await read.body?.cancel();
    assertEquals(misfits(read.headers.get("content-security-policy")), []);
    const headers = { "if-none-match": read.headers.get("etag") ?? "" };
    const again = await fetchOwn(app, file.url, { headers });
    assertEquals(again.status, 304);
    assertEquals(misfits(again.headers.get("content-security-policy")), []);
  }));

Deno.test("a policy page opened as a file says the same in the page", async () => {
  const text = await Deno.readTextFile("policy/scopes.json");
  const html = renderPage({ text, file: "policy/scopes.json", cases: [] });
  const meta = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1]
    ?.replaceAll("&#39;", "'");
  assertEquals(misfits(meta ?? null), []);
});
