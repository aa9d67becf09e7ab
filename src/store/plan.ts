/**
 * Plans: generators that yield questions and continue with the answers. The same plan runs on a
 * database in this process, which answers synchronously, and on one across the network.
 *
 * @module
 */
import type { Sql, Value } from "./rows/sql.ts";

export type Tuple = readonly Value[];

/** The rows that answer one question. A database in this process may read them lazily. */
export type SqlResult = Iterable<Tuple>;

/** Each step yields questions that do not depend on each other. */
export type Plan<T, Question = Sql> = Generator<readonly Question[], T, readonly SqlResult[]>;

/** Asks one question. */
export function* runOne(question: Sql): Plan<SqlResult> {
  const [answer = []] = yield [question];
  return answer;
}

/** The first row of an answer; the caller names its type, side by side with the SQL. */
export function firstOf<Row extends Tuple>(answer: SqlResult | undefined): Row | undefined {
  for (const row of answer ?? []) return row as Row;
  return undefined;
}
