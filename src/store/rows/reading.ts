/**
 * Plans that read: a plan hands out what it asks and goes on with what is answered. So one plan serves
 * a database that answers at once, and one across a network.
 *
 * @module
 */
import type { Sql, Value } from "./sql.ts";

export type Tuple = readonly Value[];

/** The rows of one question; a database in this process reads them as they are looked at. */
export type SqlResult = Iterable<Tuple>;

/** Each step hands out questions that do not depend on each other. */
export type Plan<T> = Generator<readonly Sql[], T, readonly SqlResult[]>;

/** Asks one question. */
export function* runOne(question: Sql): Plan<SqlResult> {
  const [answer = []] = yield [question];
  return answer;
}

/** The first row of an answer; the caller says what it is, side by side with the SQL. */
export function firstOf<Row extends Tuple>(answer: SqlResult | undefined): Row | undefined {
  for (const row of answer ?? []) return row as Row;
  return undefined;
}
