/**
 * The plan of an import, as data: the pages, databases and rows to write, parents first.
 *
 * @module
 */
import type { BlockInput } from "../../content/blocks/mod.ts";
import type { Cell, Column } from "./tables/column.ts";

/** Names a page, database or row of the plan: mostly the path of its file. */
export type NodeKey = string;

interface PlannedNode {
  readonly key: NodeKey;
  readonly title: string;
  /** Undefined: the page that the import writes into. */
  readonly parent: NodeKey | undefined;
}

/** The source of a page's content. */
export interface Content {
  /** Reads the text. To parse it takes several times as long. */
  readonly open: () => Promise<OpenContent>;
}

/** Content that is read, but not parsed. */
export interface OpenContent {
  /** The pages and databases that it seems to link to; some may be missing. */
  readonly linked: ReadonlySet<NodeKey>;
  /** Parses it. Links and files in blocks are {@linkcode import("./links/target.ts")} URLs. */
  readonly blocks: () => readonly BlockInput[];
}

export interface PlannedPage extends PlannedNode {
  readonly kind: "page";
  readonly icon?: string | undefined;
  readonly content?: Content | undefined;
}

export interface PlannedDatabase extends PlannedNode {
  readonly kind: "database";
  readonly icon?: string | undefined;
  readonly columns: readonly Column[];
  /** Notes for the reader about how the columns were read. */
  readonly notes: readonly string[];
  /** Rows that are not nodes of the plan: those of a table, read while they are written. */
  readonly table?: TableRows | undefined;
}

export interface TableRows {
  /** Number of rows. */
  readonly count: number;
  /** The cells of each row, in the order of the columns. */
  readonly rows: () => AsyncIterable<readonly Cell[]>;
}

export interface PlannedRow extends PlannedNode {
  readonly kind: "row";
  /** The database. */
  readonly parent: NodeKey;
  readonly icon?: string | undefined;
  /** Cells in the order of the database's columns. */
  readonly cells: readonly Cell[];
  readonly content?: Content | undefined;
}

export type Planned = PlannedPage | PlannedDatabase | PlannedRow;

/** The kind of source that was recognized. */
export type SourceKind = "notion-markdown" | "notion-html" | "obsidian" | "logseq" | "folder";

export interface Plan {
  readonly kind: SourceKind;
  /** Files that pages may refer to. */
  readonly files: readonly string[];
  /** Parents come before their children, siblings in their order. */
  readonly nodes: readonly Planned[];
}

/** Something that could not be carried over. */
export interface Loss {
  /** Path in the source. */
  readonly where: string;
  readonly what: string;
}

/** Collects what could not be carried over. */
export type ReportLoss = (loss: Loss) => void;
