import { createDecisionLog, type DecisionLog } from "../../src/policy_runtime/decision_log.ts";
import { openAppend } from "../../src/shared/line_writer.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { ANONYMOUS } from "../../src/auth/principal.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { UNKNOWN } from "../security/support.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { policyText } from "./support.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const allowed = {
  effect: "allow" as const,
  ...{ route: "GET /v2/users/:user_id", public: false, required: [["users.read"]], missing: [] },
};

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function withDecisions(
  test: (app: TestApp, log: DecisionLog) => Promise<void>,
): Promise<string[]> {
  let text = "";
  await inFolder(async (folder) => {
    const append = await openAppend(`${folder}/decisions.jsonl`);
    const decisionLog = createDecisionLog({ append, now: () => NOW, onLoss: () => {} });
    await withApp((app) => test(app, decisionLog), { decisionLog });
    text = await Deno.readTextFile(`${folder}/decisions.jsonl`);
  });
  return text.split("\n");
}

Deno.test("every decision is logged when the app closes, except operational calls", async () => {
  let subject = "";
  const lines = await withDecisions(async ({ call, mint, lines }) => {
    const token = await mint({ scope: "users.read unknown.scope pages.read" });
    await call("GET /v2/users/me", { token });
    subject = String(lines.at(-1)?.subject);
    await call(`GET /v2/pages/${UNKNOWN}/content/markdown`, { token });
    await call("GET /v2/openapi/meta", { token });
    await call("GET /healthz", { token });
    await call("GET /v2/users/me", { token: "no token" });
    await call("GET /nowhere", { token });
  });
  assertEquals(lines.pop(), "");
  const common = { time: "2026-01-02T03:04:05.678Z", policy: digestOf(parsePolicy(policyText())) };
  const client = "recto-cli";
  const caller = { subject, client, scopes: ["pages.read", "unknown.scope", "users.read"] };
  assertEquals(lines.map((line) => JSON.parse(line)), [
    { ...common, ...caller, route: "GET /v2/users/:user_id", effect: "allow", missing: [] },
    {
      ...{ ...common, ...caller, route: "GET /v2/pages/:page_id/content/markdown" },
      ...{ effect: "deny", missing: [["blocks.read"]] },
    },
    {
      ...{ ...common, route: "GET /v2/openapi/meta", effect: "allow", missing: [] },
      ...{ subject: null, scopes: [] },
    },
  ]);
  assertMatch(subject, /^[0-9a-f]{16}$/);
});

Deno.test("no line contains a token, a name or input of a client", async () => {
  const secrets: string[] = [];
  const lines = await withDecisions(async ({ call, mint }) => {
    const token = await mint({ sub: "SENTINEL-sub", name: "SENTINEL", email: "SENTINEL@x.test" });
    secrets.push("SENTINEL", token, token.split(".")[2] ?? "", UNKNOWN);
    await call(`GET /v2/pages/${UNKNOWN}?filter_properties=SENTINEL`, { token });
    await call("POST /v2/pages", { token, body: { SENTINEL: 1 } });
  });
  assertEquals(lines.length, 3);
  for (const secret of secrets) assert(!lines.join("\n").includes(secret), secret);
});

Deno.test("a scope with special characters does not break a line", async () => {
  const texts: string[] = [];
  const append = (text: string) => Promise.resolve(void texts.push(text));
  const log = createDecisionLog({ append, now: () => NOW, onLoss: () => {} });
  const scopes = new Set(['"}\n{"', "\ud800", "__proto__"]);
  log.observe("0")(allowed, { ...ANONYMOUS, scopes });
  await log.flush();
  const [line = "", rest] = texts.join("").split("\n");
  assertEquals([JSON.parse(line).scopes, rest], [[...scopes].sort(), ""]);
});

Deno.test("an unwritable file does not affect calls, and losses are counted and reported once", async () => {
  const told: unknown[] = [];
  let release = () => {};
  const append = () => new Promise<void>((resolve) => release = resolve);
  const onLoss = (reason: unknown) => void told.push(reason);
  const log = createDecisionLog({ append, now: () => NOW, onLoss, maxBuffered: 70_000 });
  const witness = log.observe("0".repeat(64));
  for (let n = 0; n < 1_000; n++) witness(allowed, ANONYMOUS);
  const { dropped } = log.counts;
  assert(dropped > 0 && dropped < 1_000, `${dropped}`);
  assertEquals(told, ["Writing is too slow"]);
  const flushed = log.flush();
  // The first batch was on its way before the rest waited.
  while (log.counts.written + dropped < 1_000) {
    release();
    await new Promise((resolve) => setTimeout(resolve));
  }
  release();
  await flushed;
  assertEquals(log.counts, { written: 1_000 - dropped, dropped });
});

Deno.test("a failed write is reported once, and the next successful one ends the loss", async () => {
  const told: unknown[] = [];
  let isFull = true;
  const append = () => isFull ? Promise.reject(new Error("No space")) : Promise.resolve();
  const log = createDecisionLog({ append, now: () => NOW, onLoss: (reason) => told.push(reason) });
  const write = async () => {
    log.observe("0")(allowed, ANONYMOUS);
    await log.flush();
  };
  await write();
  await write();
  assertEquals([told.map(String), log.counts.dropped], [["Error: No space"], 2]);
  isFull = false;
  await write();
  isFull = true;
  await write();
  assertEquals([told.length, { ...log.counts }], [2, { written: 1, dropped: 3 }]);
});

Deno.test("openAppend() separates an incomplete line from the next, and reopens a moved file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/log`;
    await Deno.writeTextFile(path, '{"half');
    const append = await openAppend(path);
    await append("one\n");
    await append("two\n");
    assertEquals(await Deno.readTextFile(path), '{"half\none\ntwo\n');
    await Deno.rename(path, `${path}.1`);
    await append("three\n");
    assertEquals(await Deno.readTextFile(path), "three\n");
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));
