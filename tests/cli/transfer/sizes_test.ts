import { newDatabase, newRow, titled } from "../../api/database_driver.ts";
import { append, newPage, paragraph, succeed } from "../../api/driver.ts";
import { assertEquals, assertStringIncludes } from "../../assert.ts";
import { divideValues } from "../../../src/cli/import/jsonl/value_requests.ts";
import type { JsonObject } from "../../../src/cli/transfer/json.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { documentsIn } from "./documents.ts";
import { textsIn, type Transfer, withTransfer } from "./transfer_driver.ts";

/** The longest text, of characters that take three bytes each. */
const TEXT = { text: { content: "漢".repeat(2_000) } };

function longText(items: number): object[] {
  return Array(items).fill(TEXT);
}

/** Exports what `create` makes, imports it elsewhere, and asserts that it is the same there. */
async function assertCarried(
  { folder, exportTo, importInto }: Transfer,
  create: (app: TestApp) => Promise<unknown>,
): Promise<void> {
  await withApp(async (app) => {
    await create(app);
    await exportTo(app, "a", "--format", "jsonl");
  });
  await withApp(async (app) => {
    const { code, stdout, stderr } = await importInto(app, "a");
    assertEquals(code, 0, stdout + stderr);
    await exportTo(app, "b", "--format", "jsonl");
  });
  assertEquals(await documentsIn(`${folder}/b`), await documentsIn(`${folder}/a`));
}

Deno.test("a page of characters with three bytes is imported in requests that the API takes", () =>
  withTransfer((transfer) =>
    assertCarried(transfer, async (app) => {
      const page = await newPage(app, { title: "漢" });
      const children = Array(50).fill({ paragraph: { rich_text: longText(2) } });
      for (let n = 0; n < 2; n++) await append(app, page, { children });
    })
  ));

Deno.test("a table is imported whose first rows do not fit into one request", () =>
  withTransfer((transfer) =>
    assertCarried(transfer, async (app) => {
      const row = { table_row: { cells: [longText(50)] } };
      const page = await newPage(app, {
        children: [{ table: { table_width: 1, children: [row, row] } }, paragraph("after it")],
      });
      const { results: [table] } = await succeed(app, `GET /v2/blocks/${page}/children`);
      await append(app, table.id, { children: [row, row] });
    })
  ));

Deno.test("a row whose values take several requests is imported with all of them", () =>
  withTransfer((transfer) =>
    assertCarried(transfer, async (app) => {
      const names = ["A", "B", "C"];
      const home = await newPage(app);
      const { id } = await newDatabase(
        app,
        Object.fromEntries(names.map((name) => [name, { rich_text: {} }])),
        { parent: { page_id: home } },
      );
      const row = await newRow(app, id, { Name: titled("Long") });
      const later = await newRow(app, id, { Name: titled("Named before it is there") });
      for (const name of names) {
        const mention = name === "C" ? [{ mention: { page: { id: later.id } } }] : [];
        const body = { properties: { [name]: { rich_text: [...longText(60), ...mention] } } };
        await succeed(app, `PATCH /v2/pages/${row.id}`, { body });
      }
    })
  ));

Deno.test("values are divided by their bytes, in order, and one that is larger stands alone", () => {
  const [small, large] = [{ number: 1 }, { rich_text: longText(100) as JsonObject[] }];
  assertEquals(divideValues({}), [{}]);
  assertEquals(divideValues({ a: small, b: large, c: small, d: small }), [
    { a: small },
    { b: large },
    { c: small, d: small },
  ]);
});

Deno.test("a block that is too large for one request is reported, and all behind it is imported", () =>
  withTransfer(async ({ folder, exportTo, importInto }) => {
    let page = "";
    await withApp(async (app) => {
      page = await newPage(app);
      const [code] = await append(app, page, {
        children: [{ code: { rich_text: longText(100), language: "abap" } }, paragraph("behind")],
      });
      const body = { code: { caption: longText(100) } };
      await succeed(app, `PATCH /v2/blocks/${code?.id}`, { body });
      await newPage(app, { title: "Another", children: [paragraph("on another page")] });
      await exportTo(app, "a", "--format", "jsonl");
    });
    await withApp(async (app) => {
      const { code, stdout } = await importInto(app, "a");
      assertEquals(code, 1);
      assertStringIncludes(stdout, `Body is larger than 1048576 bytes (1)\n    ${page}\n`);
      await exportTo(app, "b", "--format", "jsonl");
    });
    const imported = [...textsIn(`${folder}/b/pages`).values()].join("");
    for (const text of ["behind", "on another page"]) assertStringIncludes(imported, text);
  }));
