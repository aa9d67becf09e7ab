/**
 * Samples of every block type that clients can create: with required members only, with all members,
 * and what is read of each.
 *
 * @module
 */

export interface Sample {
  readonly given: Readonly<Record<string, unknown>>;
  readonly read: Readonly<Record<string, unknown>>;
}

export interface Samples {
  readonly least: Sample;
  readonly most: Sample;
  /** The keys that `least` requires. */
  readonly required: readonly string[];
}

export const ID = "0191b3d6-4b52-7c1e-9a3f-0123456789ab";
const LOOSE_ID = "0191B3D64B527C1E9A3F0123456789AB";

export const given = [{ text: { content: "Hi" } }];
export const read = [{
  type: "text",
  text: { content: "Hi", link: null },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: "default",
  },
  plain_text: "Hi",
  href: null,
}];

const child = { divider: {} };
const row = { table_row: { cells: [given] } };
const column = { column: { children: [child] } };
const url = "https://example.org/a.png";

/** Text with a colour, children and further members. */
function text(
  extra: { readonly initial?: Sample["read"]; readonly changed?: Sample["read"] } = {},
): Samples {
  const { initial = {}, changed = {} } = extra;
  return {
    least: { given: { rich_text: [] }, read: { rich_text: [], color: "default", ...initial } },
    most: {
      given: { rich_text: given, color: "red", ...changed, children: [child] },
      read: { rich_text: read, color: "red", ...changed },
    },
    required: ["rich_text"],
  };
}

function captioned(value: Sample["read"], more: Sample["read"] = {}): Samples {
  const initial = "name" in more ? { name: "" } : {};
  return {
    least: { given: value, read: { ...value, caption: [], ...initial } },
    most: {
      given: { ...value, caption: given, ...more },
      read: { ...value, caption: read, ...more },
    },
    required: Object.keys(value),
  };
}

function media(more: Sample["read"] = {}): Samples {
  const { least, most } = captioned({ external: { url } }, more);
  const type = "external";
  return {
    least: { given: least.given, read: { type, ...least.read } },
    most: { given: { type, ...most.given }, read: { type, ...most.read } },
    required: ["external"],
  };
}

function same(value: Sample["read"], required: readonly string[]): Samples {
  return { least: { given: value, read: value }, most: { given: value, read: value }, required };
}

const heading = text({ initial: { is_toggleable: false }, changed: { is_toggleable: true } });

export const SAMPLES: Readonly<Record<string, Samples>> = {
  paragraph: text(),
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  bulleted_list_item: text(),
  numbered_list_item: text(),
  to_do: text({ initial: { checked: false }, changed: { checked: true } }),
  toggle: text(),
  quote: text(),
  callout: text({ initial: { icon: null }, changed: { icon: { type: "emoji", emoji: "🚀" } } }),
  code: {
    least: {
      given: { rich_text: [], language: "c" },
      read: { rich_text: [], language: "c", caption: [] },
    },
    most: {
      given: { rich_text: given, language: "java/c/c++/c#", caption: given },
      read: { rich_text: read, language: "java/c/c++/c#", caption: read },
    },
    required: ["rich_text", "language"],
  },
  equation: same({ expression: "e^{i\\pi}" }, ["expression"]),
  divider: same({}, []),
  breadcrumb: same({}, []),
  table_of_contents: {
    least: { given: {}, read: { color: "default" } },
    most: { given: { color: "blue_background" }, read: { color: "blue_background" } },
    required: [],
  },
  bookmark: captioned({ url }),
  embed: captioned({ url }),
  image: media(),
  video: media(),
  pdf: media(),
  audio: media(),
  file: media({ name: "a.png" }),
  table: {
    least: {
      given: { table_width: 1, children: [row] },
      read: { table_width: 1, has_column_header: false, has_row_header: false },
    },
    most: {
      given: { table_width: 1, has_column_header: true, has_row_header: true, children: [row] },
      read: { table_width: 1, has_column_header: true, has_row_header: true },
    },
    required: ["table_width", "children"],
  },
  table_row: {
    least: { given: { cells: [[]] }, read: { cells: [[]] } },
    most: { given: { cells: [given, []] }, read: { cells: [read, []] } },
    required: ["cells"],
  },
  column_list: {
    least: { given: { children: [column, column] }, read: {} },
    most: { given: { children: [column, column, column] }, read: {} },
    required: ["children"],
  },
  column: {
    least: { given: { children: [child] }, read: {} },
    most: { given: { width_ratio: 0.25, children: [child] }, read: { width_ratio: 0.25 } },
    required: ["children"],
  },
  synced_block: {
    least: { given: {}, read: { synced_from: null } },
    // Copies need an original: tests/api/synced_blocks_test.ts has them.
    most: { given: { synced_from: null }, read: { synced_from: null } },
    required: [],
  },
  link_to_page: {
    least: { given: { page_id: LOOSE_ID }, read: { type: "page_id", page_id: ID } },
    most: {
      given: { type: "database_id", database_id: ID },
      read: { type: "database_id", database_id: ID },
    },
    required: ["page_id"],
  },
};
