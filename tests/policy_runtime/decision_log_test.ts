import { createDecisionLog, type DecisionLog } from "../../src/policy_runtime/decision_log.ts";
import { openAppend } from "../../src/shared/line_writer.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { ANONYMOUS } from "../../src/auth/principal.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { UNKNOWN } from "../security/support.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { policyText } from "./support.ts";
import { withFolder } from "../support/folders.ts";

const POLICY = { digest: "0".repeat(64), policy: parsePolicy(policyText()) };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const allowed = {
  effect: "allow" as const,
  route: "GET /v2/users/:user_id",
  public: false,
  required: [["users.read"]],
  missing: [],
};

async function withDecisions(
  test: (app: TestApp, log: DecisionLog) => Promise<void>,
): Promise<string[]> {
  let text = "";
  await withFolder(async (folder) => {
    const append = await openAppend(`${folder}/decisions.jsonl`);
    const decisionLog = createDecisionLog({ append, now: () => NOW, onLoss: () => {} });
    await withApp((app) => test(app, decisionLog), { decisionLog });
    text = await Deno.readTextFile(`${folder}/decisions.jsonl`);
  });
  return text.split("\n");
}

Deno.test("every decision is logged when the app closes, except operational calls", async () => {
  let subject = "";
  const client = "recto-cli";
  const requests: unknown[] = [];
  const lines = await withDecisions(async ({ call, mint, lines }) => {
    const token = await mint({
      scope: "users.read unknown.scope pages.read",
    });
    const logged = async (line: string) => {
      const { headers } = await call(line, { token });
      requests.push(headers.get("x-request-id"));
    };
    await logged("GET /v2/users/me");
    subject = String(lines.at(-1)?.subject);
    await logged(`GET /v2/pages/${UNKNOWN}/content/markdown`);
    await logged("GET /v2/openapi/meta");
    await call("GET /healthz", { token });
    await call("GET /v2/users/me", { token: "no token" });
    await call("GET /nowhere", { token });
  });
  assertEquals(lines.pop(), "");
  const common = { time: "2026-01-02T03:04:05.678Z", policy: digestOf(parsePolicy(policyText())) };
  const hidden = ["user.person.email"];
  const scopes = ["pages.read", "unknown.scope", "users.read"];
  const caller = { client, subject, scopes, hidden };
  const decisions = lines.map((line) => JSON.parse(line));
  assertEquals(decisions.map(({ request }) => request), requests);
  assertEquals(decisions.map(({ request: _, ...decision }) => decision), [
    { ...common, ...caller, route: "GET /v2/users/:user_id", effect: "allow", missing: [] },
    {
      ...common,
      ...caller,
      route: "GET /v2/pages/:page_id/content/markdown",
      effect: "deny",
      missing: [["blocks.read"]],
    },
    {
      ...common,
      route: "GET /v2/openapi/meta",
      effect: "allow",
      missing: [],
      client: null,
      subject: null,
      scopes: [],
      hidden,
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
  log.observe(POLICY)(allowed, { ...ANONYMOUS, scopes }, "r1");
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
  const witness = log.observe(POLICY);
  for (let n = 0; n < 1_000; n++) witness(allowed, ANONYMOUS, "r1");
  const flushed = log.flush();
  const { dropped } = log.counts;
  assert(dropped > 0 && dropped < 1_000, `${dropped}`);
  assertEquals(told, ["Writing is too slow"]);
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
    log.observe(POLICY)(allowed, ANONYMOUS, "r1");
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
  withFolder(async (folder) => {
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
