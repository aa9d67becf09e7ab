/**
 * Looking for rows that refer to rows which do not exist, a slice at a time. No document shows such a
 * loss, because what is left of it is intact.
 *
 * @module
 */
import { type Table, TABLES } from "./copy/tables.ts";
import type { Findings } from "./document_check.ts";
import type { Parameter, ReadPlan, Source } from "./reads/query.ts";

/** A column that has the ID of a row. */
interface Reference {
  readonly table: string;
  readonly column: string;
  /** Tables of which one has the row. */
  readonly to: readonly ("nodes" | "comments" | "uploads")[];
  /** Rows without a reference do not fulfil it. */
  readonly condition?: string;
}

const REFERENCES: readonly Reference[] = [
  { table: "nodes", column: "parent_id", to: ["nodes"], condition: "r.parent_kind <> 'workspace'" },
  { table: "cells", column: "node_id", to: ["nodes"] },
  { table: "links", column: "from_id", to: ["nodes"] },
  { table: "links", column: "to_id", to: ["nodes"] },
  { table: "link_counts", column: "row_id", to: ["nodes"] },
  { table: "counters", column: "database_id", to: ["nodes"] },
  { table: "comments", column: "node_id", to: ["nodes"] },
  { table: "upload_uses", column: "node_id", to: ["nodes", "comments"] },
  { table: "upload_uses", column: "upload_id", to: ["uploads"] },
];

/** Rows in memory at once. */
const SLICE = 2_000;
/** Maximum number of findings of one column; a lost table leads to millions. */
const MAX_FINDINGS = 20;

export interface ReferenceCheckOptions {
  readonly source: Source;
  readonly run: <T>(plan: ReadPlan<T>) => Promise<T>;
}

/** Adds a sentence to the findings for each reference to a row that does not exist. */
export async function checkReferences(
  { source, run }: ReferenceCheckOptions,
  { damage }: Pick<Findings, "damage">,
): Promise<void> {
  for (const reference of REFERENCES) {
    const slices = createSlices(source, reference);
    const found = new Set<string>();
    for (let after: Slice["last"] = slices.start; after && found.size < MAX_FINDINGS;) {
      const slice: Slice = await run(slices.read(after));
      slice.dangling.forEach((sentence) => found.add(sentence));
      after = slice.last;
    }
    damage.push(...[...found].slice(0, MAX_FINDINGS));
  }
}

/** A slice of rows, with a sentence for each that refers to nothing. */
interface Slice {
  readonly dangling: readonly string[];
  /** The key of the last row; undefined if there are no more. */
  readonly last: readonly Parameter[] | undefined;
}

interface Slices {
  /** A key before all others. */
  readonly start: readonly Parameter[];
  read(after: readonly Parameter[]): ReadPlan<Slice>;
}

function createSlices({ query }: Source, { table, column, to, condition }: Reference): Slices {
  const { key, columns } = tableOf(table);
  const keys = key.map((name) => `r.${name}`).join(", ");
  const targets = to.map((one) =>
    `EXISTS (SELECT 1 FROM ${one} t WHERE t.workspace_id = r.workspace_id AND t.id = r.${column})`
  );
  const rows = query<[missing: string | null, ...key: (string | number)[]]>(
    `SELECT CASE WHEN ${targets.join(" OR ")} THEN NULL ELSE r.${column} END, ${keys}
    FROM ${table} r
    WHERE (${keys}) > (${key.map((_, index) => `$${index + 1}`).join(", ")})
      ${condition === undefined ? "" : `AND ${condition}`}
    ORDER BY ${keys} LIMIT ${SLICE}`,
  );
  return {
    start: key.map((name) => columns[name] === "integer" ? -1 : ""),
    *read(after) {
      const found = yield* rows.all(after, ([missing, ...own]) => ({ missing, own }));
      const dangling = found.flatMap(({ missing, own: [workspace] }) =>
        missing === null
          ? []
          : `In workspace ${workspace}, ${table}.${column} names ${missing}, which does not exist`
      );
      return { dangling, last: found.length < SLICE ? undefined : found.at(-1)?.own };
    },
  };
}

function tableOf(name: string): Table {
  const table = TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`No table ${name}`);
  return table;
}
