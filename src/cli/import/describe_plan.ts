/**
 * Shows a plan to people before it is written: counts, and the type of every column.
 *
 * @module
 */
import type { Plan, PlannedDatabase, SourceKind } from "./plan.ts";
import type { Column } from "./tables/column.ts";

const KINDS: Readonly<Record<SourceKind, string>> = {
  "notion-markdown": "an export of Notion as Markdown and CSV",
  "notion-html": "HTML",
  obsidian: "an Obsidian vault",
  logseq: "a Logseq graph",
  folder: "files",
};

/** Describes the content that a plan would write, as text. */
export function describePlan({ kind, nodes, files }: Plan): string {
  const databases = nodes.filter((node) => node.kind === "database");
  const pages = nodes.filter((node) => node.kind === "page").length;
  const rows = nodes.filter((node) => node.kind === "row").length +
    databases.reduce((sum, { table }) => sum + (table?.count ?? 0), 0);
  const summary = `The source is ${KINDS[kind]}: ${pages} pages, ${databases.length} databases ` +
    `with ${rows} rows, ${files.length} other files\n`;
  return [summary, ...databases.map(describeDatabase)].join("");
}

function describeDatabase({ title, columns, notes }: PlannedDatabase): string {
  const width = Math.min(40, Math.max(4, ...columns.map(({ name }) => name.length)));
  return [
    `\n${title}\n`,
    ...notes.map((note) => `  ${note}\n`),
    ...columns.map((column) => `  ${describeColumn(column, width)}\n`),
  ].join("");
}

function describeColumn(column: Column, width: number): string {
  const { name, count, example, note } = column;
  const values = count === 0 ? "no values" : `${count} values, such as ${JSON.stringify(example)}`;
  const hint = note === undefined ? "" : `\n    ${note}`;
  return `${name.padEnd(width)}  ${typeText(column).padEnd(24)}  ${values}${hint}`;
}

function typeText(column: Column): string {
  if (column.type === "number") return `number (${column.reading.format})`;
  return column.type === "date" ? `date (${column.reading.order})` : column.type;
}

/** Returns whether to write. Throws nothing: without a terminal, `--yes` is the answer. */
export function confirmPlan(
  { plan, yes }: { readonly plan: boolean; readonly yes: boolean },
  { write, confirm }: {
    readonly write: (text: string) => void;
    readonly confirm: ((question: string) => boolean) | undefined;
  },
): boolean {
  if (plan) write("\nNothing was written.\n");
  if (plan || yes) return !plan;
  if (confirm?.("\nWrite this?")) return true;
  write("\nNothing was written. Run again with --yes to write it.\n");
  return false;
}
