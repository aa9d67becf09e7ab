import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { createPage, UNKNOWN } from "../security/support.ts";
import { type LiveApp, PAGE, policyText, textsOf, withLiveApp } from "./support.ts";

/** A page asks for blocks too, and a new scope shows e-mails. */
const stricter = policyText(({ scopes, routes, fields }) => {
  scopes["people.read"] = "See who people are.";
  routes[PAGE] = ["pages.read", "blocks.read"];
  fields["user.person.email"] = ["users.email.read", "people.read"];
});

async function statusOfPage({ call, mint }: LiveApp, scope: string): Promise<number> {
  return (await call(`GET /v2/pages/${UNKNOWN}`, { token: await mint({ scope }) })).status;
}

async function scopesOf({ call }: LiveApp): Promise<string[]> {
  const { json } = await call("GET /.well-known/oauth-protected-resource", { token: null });
  return json.scopes_supported;
}

Deno.test("a reload changes routes, fields, document and metadata in one step", () =>
  withLiveApp(async (app) => {
    const { call, mint } = app;
    const token = await mint({
      scope: "pages.read users.read users.email.read",
      email: "a@recto.test",
    });
    const me = async () => (await call("GET /v2/users/me", { token })).json.person.email;
    assertEquals([await statusOfPage(app, "pages.read"), await me()], [404, "a@recto.test"]);
    const texts = await textsOf(stricter);
    await app.write(texts);
    assertEquals(await app.reload(), "adopted");
    assertEquals([await statusOfPage(app, "pages.read"), await me()], [403, undefined]);
    assertEquals(await statusOfPage(app, "pages.read blocks.read"), 404);
    const document = await call("GET /v2/openapi.json", { token: null });
    assertEquals(document.text, texts.document);
    assertEquals((await call("GET /v2/openapi/meta", { token: null })).text, texts.meta);
    assert((await scopesOf(app)).includes("people.read"));
  }));

Deno.test("a field that a reload guards disappears from cached responses", () =>
  withLiveApp(async (app) => {
    const id = await createPage(app);
    const tokens = [
      await app.mint({ scope: "pages.read" }),
      await app.mint({ scope: "pages.read search.read" }),
    ];
    const urls = async () =>
      await Promise.all(tokens.map(async (token) => {
        const { status, json } = await app.call(`GET /v2/pages/${id}`, { token });
        return [status, json.object, typeof json.url];
      }));
    const seen = [200, "page", "string"];
    for (let n = 0; n < 3; n++) assertEquals(await urls(), [seen, seen]);
    await app.write(
      await textsOf(policyText(({ fields }) => fields["page.url"] = ["search.read"])),
    );
    assertEquals(await app.reload(), "adopted");
    for (let n = 0; n < 3; n++) assertEquals(await urls(), [[200, "page", "undefined"], seen]);
    await app.write(await textsOf(policyText()));
    assertEquals(await app.reload(), "adopted");
    assertEquals(await urls(), [seen, seen]);
  }));

Deno.test("reloading unchanged files changes nothing", () =>
  withLiveApp(async (app) => {
    await app.write(await textsOf(policyText()));
    assertEquals(await app.reload(), "unchanged");
    assertEquals(app.events(), []);
  }));

Deno.test("rejected files change nothing, and the log, /readyz and the gauge report them", () =>
  withLiveApp(async (app) => {
    const before = await readiness(app);
    await app.write({ policy: stricter });
    assertEquals([await app.reload(), await app.reload()], ["refused", "refused"]);
    assertEquals(await statusOfPage(app, "pages.read"), 404);
    assertEquals((await scopesOf(app)).includes("people.read"), false);
    const { status, policy } = await readiness(app);
    assertEquals([status, policy.digest], ["ready", before.policy.digest]);
    assertEquals(policy.refused.digest, digestOf(parsePolicy(stricter)));
    assertStringIncludes(policy.refused.faults[0], `differ on "${PAGE}"`);
    assertMatch(policy.refused.since, /^\d{4}-\d\d-\d\dT/);
    const events = app.events();
    assertEquals(events.map(({ level, message }) => [level, message]), [
      ["error", "Policy rejected, the last valid one stays active"],
    ]);
    assertEquals(events[0]?.faults, policy.refused.faults);
    const metrics = (await app.call("GET /metrics", { token: null })).text;
    assertStringIncludes(metrics, `recto_policy_active_info{digest="${policy.digest}"`);
    assertStringIncludes(metrics, `recto_policy_refused_info{digest="${policy.refused.digest}"`);
    assertStringIncludes(metrics, 'recto_policy_reloads_total{result="refused"} 1\n');
  }));

Deno.test("a rejection ends when the files are corrected or restored", () =>
  withLiveApp(async (app) => {
    await app.write({ policy: "" });
    assertEquals(await app.reload(), "refused");
    await app.write({ policy: policyText() });
    assertEquals(await app.reload(), "unchanged");
    assertEquals((await readiness(app)).policy.refused, null);
    await app.write({ policy: stricter });
    assertEquals(await app.reload(), "refused");
    await app.write(await textsOf(stricter));
    assertEquals(await app.reload(), "adopted");
    assertEquals((await readiness(app)).policy.refused, null);
    const { text } = await app.call("GET /metrics", { token: null });
    assertEquals(text.includes("recto_policy_refused_info"), false);
    assertStringIncludes(text, 'recto_policy_reloads_total{result="adopted"} 1\n');
    assertEquals(app.events().map(({ message }) => message), [
      "Policy rejected, the last valid one stays active",
      "Policy files match the active policy again",
      "Policy rejected, the last valid one stays active",
      "Policy reloaded",
    ]);
  }));

Deno.test("a missing file is rejected by name, and the server keeps running", () =>
  withLiveApp(async (app) => {
    await Deno.remove(app.paths.meta);
    assertEquals(await app.reload(), "refused");
    const { policy: { refused } } = await readiness(app);
    assertStringIncludes(refused.faults[0], `${app.paths.meta} does not exist`);
    assertEquals([refused.digest, refused.policy_file, refused.document], [null, null, null]);
    assertEquals(await statusOfPage(app, "pages.read"), 404);
  }));

Deno.test("changed files are reloaded automatically, also if a file is replaced", () =>
  withLiveApp(async (app) => {
    const texts = await textsOf(stricter);
    await app.write({ document: texts.document, meta: texts.meta });
    await Deno.writeTextFile(`${app.paths.policy}.new`, texts.policy);
    await Deno.rename(`${app.paths.policy}.new`, app.paths.policy);
    const digest = digestOf(parsePolicy(stricter));
    await until(async () => (await readiness(app)).policy.digest === digest);
    assertEquals(await statusOfPage(app, "pages.read"), 403);
  }, { watched: true }));

Deno.test("concurrent reloads run one at a time", () =>
  withLiveApp(async (app) => {
    await app.write(await textsOf(stricter));
    const outcomes = await Promise.all([app.reload(), app.reload(), app.reload(), app.reload()]);
    assertEquals(outcomes.includes("refused"), false);
    assertEquals(outcomes.includes("adopted"), true);
    assertEquals(await app.reload(), "unchanged");
  }));

// deno-lint-ignore no-explicit-any -- a test reads into answers freely
async function readiness({ call }: LiveApp): Promise<any> {
  const { status, json } = await call("GET /readyz", { token: null });
  assertEquals(status, 200);
  return json;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!await holds()) {
    assert(performance.now() < end, "it did not come to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("a policy whose own statements are false is refused, and says which token refutes them", () =>
  withLiveApp(async (app) => {
    const stated = policyText((raw) => {
      raw.invariants = [{
        name: "Read scopes cannot write",
        tokens: { only: ["*.read"] },
        cannotCall: ["writes"],
      }];
      raw.routes["DELETE /v2/pages/:page_id"] = { anyOf: [["pages.write"], ["pages.read"]] };
    });
    await app.write(await textsOf(stated));
    assertEquals(await app.reload(), "refused");
    const { policy: { refused } } = await readiness(app);
    assertEquals(refused.faults.map((fault: string) => fault.replace(/^.*scopes.json: /, "")), [
      '"Read scopes cannot write" is false: a token with pages.read can call DELETE /v2/pages/:page_id',
    ]);
  }));

Deno.test("a reload that fails unexpectedly is refused like an invalid file", () =>
  withLiveApp(async (app) => {
    await app.write(await textsOf(stricter));
    assertEquals(await app.reload(), "refused");
    const { policy: { refused } } = await readiness(app);
    assertStringIncludes(refused.faults[0], "RangeError: Maximum call stack size exceeded");
    assertEquals(refused.digest, digestOf(parsePolicy(stricter)));
    const { text } = await app.call("GET /metrics", { token: null });
    assertStringIncludes(text, "recto_policy_refused_info{");
    assertStringIncludes(text, 'recto_policy_reloads_total{result="refused"} 1\n');
    assertEquals(await statusOfPage(app, "pages.read"), 404);
  }, {
    toSnapshot: () => {
      throw new RangeError("Maximum call stack size exceeded");
    },
  }));

Deno.test("a gate for approved changes lets through what only takes away", () =>
  withLiveApp(async (app) => {
    await app.write(
      await textsOf(policyText(({ routes }) => routes[PAGE] = ["pages.read", "blocks.read"])),
    );
    assertEquals([await app.reload(), await statusOfPage(app, "pages.read")], ["adopted", 403]);
    await app.write(await textsOf(policyText()));
    assertEquals([await app.reload(), await statusOfPage(app, "pages.read")], ["refused", 403]);
    await Deno.mkdir(app.approvals);
    await Deno.writeTextFile(`${app.approvals}/x.json`, "{");
    assertEquals(await app.reload(), "refused");
    const { policy: { refused } } = await readiness(app);
    assertStringIncludes(refused.faults.at(-1), "x.json:1:1: The file is not JSON");
  }, { gate: { mode: "approved", digest: undefined, now: () => 0 } }));

Deno.test("a pinned digest refuses every other meaning, and no other text", () =>
  withLiveApp(async (app) => {
    await app.write(await textsOf(stricter));
    assertEquals(await app.reload(), "refused");
    const { policy: { digest, refused } } = await readiness(app);
    assertStringIncludes(refused.faults[0], `RECTO_POLICY_DIGEST allows only ${digest}`);
    await app.write(await textsOf(policyText(({ scopes }) => scopes["pages.read"] = "See pages.")));
    assertEquals(await app.reload(), "adopted");
  }, { gate: { mode: "any", digest: digestOf(parsePolicy(policyText())), now: () => 0 } }));
