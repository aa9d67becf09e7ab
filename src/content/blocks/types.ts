/**
 * The table of block types: what each is made of, what may be in it, and what cannot be done to it.
 *
 * @module
 */
import type * as v from "valibot";
import {
  blockColor,
  calloutIcon,
  caption,
  cells,
  expression,
  external,
  type Field,
  fileName,
  fileUpload,
  flag,
  hostedFile,
  language,
  linkedId,
  syncedFrom,
  tableWidth,
  text,
  title,
  url,
  widthRatio,
} from "./fields.ts";

/** The names of all block types. */
export const TYPE_NAMES = [
  "paragraph",
  "heading_1",
  "heading_2",
  "heading_3",
  "bulleted_list_item",
  "numbered_list_item",
  "to_do",
  "toggle",
  "quote",
  "callout",
  "code",
  "equation",
  "divider",
  "breadcrumb",
  "table_of_contents",
  "bookmark",
  "embed",
  "image",
  "video",
  "pdf",
  "audio",
  "file",
  "table",
  "table_row",
  "column_list",
  "column",
  "synced_block",
  "link_to_page",
  "template",
  "child_page",
  "child_database",
  "link_preview",
  "unsupported",
] as const;

export type BlockType = (typeof TYPE_NAMES)[number];

/** What a block takes as children; `any` is every type that is neither a row nor a column. */
export type Slot = "any" | "rows" | "columns" | "none";

export type Fields = Readonly<Record<string, Field>>;

/** The value of a block type as a record, as it is written or as it is read. */
export type BlockValue = Readonly<Record<string, unknown>>;

/** Members of which a value has exactly one, which its `type` names. */
export interface Choice {
  readonly write: Fields;
  readonly read: Readonly<Record<string, v.GenericSchema>>;
}

export interface BlockSpec {
  readonly fields: Fields;
  readonly choice?: Choice;
  readonly children: Slot;
  /** How many children must come with a new block. */
  readonly fewestChildren?: number;
  /** Why this very block takes no children though its type does. */
  childless?(value: BlockValue): string | undefined;
  /** Why it cannot be created among children. */
  readonly notCreated?: string;
  /** Why its value cannot be changed. */
  readonly notUpdated?: string;
}

const textBlock = { fields: { rich_text: text, color: blockColor }, children: "any" } as const;

const heading: BlockSpec = {
  fields: { rich_text: text, color: blockColor, is_toggleable: flag },
  children: "any",
  childless: (value) => value.is_toggleable === true ? undefined : "`is_toggleable` is not true",
};

const mediaChoice: Choice = {
  write: { external, file_upload: fileUpload, file: hostedFile },
  read: { external: external.output, file: hostedFile.output },
};
const media: BlockSpec = { fields: { caption }, choice: mediaChoice, children: "none" };

const linkChoice: Choice = {
  write: { page_id: linkedId, database_id: linkedId, comment_id: linkedId },
  read: {
    page_id: linkedId.output,
    database_id: linkedId.output,
    comment_id: linkedId.output,
  },
};

const READ_ONLY = "it is read only";

/** What the service knows of each block type; everything else about them is derived from it. */
export const BLOCK_TYPES = {
  paragraph: textBlock,
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  bulleted_list_item: textBlock,
  numbered_list_item: textBlock,
  to_do: { fields: { rich_text: text, color: blockColor, checked: flag }, children: "any" },
  toggle: textBlock,
  quote: textBlock,
  callout: { fields: { rich_text: text, color: blockColor, icon: calloutIcon }, children: "any" },
  code: { fields: { rich_text: text, language, caption }, children: "none" },
  equation: { fields: { expression }, children: "none" },
  divider: { fields: {}, children: "none" },
  breadcrumb: { fields: {}, children: "none" },
  table_of_contents: { fields: { color: blockColor }, children: "none" },
  bookmark: { fields: { url, caption }, children: "none" },
  embed: { fields: { url, caption }, children: "none" },
  image: media,
  video: media,
  pdf: media,
  audio: media,
  file: { ...media, fields: { caption, name: fileName } },
  table: {
    fields: { table_width: tableWidth, has_column_header: flag, has_row_header: flag },
    children: "rows",
    fewestChildren: 1,
  },
  table_row: { fields: { cells }, children: "none" },
  column_list: {
    fields: {},
    children: "columns",
    fewestChildren: 2,
    notUpdated: "it has nothing of its own; update its columns",
  },
  column: { fields: { width_ratio: widthRatio }, children: "any", fewestChildren: 1 },
  synced_block: {
    fields: { synced_from: syncedFrom },
    children: "any",
    childless: (value) =>
      value.synced_from === null || value.synced_from === undefined
        ? undefined
        : "a copy shows the children of its original",
    notUpdated: "what it is synced from cannot be changed",
  },
  link_to_page: { fields: {}, choice: linkChoice, children: "none" },
  template: {
    fields: { rich_text: text },
    children: "any",
    notCreated: "templates can no longer be created",
    notUpdated: READ_ONLY,
  },
  child_page: {
    fields: { title },
    children: "any",
    notCreated: "a page is created with POST /v2/pages",
    notUpdated: "a page is updated with PATCH /v2/pages/:page_id",
  },
  child_database: {
    fields: { title },
    children: "none",
    notCreated: "a database is created with POST /v2/databases",
    notUpdated: "a database is updated with PATCH /v2/databases/:database_id",
  },
  link_preview: {
    fields: { url },
    children: "none",
    notCreated: READ_ONLY,
    notUpdated: READ_ONLY,
  },
  unsupported: {
    fields: {},
    children: "none",
    notCreated: READ_ONLY,
    notUpdated: READ_ONLY,
  },
} satisfies Record<BlockType, BlockSpec>;
