/**
 * Tables of a source: their columns with inferred types, and their rows.
 *
 * @module
 */
import { endingOf } from "../source/names.ts";
import { type Source, SourceError } from "../source/source.ts";
import type { Column } from "./column.ts";
import { readCsv, readCsvForm } from "./csv.ts";
import { type InferOptions, profileColumn } from "./infer.ts";

/** Options of tables. */
export interface TableOptions extends InferOptions {
  readonly encoding?: string | undefined;
  /** Folder for temporary files. */
  readonly scratch: string;
}

/** A table with its columns. Rows are read anew each time. */
export interface Table {
  /** Name of the sheet; undefined for files with one table. */
  readonly sheet: string | undefined;
  readonly columns: readonly Column[];
  readonly count: number;
  /** Notes for the reader about how the table was read. */
  readonly notes: readonly string[];
  readonly rows: () => AsyncIterable<readonly string[]>;
}

type Records = () => AsyncIterable<readonly string[]>;

/** Endings of files that are tables. */
export const TABLE_ENDINGS: ReadonlySet<string> = new Set(["csv", "tsv", "xlsx"]);

/** Most columns of a table: a database's schema has no room for more. */
const MAX_COLUMNS = 300;

/** Reads the tables of a file, and all cells of each once to infer types. */
export async function readTables(
  source: Source,
  path: string,
  options: TableOptions,
): Promise<Table[]> {
  if (endingOf(path) !== "xlsx") {
    const form = await readCsvForm(source, path, options.encoding);
    const notes = form.isGuess
      ? [`read as ${form.encoding}, which is a guess: --encoding says otherwise`]
      : [];
    const table = await readTable(() => readCsv(source, path, form), path, options);
    return table === undefined ? [] : [{ ...table, sheet: undefined, notes }];
  }
  const { readXlsx } = await import("./xlsx.ts");
  const sheets = await readXlsx(source, path, options.scratch);
  const tables: Table[] = [];
  for (const { name, records } of sheets) {
    const table = await readTable(() => iterate(records), path, options);
    if (table !== undefined) tables.push({ ...table, sheet: name, notes: [] });
  }
  return tables;
}

async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function readTable(records: Records, path: string, options: InferOptions) {
  let profiles: ReturnType<typeof profileColumn>[] | undefined;
  let count = 0;
  for await (const record of records()) {
    if (profiles === undefined) profiles = columnNames(record, path).map(profileColumn);
    else {
      count++;
      profiles.forEach((profile, index) => profile.add(record[index] ?? ""));
      checkWidth(record, { path, line: count + 1, width: profiles.length });
    }
  }
  if (profiles === undefined) return undefined;
  const columns = withTitle(profiles.map((profile) => profile.finish(options)));
  return { columns, count, rows: () => withoutHeader(records) };
}

async function* withoutHeader(records: Records): AsyncGenerator<readonly string[]> {
  let isHeader = true;
  for await (const record of records()) {
    if (!isHeader) yield record;
    isHeader = false;
  }
}

function checkWidth(
  record: readonly string[],
  { path, line, width }: { readonly path: string; readonly line: number; readonly width: number },
): void {
  if (record.slice(width).every((cell) => cell.trim() === "")) return;
  throw new SourceError(
    `${path}, record ${line}: has ${record.length} cells, but the header has ${width}. ` +
      "Correct the file, or say its delimiter by the ending .tsv",
  );
}

/** Names that differ from one another and are not empty. */
export function columnNames(header: readonly string[], path: string): string[] {
  if (header.length > MAX_COLUMNS) {
    throw new SourceError(`${path} has ${header.length} columns, more than ${MAX_COLUMNS}`);
  }
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim().slice(0, 200) || `Column ${index + 1}`;
    let unique = name;
    for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${name} ${number}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

/** Makes one column the title: the first of text, else the first. */
export function withTitle(columns: readonly Column[]): Column[] {
  const given = columns.findIndex(({ type }) => type === "title");
  const named = columns.findIndex(({ name }) => /^(?:name|title|titel|nom|nombre)$/i.test(name));
  const texts = columns.findIndex(({ type, count }) => type === "rich_text" && count > 0);
  const index = [given, named, texts, 0].find((one) => one >= 0) ?? 0;
  return columns.map((column, at): Column => {
    const { name, count, example } = column;
    if (at === index) return { type: "title", name, count, example };
    return column.type === "title" ? { ...column, type: "rich_text" } : column;
  });
}
