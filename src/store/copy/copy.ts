/**
 * Copying everything from one database to another.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { OperatorError } from "../operator_error.ts";
import { type Archive, keyOf, type Row } from "./archive.ts";
import { type Table, TABLES } from "./tables.ts";

/** Rows in memory at once. */
const BATCH = 1_000;

/** Called for each batch, with how many of a table's rows are done. */
export type Progress = (
  what: "copied" | "compared",
  table: string,
  rows: number,
  of: number,
) => void;

/** Summary of a table: the number of its rows, and the SHA-256 of all of them. */
export interface Digest {
  readonly rows: number;
  readonly hash: string;
}

export interface Copied {
  readonly table: string;
  readonly source: Digest;
  readonly target: Digest;
}

/**
 * Copies every table, starting where the target ends, so that an interrupted copy can continue. Then
 * reads both databases completely and compares digests. Nothing else may write to either database in
 * the meantime; a table that changes gets different digests. Throws `OperatorError` and writes nothing
 * if the target has content of its own. The source's secrets replace those of the target.
 */
export async function copyAll(
  source: Archive,
  target: Archive,
  progress: Progress,
): Promise<Copied[]> {
  await assertBeginning(source, target);
  const copied: Copied[] = [];
  for (const table of TABLES) {
    await copyTable(table, { source, target, progress });
    copied.push({
      table: table.name,
      source: await digest(table, source, progress),
      target: await digest(table, target, progress),
    });
  }
  return copied;
}

/** Throws if the target holds anything but the first rows of each table. */
async function assertBeginning(source: Archive, target: Archive): Promise<void> {
  const own: string[] = [];
  for (const table of TABLES.filter(({ ofAStart }) => !ofAStart)) {
    if (!await isBeginning(table, source, target)) own.push(table.name);
  }
  if (own.length === 0) return;
  throw new OperatorError(
    `The target holds content that is not the source's: ${
      own.join(", ")
    }. Copy to an empty database`,
  );
}

async function isBeginning(table: Table, source: Archive, target: Archive): Promise<boolean> {
  let after: Row | undefined;
  for await (const rows of batches(table, target)) {
    const same = await source.read(table, after, rows.length);
    if (JSON.stringify(rows) !== JSON.stringify(same)) return false;
    after = keyOf(table, rows.at(-1) ?? []);
  }
  return true;
}

interface Ends {
  readonly source: Archive;
  readonly target: Archive;
  readonly progress: Progress;
}

async function copyTable(table: Table, { source, target, progress }: Ends): Promise<void> {
  if (table.ofAStart) await target.clear(table);
  const all = await source.count(table);
  let done = await target.count(table);
  for await (const rows of batches(table, source, await target.last(table))) {
    await target.write(table, rows);
    done += rows.length;
    progress("copied", table.name, done, all);
  }
  await target.analyze(table);
}

async function digest(table: Table, archive: Archive, progress: Progress): Promise<Digest> {
  const all = await archive.count(table);
  const hash = createHash("sha256");
  let rows = 0;
  for await (const batch of batches(table, archive)) {
    for (const row of batch) hash.update(`${JSON.stringify(row)}\n`);
    rows += batch.length;
    progress("compared", table.name, rows, all);
  }
  return { rows, hash: hash.digest("hex") };
}

async function* batches(table: Table, archive: Archive, after?: Row): AsyncGenerator<Row[]> {
  for (;;) {
    const rows = await archive.read(table, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(table, last);
  }
}
