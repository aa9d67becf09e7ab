/**
 * Shows a plan to people before it is written: counts, and the type of every column.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { countText } from "../transfer/report.ts";
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
  const parts = [
    countText(pages, "pages"),
    ...(databases.length === 0
      ? []
      : [`${countText(databases.length, "databases")} with ${countText(rows, "rows")}`]),
    ...(files.length === 0 ? [] : [countText(files.length, "other files")]),
  ];
  const summary = `The source is ${KINDS[kind]}: ${parts.join(", ")}\n`;
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
  const values = count === 0
    ? "no values"
    : `${countText(count, "values")}, such as ${JSON.stringify(example)}`;
  const hint = note === undefined ? "" : `\n    ${note}`;
  return `${name.padEnd(width)}  ${typeText(column).padEnd(24)}  ${values}${hint}`;
}

/** Returns the type, with how values are read if that may be wrong. */
function typeText(column: Column): string {
  const detail = detailOf(column);
  return detail === undefined ? column.type : `${column.type} (${detail})`;
}

function detailOf(column: Column): string | undefined {
  if (column.type === "number") {
    const { format } = column.reading;
    return format === "number" ? undefined : format;
  }
  if (column.type !== "date") return undefined;
  const { order } = column.reading;
  return order === "dmy" || order === "mdy" ? order : undefined;
}

/** Asks whether to write a plan. Throws unless somebody agrees; without a terminal, `--yes` does. */
export function confirmPlan(
  { yes }: { readonly yes: boolean },
  { confirm }: { readonly confirm: ((question: string) => boolean) | undefined },
): void {
  if (yes || confirm?.("\nWrite this?")) return;
  throw new OperatorError("nothing was written: run again with --yes to write what is shown");
}
