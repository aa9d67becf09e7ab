import { childrenOf, idsOf, newPage, paragraph, succeed, text } from "../../api/driver.ts";
import { newDatabase, newRow, titled } from "../../api/database_driver.ts";
import { tokenOf } from "../../api/every_type.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { documentsIn } from "./documents.ts";
import { createEverything } from "./everything.ts";
import { textsIn, withTransfer } from "./transfer_driver.ts";

/** Users have the same IDs wherever they come from the same issuer. */
async function signIn(app: TestApp, ...names: string[]): Promise<void> {
  for (const name of names) {
    await succeed(app, "GET /v2/users/me", { token: await tokenOf(app, name) });
  }
}

Deno.test("a workspace with everything, exported as JSON lines and imported, has equal documents", () =>
  withTransfer(async ({ folder, exportTo, importInto }) => {
    await withApp(async (app) => {
      await createEverything(app);
      const { code, stdout } = await exportTo(app, "a", "--format", "jsonl");
      assertEquals(code, 0, stdout);
      assertStringIncludes(stdout, "4 comments");
    });
    await withApp(async (app) => {
      await signIn(app, "Ann", "Bob");
      const { code, stdout, stderr } = await importInto(app, "a");
      assertEquals(code, 0, stdout + stderr);
      await exportTo(app, "b", "--format", "jsonl");
    });
    const [before, after] = [await documentsIn(`${folder}/a`), await documentsIn(`${folder}/b`)];
    assertEquals(after.length, before.length);
    for (const [index, document] of before.entries()) assertEquals(after[index], document);
  }));

Deno.test("comments of others keep the names of their authors, and replies their discussion", () =>
  withTransfer(async ({ exportTo, importInto }) => {
    await withApp(async (app) => {
      const page = await newPage(app, { title: "Notes", children: [paragraph("By the river")] });
      const [block = ""] = idsOf(await childrenOf(app, page));
      // A custom name has at most 100 characters.
      const token = await app.mint({ sub: "Ann", name: "A".repeat(150) });
      const first = await comment(
        app,
        { parent: { block_id: block }, rich_text: text("Why?") },
        token,
      );
      await comment(app, { discussion_id: first.discussion_id, rich_text: text("Because") });
      await exportTo(app, "a", "--format", "jsonl");
    });
    await withApp(async (app) => {
      const { code, stdout } = await importInto(app, "a");
      assertEquals(code, 0, stdout);
      const { results: [{ id: page }] } = await succeed(app, "POST /v2/search", { body: {} });
      const [block = ""] = idsOf(await childrenOf(app, page));
      const { results } = await succeed(app, `GET /v1/comments?block_id=${block}`, { headers: V1 });
      const seen = results.map((one: Record<string, Record<string, unknown>>) => [
        ...[one.display_name?.type, one.display_name?.resolved_name],
        one.discussion_id === results[0].discussion_id,
      ]);
      assertEquals(seen.map(([type]: unknown[]) => type), ["custom", "user"]);
      assertEquals(seen.map(([, name]: unknown[]) => name)[0], "A".repeat(100));
      assertEquals(seen.map(([, , same]: unknown[]) => same), [true, true]);
    });
  }));

Deno.test("a comment on a database is carried", () =>
  withTransfer(async ({ folder, exportTo, importInto }) => {
    await withApp(async (app) => {
      const { id } = await newDatabase(app);
      await comment(app, { parent: { block_id: id }, rich_text: text("On a database") });
      const { stdout } = await exportTo(app, "a", "--format", "jsonl");
      assertStringIncludes(stdout, "1 comment,");
    });
    await withApp(async (app) => {
      const { code, stdout } = await importInto(app, "a");
      assertEquals(code, 0, stdout);
      await exportTo(app, "b", "--format", "jsonl");
    });
    assertEquals(await documentsIn(`${folder}/b`), await documentsIn(`${folder}/a`));
  }));

Deno.test("what is locked is locked after an import", () =>
  withTransfer(async ({ folder, exportTo, importInto }) => {
    await withApp(async (app) => {
      const { id } = await newDatabase(app);
      const locked = await newRow(app, id, { Name: titled("Locked") });
      await newRow(app, id, { Name: titled("Open") });
      for (const path of [`pages/${locked.id}`, `databases/${id}`]) {
        await succeed(app, `PATCH /v1/${path}`, { headers: V1, body: { is_locked: true } });
      }
      await exportTo(app, "a", "--format", "jsonl");
    });
    await withApp(async (app) => {
      const { code, stdout } = await importInto(app, "a");
      assertEquals(code, 0, stdout);
      await exportTo(app, "b", "--format", "jsonl");
    });
    assertEquals(await documentsIn(`${folder}/b`), await documentsIn(`${folder}/a`));
    const texts = [...textsIn(`${folder}/b`).values()].join("");
    assertEquals(texts.split('"is_locked":true').length - 1, 2);
  }));

Deno.test("a server without /v1 exports all but comments, and says so", () =>
  withTransfer(async ({ exportTo }) => {
    await withApp(async (app) => {
      await newPage(app, { title: "Notes" });
      const { code, stdout } = await exportTo(app, "a", "--format", "jsonl");
      assertEquals(code, 0, stdout);
      assertStringIncludes(stdout, "does not serve /v1");
    }, { environment: { RECTO_NOTION_API: "false" } });
  }));

const V1 = { "notion-version": "2022-06-28" };

function comment(app: TestApp, body: object, token?: string) {
  const options = { headers: V1, body, ...(token !== undefined && { token }) };
  return succeed(app, "POST /v1/comments", options);
}
