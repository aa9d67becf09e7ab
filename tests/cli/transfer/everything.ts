/**
 * A workspace with everything in it: every type of block, property and text, files, and shapes that
 * an importer has to work for.
 *
 * @module
 */
import { everyType } from "../../api/every_type.ts";
import { append, newPage, paragraph, succeed, text, toggle } from "../../api/driver.ts";
import { upload } from "../../api/file_driver.ts";
import { newDatabase } from "../../api/database_driver.ts";
import type { TestApp } from "../../support/app.ts";

/** Creates the workspace; returns the ID of its main page. */
export async function createEverything(app: TestApp): Promise<string> {
  const image = await upload(app, "bytes of an image", {
    filename: "Über: alles.png",
    content_type: "image/png",
  });
  const main = await succeed(app, "POST /v2/pages", {
    body: {
      parent: { workspace: true },
      properties: { title: text("Everything / all of it") },
      icon: { file_upload: { id: image } },
      cover: { external: { url: "https://example.org/cover.png" } },
    },
  });
  const schema = await everyType(app);
  await fillEveryType(app, schema, image);
  const inner = await newPage(app, { title: "Inner", parent: { page_id: main.id } });
  await append(app, main.id, { children: everyBlock({ image, inner, ...schema, main: main.id }) });
  await newPage(app, { title: "Behind all blocks", parent: { page_id: main.id } });
  await append(app, main.id, { children: [paragraph("Last words")] });
  await append(app, main.id, { children: [paragraph("First words")], position: { type: "start" } });
  await addShapes(app, inner);
  await addSynced(app, main.id);
  await addComments(app, { main: main.id, image, inner });
  await addDatabases(app, inner);
  // Its title names a page that comes later.
  const later = await newPage(app, { title: "Later" });
  await succeed(app, `PATCH /v2/pages/${main.id}`, {
    body: {
      properties: { title: [...text("Everything before "), { mention: { page: { id: later } } }] },
    },
  });
  return main.id;
}

/** On a page, on a block in it and on one further in, with a reply, a file and a mention. */
async function addComments(
  app: TestApp,
  { main, image, inner }: { readonly main: string; readonly image: string; readonly inner: string },
): Promise<void> {
  const comment = (body: Readonly<Record<string, unknown>>) =>
    succeed(app, "POST /v1/comments", { headers: { "notion-version": "2022-06-28" }, body });
  const first = await comment({ parent: { page_id: main }, rich_text: text("On the page") });
  const { results } = await succeed(app, `GET /v2/blocks/${main}/children`);
  const holder =
    results.find(({ has_children: has, type }: { has_children: boolean; type: string }) =>
      has && type === "toggle"
    ) ?? results[0];
  await comment({
    parent: { block_id: holder.id },
    rich_text: [...text("On a block, see "), { mention: { page: { id: inner } } }],
    attachments: [{ file_upload_id: image }],
    display_name: { type: "custom", custom: { name: "Reviewer" } },
  });
  await comment({ discussion_id: first.discussion_id, rich_text: text("A reply") });
  await comment({ parent: { page_id: inner }, rich_text: text("On another page") });
}

interface Things {
  readonly image: string;
  readonly inner: string;
  readonly main: string;
  readonly id: string;
  readonly ann: string;
}

function everyText({ inner, main, id, ann }: Things): object[] {
  const annotations = { bold: true, italic: true, underline: true, color: "red_background" };
  return [
    { text: { content: "Styled" }, annotations },
    { text: { content: "link", link: { url: "https://example.org/" } } },
    { text: { content: "to a page", link: { url: `http://recto.test/v2/pages/${inner}` } } },
    { equation: { expression: "E = mc^2" } },
    { mention: { user: { id: ann } } },
    { mention: { page: { id: main } } },
    { mention: { database: { id } } },
    { mention: { date: { start: "2026-01-02", end: "2026-01-03" } } },
    { mention: { template_mention: { template_mention_date: "today" } } },
    {
      mention: {
        custom_emoji: { id: crypto.randomUUID(), name: "bufo", url: "https://e.org/b.png" },
      },
    },
  ];
}

function everyBlock(things: Things): object[] {
  const rich_text = everyText(things);
  const { image, inner, id } = things;
  const external = { url: "https://example.org/file" };
  const caption = text("caption");
  return [
    ...["paragraph", "heading_1", "heading_2", "heading_3", "bulleted_list_item", "quote"]
      .map((type) => ({ [type]: { rich_text, color: "blue" } })),
    { heading_1: { rich_text, is_toggleable: true, children: [paragraph("under a heading")] } },
    { numbered_list_item: { rich_text, children: [paragraph("nested")] } },
    { to_do: { rich_text, checked: true } },
    toggle("toggle", [toggle("in it", [toggle("in that", [paragraph("deep")])])]),
    { callout: { rich_text, icon: { emoji: "💡" }, color: "gray_background" } },
    { callout: { rich_text, icon: { file_upload: { id: image } } } },
    { code: { rich_text: text("let x = 1;"), language: "rust", caption } },
    { equation: { expression: "x^2" } },
    { divider: {} },
    { breadcrumb: {} },
    { table_of_contents: { color: "gray" } },
    { bookmark: { url: external.url, caption } },
    { embed: { url: external.url, caption } },
    { image: { file_upload: { id: image }, caption: rich_text } },
    ...["video", "pdf", "audio"].map((type) => ({ [type]: { external, caption } })),
    { file: { file_upload: { id: image }, caption, name: "another name.bin" } },
    {
      table: {
        table_width: 2,
        has_column_header: true,
        has_row_header: true,
        children: [{ table_row: { cells: [rich_text, []] } }, { table_row: { cells: [[], []] } }],
      },
    },
    {
      column_list: {
        children: [
          { column: { width_ratio: 0.25, children: [paragraph("left")] } },
          { column: { children: [paragraph("right"), { divider: {} }] } },
        ],
      },
    },
    { link_to_page: { page_id: inner } },
    { link_to_page: { database_id: id } },
  ];
}

/** Adds blocks that do not fit into one request. */
async function addShapes(app: TestApp, page: string): Promise<void> {
  const many = (count: number) => Array.from({ length: count }, (_, n) => paragraph(`${n}`));
  for (let n = 0; n < 3; n++) await append(app, page, { children: many(100) });
  const row = { table_row: { cells: [text("cell")] } };
  const [table] = await append(app, page, {
    children: [{ table: { table_width: 1, children: Array(100).fill(row) } }],
  });
  await append(app, table?.id ?? "", { children: Array(30).fill(row) });
  const [list] = await append(app, page, {
    children: [{
      column_list: {
        children: [{ column: { children: many(2) } }, { column: { children: many(2) } }],
      },
    }],
  });
  const [column] = (await succeed(app, `GET /v2/blocks/${list?.id}/children`)).results;
  for (let n = 0; n < 2; n++) await append(app, column.id, { children: many(100) });
  let parent = page;
  for (let n = 0; n < 30; n++) {
    const [next] = await append(app, parent, { children: [toggle(`level ${n}`)] });
    parent = next?.id ?? "";
  }
}

/** Copies before and after their original, which is nested; one is alone in a column. */
async function addSynced(app: TestApp, page: string): Promise<void> {
  const parent = { page_id: page };
  const early = await newPage(app, { title: "Copies come first", parent });
  const late = await newPage(app, {
    title: "Original",
    parent,
    children: [
      toggle("around it", [
        paragraph("before"),
        { synced_block: { synced_from: null, children: [paragraph("the same everywhere")] } },
        paragraph("after"),
      ]),
    ],
  });
  const [around] = (await succeed(app, `GET /v2/blocks/${late}/children`)).results;
  const [, original] = (await succeed(app, `GET /v2/blocks/${around.id}/children`)).results;
  const copy = { synced_block: { synced_from: { block_id: original.id } } };
  await append(app, early, {
    children: [copy, copy, paragraph("between"), copy, {
      column_list: {
        children: [
          { column: { children: [copy] } },
          { column: { children: [paragraph("first"), copy, paragraph("last")] } },
        ],
      },
    }],
  });
  await append(app, early, { children: [paragraph("end")] });
}

async function fillEveryType(
  app: TestApp,
  { id, one, two, ann, bob }: Awaited<ReturnType<typeof everyType>>,
  image: string,
): Promise<void> {
  await succeed(app, "POST /v2/pages", {
    body: {
      parent: { database_id: id },
      icon: { emoji: "🌿" },
      properties: {
        Name: { title: text("Full") },
        rich_text: { rich_text: text("words") },
        number: { number: 21 },
        date: { date: { start: "2026-02-03T10:00:00", time_zone: "Europe/Berlin" } },
        people: { people: [{ id: ann }, { id: bob }] },
        files: {
          files: [
            { file_upload: { id: image }, name: "the image" },
            { name: "elsewhere", external: { url: "https://example.org/a.pdf" } },
          ],
        },
        checkbox: { checkbox: true },
        url: { url: "https://example.org" },
        email: { email: "a@example.org" },
        phone_number: { phone_number: "+1" },
        select: { select: { name: "B" } },
        multi_select: { multi_select: [{ name: "B" }, { name: "A" }] },
        status: { status: { name: "Done" } },
        relation: { relation: [{ id: two }, { id: one }] },
      },
      children: [paragraph("content of a row")],
    },
  });
  const empty = { parent: { database_id: id }, properties: { status: { status: null } } };
  await succeed(app, "POST /v2/pages", { body: empty });
}

/** Dual relations both ways and to itself, rollups of formulas and formulas of rollups. */
async function addDatabases(app: TestApp, page: string): Promise<void> {
  const parent = { page_id: page };
  const projects = await newDatabase(app, {
    Budget: { number: { format: "euro" } },
    Stage: {
      status: {
        options: [{ name: "Idea", color: "pink" }, { name: "Live" }],
        groups: [{ name: "A", option_ids: ["Idea"] }, { name: "B" }, {
          name: "C",
          option_ids: ["Live"],
        }],
      },
    },
    Twice: { formula: { expression: 'prop("Budget") * 2' } },
  }, { parent, is_inline: true, description: text("All projects") });
  const tasks = await newDatabase(app, {
    Project: {
      relation: { database_id: projects.id, dual_property: { synced_property_name: "Tasks" } },
    },
    Money: {
      rollup: {
        relation_property_name: "Project",
        rollup_property_name: "Twice",
        function: "sum",
      },
    },
    Half: { formula: { expression: 'prop("Money") / 2' } },
  }, { parent });
  await succeed(app, `PATCH /v2/databases/${tasks.id}`, {
    body: {
      properties: {
        Parent: {
          relation: { database_id: tasks.id, dual_property: { synced_property_name: "Sub" } },
        },
        Half: { description: "Half of the money" },
      },
    },
  });
  await fillTasks(app, projects.id, tasks.id);
}

async function fillTasks(app: TestApp, projects: string, tasks: string): Promise<void> {
  const row = (database_id: string, properties: object) =>
    succeed(app, "POST /v2/pages", { body: { parent: { database_id }, properties } });
  const project = await row(projects, { Name: { title: text("P") }, Budget: { number: 10 } });
  const ids: string[] = [];
  for (let n = 0; n < 130; n++) {
    const [up] = ids.slice(-1);
    const { id } = await row(tasks, {
      Name: { title: text(`Task ${n}`) },
      Project: { relation: [{ id: project.id }] },
      ...(n % 3 === 1 && { Parent: { relation: [{ id: up }] } }),
    });
    ids.push(id);
  }
  // A row is a page: it may hold pages and databases.
  const inRow = await newPage(app, { title: "In a row", parent: { page_id: ids[0] } });
  await newDatabase(app, {
    Row: { relation: { database_id: tasks, single_property: {} } },
  }, { parent: { page_id: inRow } });
}
