import { parseCases } from "../../src/policy/analysis/cases.ts";
import { renderPage } from "../../src/policy/page/render_page.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";

const HOSTILE = '</script><script>alert("&1")</script><img src=x onerror=alert(1)>';

const policy = JSON.stringify({
  scopes: { "a.read": HOSTILE, "b.read": "Read b." },
  routes: { "GET /v2/a/:id": ["a.read"], "GET /v2/b": { anyOf: [["b.read"], ["a.read"]] } },
  fields: {},
  notes: { "GET /v2/b": { owner: HOSTILE, because: "Shown on the page." } },
  invariants: [{ name: HOSTILE, tokens: { only: [HOSTILE] }, cannotCall: [HOSTILE] }],
});

function render(text: string): string {
  const cases = [{ call: HOSTILE, note: HOSTILE, scopes: [HOSTILE], effect: "allow" }];
  return renderPage({
    text,
    file: `policy/${HOSTILE}`,
    cases: [parseCases(JSON.stringify({ cases }), `policy/cases/${HOSTILE}.json`)],
    base: { name: HOSTILE, policy: parsePolicy('{"scopes": {}, "routes": {}, "fields": {}}') },
  });
}

Deno.test("renderPage() escapes all text of the policy", () => {
  const page = render(policy);
  assert(page.includes("&lt;/script&gt;"));
  assert(page.includes(": Shown on the page."));
  assertEquals(page.split("<script>").length, 2);
  assertEquals(page.split("</script>").length, 2);
  assert(!page.includes("<img"));
});

Deno.test("renderPage() loads nothing from outside", () => {
  const page = render(policy).replaceAll(/&[a-z0-9#]+;/g, "");
  assertEquals(
    [...page.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, target = ""]) => target)
      .filter((target) => !target.startsWith("#")),
    [],
  );
  assert(
    !/@import|url\(|https?:|fetch\(|XMLHttpRequest|import\(/.test(page.replaceAll("alert", "")),
  );
});

Deno.test("renderPage() is deterministic", () => {
  assertEquals(render(policy), render(policy));
});
