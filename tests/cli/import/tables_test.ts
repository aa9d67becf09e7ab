/**
 * Imports of tables: CSV, TSV and XLSX.
 *
 * @module
 */
import { ApiError } from "../../../src/cli/transfer/api_error.ts";
import { OperatorError } from "../../../src/store/operator_error.ts";
import { query } from "../../api/database_driver.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../../assert.ts";
import type { TestApp } from "../../support/app.ts";
import { outline, withImports, zipOf } from "./support.ts";

Deno.test("types are shown before they are used, and can be chosen", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.tsv": 'Name\tCode\tNote\nA\t12\t"two\nlines"\nB\t7\t\n' });
    const { shown } = await run("t.tsv", { options: { plan: true } });
    assertStringIncludes(shown, 'Code  number                    2 values, such as "12"');
    assertStringIncludes(shown, "The source is files: 1 page, 1 database with 2 rows\n");
    await run("t.tsv", { options: { types: "Code=rich_text" } });
    assertEquals(
      await outline(app),
      `page t
  database t (Code:rich_text, Name:title, Note:rich_text)
    row A; Code=12; Note=two
lines
    row B; Code=7`,
    );
  });
});

Deno.test("a type of a column that is not there is refused", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.csv": "Name,Amount\na,1\n" });
    const importing = run("t.csv", { options: { types: "Amout=number" } });
    await assertRejects(() => importing, OperatorError, 'Did you mean "Amount"?');
    assertEquals(await outline(app), "");
  });
});

Deno.test("columns without a name or with the same name get names of their own", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.csv": "__proto__,a,A,\nx,1,2,3\n" });
    await run("t.csv");
    assertStringIncludes(
      await outline(app),
      "database t (A 2:number, Column 4:number, __proto__:title, a:number)",
    );
  });
});

Deno.test("a value that does not fit its chosen type is left out and reported", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.csv": "Name,Age\nAda,36\nBob,old\n" });
    const { report } = await run("t.csv", { options: { types: "Age=number" } });
    assertStringIncludes(await outline(app), "row Ada; Age=36\n    row Bob");
    assertEquals(report.omissions(), ['t.csv#row 2: "old" in column Age is not a number']);
  });
});

Deno.test("all rows of a table come, and each once", async () => {
  await withImports(async ({ app, write, run }) => {
    const names = Array.from({ length: 450 }, (_, at) => `Row ${at}`);
    await write({ "t.csv": `Name\r\n${names.join("\r\n")}\r\n` });
    const { report } = await run("t.csv");
    assertEquals(report.counted("rows"), 450);
    const { json: { results } } = await app.call("POST /v2/search", {
      body: { filter: { property: "object", value: "database" } },
    });
    const found: string[] = [];
    for (let cursor: string | undefined, isEnd = false; !isEnd;) {
      const body = cursor === undefined ? {} : { start_cursor: cursor };
      const { json } = await app.call(`POST /v2/databases/${results[0].id}/query`, { body });
      for (const row of json.results) found.push(row.properties.Name.title[0].plain_text);
      cursor = json.next_cursor;
      isEnd = json.next_cursor === null;
    }
    assertEquals(found.toSorted(), names.toSorted());
  });
});

Deno.test("of many rows one that is refused is reported, and all others come", async () => {
  await withImports(async ({ app, write, run }) => {
    const lines = Array.from({ length: 120 }, (_, at) => `Row ${at},${at}@recto.test`);
    lines[7] = `Row 7,${"x".repeat(200)}@recto.test`;
    await write({ "t.csv": `Name,Mail\n${lines.join("\n")}\n` });
    const types = { options: { types: "Mail=email" } };
    const { report } = await run("t.csv", types);
    assertEquals(report.counted("rows"), 119);
    const [omission = "", ...others] = report.omissions();
    assertStringIncludes(omission, "t.csv#row 8: POST /v2/pages: body failed validation");
    assertEquals(others, []);
    const again = await run("t.csv", types);
    assertEquals(again.report.counted("rows"), 119);
    assertEquals(await rowCount(app), 119);
  });
});

Deno.test("rows whose reply was lost are not created again", async () => {
  await withImports(async ({ app, write, run }) => {
    const lines = Array.from({ length: 250 }, (_, at) => `Row ${at}`);
    await write({ "t.csv": `Name\n${lines.join("\n")}\n` });
    let isLost = false;
    const fetch = async (request: Request) => {
      const response = await app.send(request);
      isLost ||= request.headers.get("content-type") === "application/jsonl";
      return isLost ? new Response("{}", { status: 401 }) : response;
    };
    await assertRejects(() => run("t.csv", { fetch }), ApiError);
    assert(await rowCount(app) > 0);
    const { report, requests } = await run("t.csv");
    assertEquals([report.counted("rows"), await rowCount(app)], [250, 250]);
    assert(requests < 10, `${requests} requests for 250 rows`);
  });
});

Deno.test("rows that an earlier version has created one by one are not created again", async () => {
  await withImports(async ({ app, folder, write, run }) => {
    await write({ "t.csv": "Name\nA\nB\nC\n" });
    let isOld = true;
    const fetch = (request: Request) =>
      isOld && request.headers.get("content-type") === "application/jsonl"
        ? Promise.resolve(new Response("{}", { status: 415 }))
        : Promise.resolve(app.send(request));
    await run("t.csv", { fetch });
    const journal = `${folder}/t.csv.recto-import`;
    const lines = (await Deno.readTextFile(journal)).split("\n")
      .filter((line) => !line.includes("one by one") && !line.includes("row 3"));
    await Deno.writeTextFile(journal, lines.join("\n"));
    isOld = false;
    await run("t.csv", { fetch });
    assertEquals(await rowCount(app), 3);
  });
});

/** Rows of the only database. */
async function rowCount(app: TestApp): Promise<number> {
  const { json } = await app.call("POST /v2/search", {
    body: { filter: { property: "object", value: "database" } },
  });
  return (await query(app, json.results[0].id)).length;
}

const SHEET = (rows: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const CELL = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const MAIN = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const WORKBOOK = {
  "[Content_Types].xml":
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  "xl/workbook.xml":
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${MAIN}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Places" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels":
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${MAIN}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${MAIN}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${MAIN}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml":
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
  "xl/worksheets/sheet1.xml": SHEET(
    `<row r="1">${CELL("A1", "Name")}${CELL("B1", "Age")}${CELL("C1", "Since")}</row>` +
      `<row r="2">${
        CELL("A2", "Ada")
      }<c r="B2"><v>36</v></c><c r="C2" s="1"><v>45292</v></c></row>`,
  ),
  "xl/worksheets/sheet2.xml": SHEET(
    `<row r="1">${CELL("A1", "Name")}</row><row r="2">${CELL("A2", "London")}</row>`,
  ),
};

Deno.test("each sheet of an XLSX file is a database", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "book.xlsx": zipOf(WORKBOOK) });
    await run("book.xlsx");
    assertEquals(
      await outline(app),
      `page book
  database book: People (Age:number, Name:title, Since:date)
    row Ada; Age=36; Since=2024-01-01
  database book: Places (Name:title)
    row London`,
    );
  });
});
