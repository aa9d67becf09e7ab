/**
 * The types of blocks: their fields, their children, and which operations they do not support. To
 * add one, define it here; a new kind of field goes into `fields.ts`.
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

/**
 * Which types of children a block has: any but the types that only one parent can have, or none.
 */
export type Children = "any" | "none" | {
  /** The type of all children, which have no other parent. */
  readonly only: string;
};

export type Fields = Readonly<Record<string, Field>>;

/** The value of a block by field, in requests or as it is stored. */
export type BlockValue = Readonly<Record<string, unknown>>;

/** Fields of a union: a value has exactly one, which its `type` names. */
export interface Choice {
  readonly write: Fields;
  readonly read: Readonly<Record<string, v.GenericSchema>>;
}

export interface BlockSpec {
  readonly fields: Fields;
  readonly choice?: Choice;
  readonly children: Children;
  /** Minimum number of children of a new block. */
  readonly fewestChildren?: number;
  /** Number of cells that each child must have. */
  cellsPerChild?(value: BlockValue): number | undefined;
  /** Why a block with this value has no children although others of its type can. */
  childless?(value: BlockValue): string | undefined;
  /** Why clients cannot create it as a child. */
  readonly notCreated?: string;
  /** Why clients cannot change its value. */
  readonly notUpdated?: string;
  /** Set if `markdown/` prints it in its own way; otherwise as a link or as a tag with its type. */
  readonly ownMarkdown?: true;
}

const textBlock = {
  fields: { rich_text: text, color: blockColor },
  children: "any",
  ownMarkdown: true,
} satisfies BlockSpec;

const heading = {
  ...textBlock,
  fields: { ...textBlock.fields, is_toggleable: flag },
  childless: (value) => value.is_toggleable === true ? undefined : "`is_toggleable` is not true",
} satisfies BlockSpec;

const mediaChoice = {
  write: { external, file_upload: fileUpload, file: hostedFile },
  read: { external: external.output, file: hostedFile.output },
} satisfies Choice;
const media = { fields: { caption }, choice: mediaChoice, children: "none" } satisfies BlockSpec;

const linkChoice = {
  write: { page_id: linkedId, database_id: linkedId, comment_id: linkedId },
  read: {
    page_id: linkedId.output,
    database_id: linkedId.output,
    comment_id: linkedId.output,
  },
} satisfies Choice;

const READ_ONLY = "it is read only";

/** All block types. Input, output, storage and the default Markdown follow from this table. */
export const BLOCK_TYPES = {
  paragraph: textBlock,
  heading_1: heading,
  heading_2: heading,
  heading_3: heading,
  bulleted_list_item: textBlock,
  numbered_list_item: textBlock,
  to_do: { ...textBlock, fields: { ...textBlock.fields, checked: flag } },
  toggle: textBlock,
  quote: textBlock,
  callout: { ...textBlock, fields: { ...textBlock.fields, icon: calloutIcon } },
  code: {
    fields: { rich_text: text, language, caption },
    children: "none",
    ownMarkdown: true,
  },
  equation: { fields: { expression }, children: "none", ownMarkdown: true },
  divider: { fields: {}, children: "none", ownMarkdown: true },
  breadcrumb: { fields: {}, children: "none" },
  table_of_contents: { fields: { color: blockColor }, children: "none" },
  bookmark: { fields: { url, caption }, children: "none" },
  embed: { fields: { url, caption }, children: "none" },
  image: { ...media, ownMarkdown: true },
  video: media,
  pdf: media,
  audio: media,
  file: { ...media, fields: { caption, name: fileName } },
  table: {
    fields: { table_width: tableWidth, has_column_header: flag, has_row_header: flag },
    children: { only: "table_row" },
    fewestChildren: 1,
    cellsPerChild: ({ table_width: width }) => typeof width === "number" ? width : undefined,
    ownMarkdown: true,
  },
  table_row: { fields: { cells }, children: "none", ownMarkdown: true },
  column_list: {
    fields: {},
    children: { only: "column" },
    fewestChildren: 2,
    notUpdated: "it has nothing of its own; update its columns",
  },
  column: {
    fields: { width_ratio: widthRatio },
    children: "any",
    fewestChildren: 1,
    ownMarkdown: true,
  },
  synced_block: {
    fields: { synced_from: syncedFrom },
    children: "any",
    childless: (value) =>
      value.synced_from === null || value.synced_from === undefined
        ? undefined
        : "a copy shows the children of its original",
    notUpdated: "what it is synced from cannot be changed",
    ownMarkdown: true,
  },
  link_to_page: { fields: {}, choice: linkChoice, children: "none", ownMarkdown: true },
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
    ownMarkdown: true,
  },
  child_database: {
    fields: { title },
    children: "none",
    notCreated: "a database is created with POST /v2/databases",
    notUpdated: "a database is updated with PATCH /v2/databases/:database_id",
    ownMarkdown: true,
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
    ownMarkdown: true,
  },
} satisfies Readonly<Record<string, BlockSpec>>;

export type BlockType = keyof typeof BLOCK_TYPES;
