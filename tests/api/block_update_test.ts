import { assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { given, read, SAMPLES } from "../content/blocks_samples.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import {
  append,
  appendOne,
  type BlockAnswer,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  textsOf,
  toggle,
} from "./driver.ts";

function update(app: TestApp, id: string, body: unknown): Promise<Answer> {
  return app.call(`PATCH /v2/blocks/${id}`, { body });
}

function pointersOf({ json }: Answer): string[] {
  return json.errors.map((issue: { pointer: string }) => issue.pointer);
}

const other = "https://example.org/b.png";

/** For each type that can be updated: the request, and the members of the value that change. */
const UPDATES: Readonly<Record<string, readonly [sent: object, read: object]>> = {
  ...Object.fromEntries(
    ["paragraph", "bulleted_list_item", "numbered_list_item", "toggle", "quote"]
      .map((type) => [type, [{ rich_text: given }, { rich_text: read }]]),
  ),
  ...Object.fromEntries(
    ["heading_1", "heading_2", "heading_3"]
      .map((type) => [type, [{ is_toggleable: true }, { is_toggleable: true }]]),
  ),
  to_do: [{ checked: true }, { checked: true }],
  callout: [{ icon: { emoji: "🚀" } }, { icon: { type: "emoji", emoji: "🚀" } }],
  code: [{ language: "rust" }, { language: "rust" }],
  equation: [{ expression: "x" }, { expression: "x" }],
  table_of_contents: [{ color: "red" }, { color: "red" }],
  bookmark: [{ caption: given }, { caption: read }],
  embed: [{ url: other }, { url: other }],
  ...Object.fromEntries(
    ["image", "video", "pdf", "audio"]
      .map((type) => [type, [{ external: { url: other } }, { external: { url: other } }]]),
  ),
  file: [{ name: "b.png" }, { name: "b.png" }],
  table: [{ has_row_header: true }, { has_row_header: true }],
};

Deno.test("an update replaces the given members of a block of every type and keeps the others", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    for (const [type, [sent, changed]] of Object.entries(UPDATES)) {
      const block = await appendOne(app, page, { [type]: SAMPLES[type]?.least.given });
      const { status, json } = await update(app, block.id, { type, [type]: sent });
      assertEquals(status, 200, type);
      assertEquals(json[type], { ...SAMPLES[type]?.least.read, ...changed });
      assertEquals(await succeed(app, `GET /v2/blocks/${block.id}`), json);
      assertEquals([json.id, json.created_time], [block.id, block.created_time]);
    }
    assertEquals((await childrenOf(app, page)).map(({ type }) => type), Object.keys(UPDATES));
  }));

Deno.test("an update of a table row, column or link is validated", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const table = await appendOne(app, page, { table: SAMPLES.table?.least.given });
    const [row = ""] = idsOf(await childrenOf(app, table.id));
    assertEquals((await update(app, row, { table_row: { cells: [[]] } })).json.table_row, {
      cells: [[]],
    });
    const wide = await update(app, row, { table_row: { cells: [[], []] } });
    assertEquals([wide.status, ...pointersOf(wide)], [400, "/table_row/cells"]);
    const list = await appendOne(app, page, { column_list: SAMPLES.column_list?.least.given });
    const [column = ""] = idsOf(await childrenOf(app, list.id));
    assertEquals((await update(app, column, { column: { width_ratio: 0.5 } })).json.column, {
      width_ratio: 0.5,
    });
    const link = await appendOne(app, page, { link_to_page: { page_id: page } });
    const linked = await update(app, link.id, { link_to_page: { database_id: page } });
    assertEquals(linked.json.link_to_page, { type: "database_id", database_id: page });
  }));

Deno.test("an update cannot change a block's type, its children or its fixed members", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const make = (type: string) =>
      appendOne(app, page, { [type]: SAMPLES[type]?.least.given }).then(({ id }) => id);
    const [quote, table, columns, synced] = await Promise.all(
      ["quote", "table", "column_list", "synced_block"].map(make),
    );
    for (
      const [id = "", body, pointer] of [
        [quote, { paragraph: { rich_text: [] } }, "/paragraph"],
        [quote, { type: "paragraph" }, "/type"],
        [quote, { quote: { children: [] } }, "/quote/children"],
        [quote, { quote: { nonsense: 1 } }, "/quote/nonsense"],
        [quote, { id: page }, "/id"],
        [quote, { parent: { page_id: page } }, "/parent"],
        [table, { table: { table_width: 2 } }, "/table/table_width"],
        [columns, { column_list: {} }, "/column_list"],
        [synced, { synced_block: { synced_from: null } }, "/synced_block"],
      ] as const
    ) {
      const before = await succeed(app, `GET /v2/blocks/${id}`);
      const refused = await update(app, id, body);
      assertEquals(refusal(refused), [400, "validation_error"]);
      assertEquals(pointersOf(refused), [pointer]);
      assertEquals(await succeed(app, `GET /v2/blocks/${id}`), before);
    }
  }));

Deno.test("a heading keeps is_toggleable while it has children", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const heading = await appendOne(app, page, {
      heading_2: { rich_text: [], is_toggleable: true, children: [paragraph("x")] },
    });
    const stop = { heading_2: { is_toggleable: false } };
    const refused = await update(app, heading.id, stop);
    assertEquals([refused.status, ...pointersOf(refused)], [400, "/heading_2/is_toggleable"]);
    const [child = ""] = idsOf(await childrenOf(app, heading.id));
    await succeed(app, `DELETE /v2/blocks/${child}`);
    assertEquals((await update(app, heading.id, stop)).json.heading_2.is_toggleable, false);
    const kept = await update(app, child, { in_trash: false });
    assertEquals(refusal(kept), [400, "validation_error"]);
    assertStringIncludes(kept.json.errors[0].detail, "Can't restore this block under its parent");
    await update(app, heading.id, { heading_2: { is_toggleable: true } });
    assertEquals((await update(app, child, { in_trash: false })).json.in_trash, false);
  }));

Deno.test("an update records the editor and time on the block and on its page", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("x")] });
    const [block = ""] = idsOf(await childrenOf(app, page));
    const token = await app.mint({ sub: "ada" });
    const { id } = await succeed(app, "GET /v2/users/me", { token });
    const body = { paragraph: { rich_text: [] } };
    const edited = await succeed(app, `PATCH /v2/blocks/${block}`, { token, body });
    assertEquals(edited.last_edited_by.id, id);
    const holder = await succeed(app, `GET /v2/pages/${page}`);
    assertEquals(holder.last_edited_by.id, id);
    assertEquals(holder.last_edited_time, edited.last_edited_time);
  }));

Deno.test("an empty update changes nothing", () =>
  withApp(async (app) => {
    const { id } = await appendOne(app, await newPage(app), paragraph("x"));
    const before = await app.call(`GET /v2/blocks/${id}`);
    for (const body of [{}, { type: "paragraph" }, { archived: false }, { in_trash: false }]) {
      const { text, headers } = await update(app, id, body);
      assertEquals(text, before.text);
      assertEquals(headers.get("etag"), before.headers.get("etag"));
    }
  }));

Deno.test("DELETE moves a block and its descendants to the trash, once", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [toggle("1", [toggle("2", [paragraph("3")])])] });
    const [one = ""] = idsOf(await childrenOf(app, page));
    const [two = ""] = idsOf(await childrenOf(app, one));
    const [three = ""] = idsOf(await childrenOf(app, two));
    const deleted = await app.call(`DELETE /v2/blocks/${one}`);
    assertEquals([deleted.json.archived, deleted.json.in_trash], [true, true]);
    for (const id of [two, three]) {
      assertEquals((await succeed(app, `GET /v2/blocks/${id}`)).in_trash, true);
    }
    const again = await app.call(`DELETE /v2/blocks/${one}`);
    assertEquals([again.status, again.text], [200, deleted.text]);
    assertEquals(await succeed(app, `GET /v2/blocks/${one}`), deleted.json);
    assertEquals(await childrenOf(app, page), []);
    const edit = await update(app, two, { toggle: { rich_text: [] } });
    assertMatch(edit.json.message, /can't edit block that is archived/i);
  }));

Deno.test("a restored block is back in its position, with the descendants that its deletion took", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: ["a", "b", "c", "d"].map((n) => toggle(n)) });
    const [a = "", b = "", c = "", d = ""] = idsOf(await childrenOf(app, page));
    await append(app, b, { children: [paragraph("stays"), paragraph("goes first")] });
    const first = (await childrenOf(app, b))[1]?.id;
    await succeed(app, `DELETE /v2/blocks/${first}`);
    for (const id of [b, c]) await succeed(app, `DELETE /v2/blocks/${id}`);
    await append(app, page, { children: [toggle("new")], after: a });
    assertEquals(textsOf(await childrenOf(app, page)), ["a", "new", "d"]);
    for (const id of [c, b]) {
      await succeed(app, `PATCH /v2/blocks/${id}`, { body: { in_trash: false } });
    }
    const shown: BlockAnswer[] = await childrenOf(app, page);
    assertEquals(textsOf(shown), ["a", "new", "b", "c", "d"]);
    assertEquals(idsOf(shown).filter((id) => [a, b, c, d].includes(id)), [a, b, c, d]);
    assertEquals(textsOf(await childrenOf(app, b)), ["stays"]);
  }));

Deno.test("one request can restore and edit, or edit and delete", () =>
  withApp(async (app) => {
    const { id } = await appendOne(app, await newPage(app), paragraph("x"));
    const away = await update(app, id, { archived: true, paragraph: { color: "red" } });
    assertEquals([away.json.in_trash, away.json.paragraph.color], [true, "red"]);
    assertEquals(await succeed(app, `GET /v2/blocks/${id}`), away.json);
    const back = await update(app, id, { in_trash: false, paragraph: { color: "blue" } });
    assertEquals([back.json.in_trash, back.json.paragraph.color], [false, "blue"]);
    const { text, headers } = await app.call(`GET /v2/blocks/${id}`);
    assertEquals([text, headers.get("etag")], [back.text, back.headers.get("etag")]);
    const torn = await update(app, id, { archived: true, in_trash: false });
    assertEquals([torn.status, ...pointersOf(torn)], [400, "/archived"]);
  }));
