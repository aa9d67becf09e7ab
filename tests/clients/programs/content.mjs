// Content with every block type and every property type, as version 2022-06-28 writes it.
import { text, title } from "./lib.mjs";

const PICTURE = "https://files.test/picture.png";

export const rich = (content) => ({ rich_text: [text(content)] });

/** Blocks of every type that clients can create but synced copies; some have children. */
export function everyBlock({ page, person }) {
  const mentions = [
    text("Mentions: "),
    { type: "mention", mention: { user: { id: person } } },
    text(", "),
    { type: "mention", mention: { page: { id: page } } },
    text(", "),
    { type: "mention", mention: { date: { start: "2026-11-22" } } },
    { type: "equation", equation: { expression: "a^2" } },
    text(" and "),
    { type: "text", text: { content: "a link", link: { url: "https://example.com/a" } } },
    text(" bold", { annotations: { bold: true, color: "red" } }),
  ];
  const row = (...cells) => ({ table_row: { cells: cells.map((cell) => [text(cell)]) } });
  const column = (content) => ({ column: { children: [{ paragraph: rich(content) }] } });
  return [
    {
      paragraph: { ...rich("A paragraph"), children: [{ paragraph: rich("A nested paragraph") }] },
    },
    { paragraph: { rich_text: mentions } },
    { heading_1: rich("First heading") },
    { heading_2: { ...rich("Second heading"), color: "blue_background" } },
    {
      heading_3: {
        ...rich("Third heading"),
        is_toggleable: true,
        children: [{ paragraph: rich("Inside the heading") }],
      },
    },
    {
      bulleted_list_item: {
        ...rich("A bullet"),
        children: [{ bulleted_list_item: rich("A nested bullet") }],
      },
    },
    { numbered_list_item: rich("A numbered item") },
    { to_do: { ...rich("A task"), checked: true } },
    { toggle: { ...rich("A toggle"), children: [{ paragraph: rich("Inside the toggle") }] } },
    { quote: rich("A quote") },
    { callout: { ...rich("A callout"), icon: { emoji: "💡" }, color: "gray_background" } },
    { code: { ...rich("let a = 1;"), language: "javascript", caption: [text("A listing")] } },
    { equation: { expression: "E = mc^2" } },
    { divider: {} },
    { table_of_contents: {} },
    { breadcrumb: {} },
    { bookmark: { url: "https://example.com/bookmark", caption: [text("A bookmark")] } },
    { embed: { url: "https://example.com/embed" } },
    { image: { type: "external", external: { url: PICTURE }, caption: [text("A picture")] } },
    { video: { type: "external", external: { url: "https://files.test/film.mp4" } } },
    { audio: { type: "external", external: { url: "https://files.test/sound.mp3" } } },
    { file: { type: "external", external: { url: "https://files.test/text.txt" } } },
    { pdf: { type: "external", external: { url: "https://files.test/paper.pdf" } } },
    {
      table: {
        table_width: 2,
        has_column_header: true,
        has_row_header: false,
        children: [row("Name", "Size"), row("Cell", "12")],
      },
    },
    { column_list: { children: [column("Left column"), column("Right column")] } },
    { link_to_page: { type: "page_id", page_id: page } },
    { synced_block: { synced_from: null, children: [{ paragraph: rich("Synced text") }] } },
  ];
}

/** Properties of every type that clients can create; `relation` and `rollup` need a database. */
export function everyProperty(related) {
  const options = [{ name: "A", color: "red" }, { name: "B", color: "blue" }];
  return {
    Name: { title: {} },
    Text: { rich_text: {} },
    Number: { number: { format: "number" } },
    Select: { select: { options } },
    Tags: { multi_select: { options } },
    Status: { status: {} },
    Date: { date: {} },
    People: { people: {} },
    Files: { files: {} },
    Done: { checkbox: {} },
    Link: { url: {} },
    Mail: { email: {} },
    Phone: { phone_number: {} },
    Double: { formula: { expression: 'prop("Number") * 2' } },
    Related: { relation: { database_id: related, type: "dual_property", dual_property: {} } },
    Sum: {
      rollup: {
        relation_property_name: "Related",
        rollup_property_name: "Cost",
        function: "sum",
      },
    },
    Created: { created_time: {} },
    Author: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Id: { unique_id: { prefix: "ROW" } },
  };
}

/** A value for each property of {@link everyProperty} that clients can write. */
export function everyValue(name, { number = 7, person, related = [] }) {
  return {
    Name: title(name),
    Text: { rich_text: [text("some text", { annotations: { italic: true } })] },
    Number: { number },
    Select: { select: { name: "A" } },
    Tags: { multi_select: [{ name: "A" }, { name: "B" }] },
    Status: { status: { name: "Done" } },
    Date: {
      date: { start: "2026-11-22T10:00:00.000+01:00", end: "2026-11-23T10:00:00.000+01:00" },
    },
    People: { people: [{ id: person }] },
    Files: {
      files: [{ name: "a.txt", type: "external", external: { url: "https://files.test/a.txt" } }],
    },
    Done: { checkbox: true },
    Link: { url: "https://example.com" },
    Mail: { email: "ann@example.com" },
    Phone: { phone_number: "+1 555" },
    Related: { relation: related.map((id) => ({ id })) },
  };
}
