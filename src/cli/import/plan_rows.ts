/**
 * The rows of databases: those of a table with their pages, and notes with their properties.
 *
 * @module
 */
import type { Note } from "./markdown/note.ts";
import type { PlannedTable } from "./plan_tables.ts";
import { type Cell, type Column, textOf } from "./tables/column.ts";
import { type InferOptions, profileColumn } from "./tables/infer.ts";

export interface RowOfTable {
  readonly cells: readonly Cell[];
  readonly note: Note | undefined;
}

/**
 * Joins the rows of a table with their pages, by title and then by values, because the vendor's rows
 * have no IDs. Pages without a row come last.
 */
export async function joinRows(
  { columns, rows }: PlannedTable,
  notes: readonly Note[],
): Promise<RowOfTable[]> {
  const titleAt = columns.findIndex(({ type }) => type === "title");
  const byTitle = Map.groupBy(notes, ({ title }) => title.trim());
  const joined: { cells: readonly Cell[]; note: Note | undefined }[] = [];
  for await (const cells of rows()) {
    const candidates = byTitle.get(textOf(cells[titleAt] ?? "")) ?? [];
    joined.push({ cells, note: takeBest(candidates, columns, cells) });
  }
  const left = new Set([...byTitle.values()].flat());
  for (const row of joined) {
    if (row.note !== undefined || left.size === 0) continue;
    row.note = [...left].find((note) =>
      matches(note, columns, row.cells) === note.valueLines.size &&
      note.valueLines.size > 0
    );
    if (row.note !== undefined) left.delete(row.note);
  }
  return [...joined, ...[...left].map((note) => ({ cells: cellsOf(note, columns), note }))];
}

function takeBest(
  candidates: Note[],
  columns: readonly Column[],
  cells: readonly Cell[],
): Note | undefined {
  const scores = candidates.map((note) => matches(note, columns, cells));
  const best = scores.indexOf(Math.max(...scores));
  return best < 0 ? undefined : candidates.splice(best, 1)[0];
}

/** The number of properties that a page and a row have in common. */
function matches({ valueLines }: Note, columns: readonly Column[], cells: readonly Cell[]): number {
  return columns.filter(({ name }, at) => {
    const value = valueLines.get(name);
    return value !== undefined && value.trim() === textOf(cells[at] ?? "");
  }).length;
}

function cellsOf({ title, valueLines }: Note, columns: readonly Column[]): Cell[] {
  return columns.map(({ name, type }) => {
    if (type === "title") return title;
    // Links in the lines of a page are relative to another folder than those of the table.
    return type === "relation" || type === "files" ? "" : valueLines.get(name) ?? "";
  });
}

/** A database of notes: their properties are its columns. */
export interface NoteTable {
  readonly columns: readonly Column[];
  readonly cellsOf: (note: Note) => Cell[];
}

const TITLE = "Name";

/** Returns whether notes are better rows than pages: most of them have properties. */
export function areRows(notes: readonly Note[]): boolean {
  const count = notes.filter(({ properties }) => properties.size > 0).length;
  return count >= 2 && 2 * count >= notes.length;
}

/** Infers the columns of notes from their properties. */
export function noteTable(notes: readonly Note[], options: InferOptions): NoteTable {
  const names = [...new Set(notes.flatMap(({ properties }) => [...properties.keys()]))]
    .filter((name) => name.toLowerCase() !== TITLE.toLowerCase());
  const profiles = names.map(profileColumn);
  for (const { properties } of notes) {
    profiles.forEach((profile, at) => profile.add(properties.get(names[at] ?? "") ?? ""));
  }
  const [first] = notes;
  const title: Column = {
    type: "title",
    name: TITLE,
    count: notes.length,
    example: first?.title ?? "",
  };
  return {
    columns: [title, ...profiles.map((profile) => profile.finish(options))],
    cellsOf: ({ title, properties }) => [title, ...names.map((name) => properties.get(name) ?? "")],
  };
}
