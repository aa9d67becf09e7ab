/**
 * Reads that are put together when they are asked for, prepared once for as long as they are in use.
 *
 * @module
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { type Query, query } from "../query.ts";
import type { Sql } from "./sql.ts";

/** Runs reads; the caller says what their rows are, side by side with the SQL. */
export interface Read {
  first<Row extends Tuple>(sql: Sql): Row | undefined;
  /** Row by row; whoever stops early has not paid for the rest. */
  each<Row extends Tuple>(sql: Sql): Iterable<Row>;
}

type Tuple = readonly SQLInputValue[];

const MAX_STATEMENTS = 500;

/** Keeps the statements used last. */
export function createStatements(db: DatabaseSync): Read {
  const prepared = new LRUCache<string, Query<Tuple>>({ max: MAX_STATEMENTS });
  const prepare = <Row extends Tuple>(text: string): Query<Row> => {
    const known = prepared.get(text) ?? query<Tuple>(db, text);
    prepared.set(text, known);
    return known as Query<Row>; // what the caller says of its own SQL
  };
  return {
    first: <Row extends Tuple>({ text, values }: Sql) => prepare<Row>(text).get(...values),
    each: <Row extends Tuple>({ text, values }: Sql) => prepare<Row>(text).iterate(...values),
  };
}
