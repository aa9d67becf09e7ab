/**
 * The table of clients in `docs/notion.md`.
 *
 * @module
 */
import { FAILURES } from "./failures.ts";

/** How one operation of one client ended. */
export interface Outcome {
  /** Name and version. */
  readonly client: string;
  readonly operation: string;
  readonly passed: boolean;
  /** The error, if it did not pass. */
  readonly why?: string;
}

const [START, END] = ["<!-- clients -->", "<!-- end of clients -->"];

/** Returns the guide with this table between its two marks. */
export function replaceTable(guide: string, table: string): string {
  const [start, end] = [guide.indexOf(START), guide.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`The guide has no ${START} before ${END}`);
  return `${guide.slice(0, start)}${START}\n\n${table}\n${guide.slice(end)}`;
}

/** Prints for each client which operations pass, and which do not, with the reason of each. */
export function printTable(outcomes: readonly Outcome[]): string {
  const clients = [...new Set(outcomes.map(({ client }) => client))];
  return clients.map((client) => {
    const own = outcomes.filter((outcome) => outcome.client === client);
    return `### ${client}\n\n${printRows(own)}\n`;
  }).join("\n");
}

function printRows(outcomes: readonly Outcome[]): string {
  const rows = [
    ["operation", "result"],
    ...outcomes.map((outcome) => [outcome.operation, resultOf(outcome)]),
  ].map((cells) => cells.map(escape));
  const widths = [0, 1].map((column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
  );
  const lines = rows.map((cells) =>
    printRow(cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  );
  const rule = printRow(widths.map((width) => "-".repeat(width)));
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function printRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function resultOf(outcome: Outcome): string {
  if (outcome.passed) return "passes";
  const known = FAILURES.find(({ client, operation }) =>
    client === outcome.client && operation === outcome.operation
  );
  return known === undefined ? "fails" : `fails: ${known.reason}`;
}

/** Names of methods and routes are taken literally, as are code spans already. */
function escape(cell: string): string {
  return cell.replaceAll(/`[^`]*`|[_|]/g, (found) => found.startsWith("`") ? found : `\\${found}`);
}
