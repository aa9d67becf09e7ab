import { createEngine, type Engine } from "../../src/policy/engine.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { UNKNOWN } from "../security/support.ts";
import { BLOCK, type LiveApp, PAGE, policyText, textsOf, withLiveApp } from "./support.ts";
import type { RewriteOrder } from "./rewriter.ts";

const REWRITES = 10_000;

/**
 * As long as ours up to its fields: half of one and half of the other is a policy that nobody wrote,
 * and nothing in the file tells.
 */
const swapped = policyText(({ routes, fields }) => {
  [routes[PAGE], routes[BLOCK]] = [["blocks.read"], ["pages.read"]];
  routes["GET /v2/pages/:page_id/content/markdown"] = ["blocks.read", "pages.read"];
  fields["user.person.email"] = ["users.email.read", "search.read"];
});

Deno.test("10,000 rewrites in place under load: every response follows exactly one policy", () =>
  withLiveApp(async (app) => {
    const versions = [await textsOf(swapped), await textsOf(policyText())] as const;
    const reloads = new SharedArrayBuffer(4);
    using rewriter = startRewriter({ paths: app.paths, versions, rewrites: REWRITES, reloads });
    const seen = { adopted: 0, unchanged: 0, refused: 0, failed: 0 };
    const judge = await createJudge(app, [swapped, policyText()]);
    while (!rewriter.isDone()) {
      const [outcome] = await Promise.all([app.reload(), judge(), judge()]);
      seen[outcome]++;
      Atomics.add(new Int32Array(reloads), 0, 1);
      Atomics.notify(new Int32Array(reloads), 0);
    }
    assertEquals(seen.failed, 0);
    // A file is left whole, and left wrong, until reloads have seen it so.
    assert(seen.adopted > 50 && seen.refused > 200, JSON.stringify(seen));
    await app.reload();
    assertEquals(await app.reload(), "unchanged");
  }, { environment: { RECTO_LOG_LEVEL: "off" } }));

function startRewriter(order: RewriteOrder): Disposable & { isDone(): boolean } {
  const worker = new Worker(new URL("./rewriter.ts", import.meta.url), { type: "module" });
  let done = false;
  worker.onmessage = () => {
    done = true;
  };
  worker.postMessage(order);
  return { isDone: () => done, [Symbol.dispose]: () => worker.terminate() };
}

/** Asks the app all that its policy decides, and refuses what neither policy says. */
async function createJudge(
  { call, mint, app }: LiveApp,
  policies: readonly string[],
): Promise<() => Promise<void>> {
  const engines = new Map(policies.map((text): [string, Engine] => {
    const policy = parsePolicy(text);
    return [digestOf(policy), createEngine(policy)];
  }));
  const scopes = new Set(["pages.read", "users.read", "users.email.read"]);
  const token = await mint({ scope: [...scopes].join(" "), email: "a@recto.test" });
  const ask = (path: string) => call(`GET ${path}`, { token });
  return async () => {
    const digest = app.policies.status.active.digest;
    // What is asked at one moment is answered by one policy, however long the answers take.
    const [page, block, me] = await Promise.all([
      ask(`/v2/pages/${UNKNOWN}`),
      ask(`/v2/blocks/${UNKNOWN}`),
      ask("/v2/users/me"),
    ]);
    const engine = engines.get(digest);
    assert(engine !== undefined, `neither policy has the digest ${digest}`);
    const grant = engine.grant(scopes);
    for (const [route, answer] of [[PAGE, page], [BLOCK, block]] as const) {
      const { effect, missing } = engine.decide(route, grant);
      assertEquals(answer.status, effect === "allow" ? 404 : 403);
      if (effect === "deny") assertEquals(answer.json.missing_scopes, missing[0]);
    }
    const isHidden = engine.hiddenFields(grant).length > 0;
    assertEquals(me.json.person.email, isHidden ? undefined : "a@recto.test");
  };
}
