/**
 * The columns of an imported table: how their cells are read and what property they become.
 *
 * @module
 */
import type { JsonObject } from "../../transfer/json.ts";
import { type DateReading, readDate } from "./dates.ts";
import { type NumberReading, readNumber } from "./numbers.ts";

/** One cell: a text, or a list of texts. An empty text or list is no value. */
export type Cell = string | readonly string[];

/** How the cells of a column become values. */
export type ColumnReading =
  | { readonly type: "title" | "rich_text" | "url" | "email" | "phone_number" }
  | { readonly type: "select" | "multi_select" | "checkbox" | "status" }
  | { readonly type: "number"; readonly reading: NumberReading }
  | { readonly type: "date"; readonly reading: DateReading }
  /** Cells are lists of URLs: of files of the source, or of others. */
  | { readonly type: "files" }
  /** Cells are lists of URLs of rows of the source. */
  | { readonly type: "relation"; readonly database: string };

export type Column = ColumnReading & {
  readonly name: string;
  /** Why a type that one might expect was not chosen. */
  readonly note?: string | undefined;
  /** Values in the column, and the first one. */
  readonly count: number;
  readonly example: string;
};

export type ColumnType = ColumnReading["type"];

const TRUE = /^(?:yes|true|✓|✔|☑|\[x\])$/i;
const FALSE = /^(?:no|false|✗|✘|☐|\[ \])$/i;

/** The value of a tick; undefined if the text is none. */
export function readCheckbox(text: string): boolean | undefined {
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : undefined;
}

/** The pieces of a cell with several values. */
export function piecesOf(cell: Cell): string[] {
  const pieces = typeof cell === "string" ? cell.split(/\s*,\s*/) : cell;
  return [...new Set(pieces.map((piece) => piece.trim()).filter((piece) => piece !== ""))];
}

/** The text of a cell. */
export function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell.trim() : cell.join(", ");
}

const PIECE = /[^]{1,1000}/gu;
const OPTION_LENGTH = 100;

/**
 * The value of a cell in the form that clients write; `undefined` for no value. Columns of files
 * and relations are not for this: their values need IDs of the server. Throws a `TypeError` if the
 * text does not fit the column.
 */
export function cellValue(column: Column, cell: Cell, timeZone?: string): object | undefined {
  const text = textOf(cell);
  if (text === "" && column.type !== "title") return undefined;
  switch (column.type) {
    case "title":
    case "rich_text":
      return { [column.type]: richText(text) };
    case "checkbox":
      return { checkbox: orThrow(readCheckbox(text), column, text) };
    case "number":
      return { number: orThrow(readNumber(text, column.reading), column, text) };
    case "date":
      return { date: dateValue(orThrow(readDate(text, column.reading), column, text), timeZone) };
    case "select":
    case "status":
      return { [column.type]: optionOf(text) };
    case "multi_select":
      return { multi_select: piecesOf(cell).map(optionOf) };
    default:
      return { [column.type]: text };
  }
}

function dateValue(range: { readonly start: string; readonly end?: string }, timeZone?: string) {
  return {
    ...range,
    ...(timeZone !== undefined && range.start.includes("T") && { time_zone: timeZone }),
  };
}

function orThrow<T>(value: T | undefined, { name, type }: Column, text: string): T {
  if (value === undefined) throw new TypeError(`"${text}" in column ${name} is not a ${type}`);
  return value;
}

/** An option by its name. Commas separate options, so names cannot contain them. */
export function optionOf(text: string): { readonly name: string } {
  return { name: text.replaceAll(",", ";").slice(0, OPTION_LENGTH) };
}

/** Plain text as rich text. */
export function richText(text: string): { readonly text: { readonly content: string } }[] {
  return (text.match(PIECE) ?? []).slice(0, 100).map((content) => ({ text: { content } }));
}

/** The configuration of the property that a column becomes. `databaseId` is a relation's target. */
export function propertyOf(column: Column, databaseId = ""): JsonObject {
  if (column.type === "number") return { number: { format: column.reading.format } };
  if (column.type === "relation") {
    return { relation: { database_id: databaseId, single_property: {} } };
  }
  return { [column.type]: {} };
}
