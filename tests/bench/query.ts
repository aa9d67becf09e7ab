/**
 * Measures queries of a large database, on the store and on the whole service, and how they scale. The
 * database is built in a temporary folder and deleted.
 *
 * @module
 */
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { createSqliteStore, openSqliteStore } from "../../src/store/sqlite/store.ts";
import { report } from "./measure.ts";
import { buildDatabase } from "./query/build.ts";
import { WORKSPACE } from "./query/data.ts";
import { explained, watchStatements } from "./query/plans.ts";
import { createProgress } from "./query/progress.ts";
import { HARD_QUESTIONS, type Question, QUESTIONS } from "./query/questions.ts";
import { type Figures, measureStore, PAGE, queryOf } from "./query/service.ts";

/** Milliseconds for queries that no index serves as they are. */
const HARD_AIM = 50;
const SIZES = [10_000, 100_000, 1_000_000];

export interface QueryBenchOptions {
  /** Rows of the largest database. */
  readonly rows?: number;
}

type Print = (line: string) => void;

export async function benchQuery(
  print: Print,
  { rows: most = Math.max(...SIZES) }: QueryBenchOptions = {},
): Promise<void> {
  const sizes = [...SIZES.filter((size) => size < most), most];
  const growth: Figures[] = [];
  for (const size of sizes) {
    growth.push(
      await withDatabase(size, (path) => measure(print, { path, isLargest: size === most })),
    );
  }
  printGrowth(print, sizes, growth);
}

async function withDatabase(
  rows: number,
  work: (path: string) => Promise<Figures>,
): Promise<Figures> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    const path = `${folder}/recto.db`;
    buildDatabase(path, rows, createProgress(`${rows} rows`));
    return await work(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Subject {
  readonly path: string;
  /** True if the aims apply to it. */
  readonly isLargest: boolean;
}

async function measure(print: Print, { path, isLargest }: Subject): Promise<Figures> {
  if (isLargest) await printPlans(print, path);
  const figures = await measureStore(openSqliteStore(path));
  if (isLargest) printAims(print, figures);
  return figures;
}

async function printPlans(print: Print, path: string): Promise<void> {
  const connection = openConnection(path);
  const statements = watchStatements(connection.db);
  const store = createSqliteStore(connection);
  for (const question of QUESTIONS) {
    statements.length = 0;
    await store.rows(WORKSPACE, queryOf(question));
    printPlan(print, question, explained(connection.db, statements));
  }
  await store.close();
}

function printPlan(print: Print, { name }: Question, plans: readonly string[]): void {
  print(`     plan of ${name}:`);
  for (const step of plans) print(`       ${step}`);
  const scans = plans.filter((step) => /^SCAN (?:cells|nodes|links|d|n|l)\b/.test(step));
  if (scans.length > 0) throw new Error(`The plan reads a whole table: ${scans.join("; ")}`);
}

function printAims(print: Print, figures: Figures): void {
  const line = (name: string, aim: number) => {
    const value = figures.get(name);
    if (value === undefined) return;
    print(report(name, { value, unit: "ms", aim: `< ${aim.toFixed(1)} ms`, met: value < aim }));
  };
  for (const { name, aim } of QUESTIONS) {
    line(`${name}, store`, aim);
    line(name, aim);
    line(`${name}, page ${PAGE}`, 2 * (figures.get(name) ?? 0));
  }
  line("insert of a row", 3);
  for (const { name } of HARD_QUESTIONS) line(name, HARD_AIM);
}

function printGrowth(print: Print, sizes: readonly number[], growth: readonly Figures[]): void {
  const names = new Set(growth.flatMap((figures) => [...figures.keys()]));
  const row = (name: string, cells: readonly string[]) =>
    print(`${name.padEnd(62)}${cells.map((cell) => cell.padStart(12)).join("")}`);
  row("p50 in ms, by rows", sizes.map(String));
  for (const name of names) {
    row(name, growth.map((figures) => figures.get(name)?.toFixed(2) ?? "-"));
  }
}
