import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { nameOf, newDatabase, valuesOf } from "./database_driver.ts";
import { childrenOf, succeed, text } from "./driver.ts";

Deno.test("front matter sets the values of matching properties, and stays as code if a name has no match", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, {
      Stage: { select: {} },
      Tags: { multi_select: {} },
      Hours: { number: {} },
      Done: { checkbox: {} },
      Due: { date: {} },
      Note: { rich_text: {} },
    });
    const markdown = [
      "---",
      "Name: From a file",
      "Stage: Draft",
      "Tags: [a, b]",
      "Hours: 3.5",
      "Done: true",
      "Due: 2026-12-01",
      "Note: from the file",
      "---",
      "# Heading",
    ].join("\n");
    const row = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: id },
        properties: { Note: { rich_text: text("given") } },
        markdown,
      },
    });
    const values = valuesOf(row);
    assertEquals(nameOf(row), "From a file");
    assertEquals((values.Stage as { name: string }).name, "Draft");
    assertEquals((values.Tags as { name: string }[]).map(({ name }) => name), ["a", "b"]);
    assertEquals([values.Hours, values.Done], [3.5, true]);
    assertEquals(values.Due, { start: "2026-12-01", end: null, time_zone: null });
    assertEquals((values.Note as { plain_text: string }[])[0]?.plain_text, "given");
    assertEquals((await childrenOf(app, row.id)).map(({ type }) => type), ["heading_1"]);
    const other = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: id },
        properties: {},
        markdown: "---\nHours: 1\nElse: x\n---\ntext",
      },
    });
    assertEquals(valuesOf(other).Hours, 1);
    const types = (await childrenOf(app, other.id)).map(({ type }) => type);
    assertEquals(types, ["code", "paragraph"]);
  }));

Deno.test("a value in front matter that its property rejects is an issue of the Markdown", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Stage: { status: {} } });
    const { status, json } = await app.call("POST /v2/pages", {
      body: {
        parent: { database_id: id },
        properties: {},
        markdown: "---\nStage: Nowhere\n---\n",
      },
    });
    assertEquals(status, 400);
    assertEquals(json.errors[0].pointer, "/markdown");
  }));

const NO_VALUES = {
  "with a NUL": 'Name: "a\\0b"',
  "with half a character": 'Name: "a\\uD83D"',
  "with a NUL in a name": '"N\\0": x',
  "with a NUL in a list, after what can be read": 'Name: x\nTags: [a, "\\0"]',
  "that is broken": "Name: [x",
  "that is a list": "- Name",
};

for (const [form, yaml] of Object.entries(NO_VALUES)) {
  Deno.test(`front matter ${form} sets no values of a row and stays as code`, () =>
    withApp(async (app) => {
      const { id } = await newDatabase(app, { Tags: { multi_select: {} } });
      const markdown = `---\n${yaml}\n---\n`;
      const body = { parent: { database_id: id }, properties: {}, markdown };
      const row = await succeed(app, "POST /v2/pages", { body });
      assertEquals([nameOf(row), valuesOf(row).Tags], ["", []]);
      const [code, ...others] = await childrenOf(app, row.id);
      const { rich_text } = code?.code as { readonly rich_text: { readonly plain_text: string }[] };
      assertEquals([rich_text[0]?.plain_text, others], [yaml, []]);
    }));
}
