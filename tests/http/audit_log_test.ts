import { createAuditLog } from "../../src/http/audit_log.ts";
import { newPage, paragraph, succeed } from "../api/driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { assert, assertEquals } from "../assert.ts";

const NOW = Date.UTC(2026, 0, 2);

interface Audited extends TestApp {
  /** Lines so far, parsed. */
  audited(): Promise<Record<string, unknown>[]>;
  readonly text: () => string;
}

async function withAudit(test: (app: Audited) => Promise<void>): Promise<void> {
  let text = "";
  const auditLog = createAuditLog({
    append: (more) => void (text += more),
    now: () => NOW,
    onLoss: () => {},
  });
  const audited = async () => {
    await auditLog.flush();
    return text.trimEnd().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  };
  await withApp((app) => test({ ...app, audited, text: () => text }), { auditLog });
}

Deno.test("the audit log says who did what, to which objects, and with what outcome", () =>
  withAudit(async (app) => {
    const token = await app.mint({ sub: "ann", workspace: "w" });
    const { id: user } = await succeed(app, "GET /v2/users/me", { token });
    const page = await newPage(app, { title: "Harbour", token });
    const { results } = await succeed(app, `PATCH /v2/blocks/${page}/children`, {
      token,
      body: { children: [paragraph("Gulls"), paragraph("Terns")] },
      headers: { "x-request-id": "mine" },
    });
    await app.call(`GET /v2/pages/${page.replaceAll("-", "").toUpperCase()}`, { token });
    const [, create, append, read] = await app.audited();
    assertEquals(create, {
      time: new Date(NOW).toISOString(),
      request_id: create?.request_id,
      workspace: "w",
      user_id: user,
      client: "recto-cli",
      method: "POST",
      route: "/v2/pages",
      ids: [page],
      outcome: "ok",
      status: 200,
    });
    const blocks = results.map(({ id }: { id: string }) => id);
    assertEquals([append?.ids, append?.request_id], [[page, ...blocks], "mine"]);
    assertEquals([read?.ids, read?.route], [[page], "/v2/pages/:page_id"]);
  }));

Deno.test("the audit log has the IDs of all pages that one request creates", () =>
  withAudit(async (app) => {
    const line = JSON.stringify({ parent: { workspace: true }, properties: {} });
    const { text } = await app.call("POST /v2/pages", {
      body: `${line}\n${line}\n`,
      headers: { "content-type": "application/jsonl" },
    });
    const ids = text.trimEnd().split("\n").map((one) => JSON.parse(one).id);
    assertEquals((await app.audited()).at(-1)?.ids, ids);
  }));

Deno.test("the audit log has refused calls with their error code, and no call without a token", () =>
  withAudit(async (app) => {
    const token = await app.mint({ scope: "pages.read" });
    const page = crypto.randomUUID();
    await app.call(`DELETE /v2/pages/${page}`, { token });
    await app.call(`GET /v2/pages/${page}`, { token });
    await app.call(`GET /v2/pages/${page}`, { token: null });
    await app.call(`GET /v2/pages/${page}`, { token: "nonsense" });
    const lines = await app.audited();
    assertEquals(
      lines.map(({ outcome, status, ids }) => [outcome, status, ids]),
      [["forbidden", 403, [page]], ["object_not_found", 404, [page]]],
    );
  }));

Deno.test("the audit log never holds content, nor what a path holds besides IDs", () =>
  withAudit(async (app) => {
    const page = await newPage(app, { title: "Secret harbour" });
    await succeed(app, `PATCH /v2/blocks/${page}/children`, {
      body: { children: [paragraph("Secret gulls")] },
    });
    await app.call("GET /v2/pages/secret-path");
    await app.call("POST /v2/search", { body: { query: "secret question" } });
    await app.audited();
    assert(app.text().includes(page));
    assert(!/secret/i.test(app.text()), app.text());
  }));

Deno.test("the audit log says how many lines it dropped, where they are missing", async () => {
  let text = "";
  let isFull = true;
  const losses: unknown[] = [];
  const log = createAuditLog({
    append: (more) => {
      if (isFull) throw new Error("No space left");
      text += more;
    },
    now: () => NOW,
    onLoss: (reason) => losses.push(reason),
  });
  await withApp(async (app) => {
    const token = await app.mint();
    await app.call("GET /v2/users/me", { token });
    await log.flush();
    isFull = false;
    await app.call("GET /v2/users/me", { token });
    await log.flush();
  }, { auditLog: log });
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ dropped, route }) => dropped ?? route), ["/v2/users/:user_id", 1]);
  assertEquals([losses.length, log.counts], [1, { written: 1, dropped: 1 }]);
});
