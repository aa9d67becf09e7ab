/**
 * Statements whose rows are tuples.
 *
 * @module
 */

/** A parameter: a list is an array of texts, or JSON if the statement says so. */
export type Value = string | number | boolean | Uint8Array | null | readonly (string | object)[];

/** The result of a statement: rows as tuples, and how many rows it returned or changed. */
export interface QueryResult extends ReadonlyArray<readonly unknown[]> {
  readonly count: number;
  /** `SELECT`, `COMMIT`, … */
  readonly command: string;
}

/** Takes statements: on any free connection, or on the one of a transaction. */
export interface Session {
  /**
   * Sends at once, behind what was sent before and without waiting for it. Each connection prepares
   * a statement with values when it first meets it.
   */
  send(sql: string, values: readonly Value[]): Promise<QueryResult>;
}

/** A read; each row is the tuple of its selected columns. */
export interface Query<Row extends readonly unknown[]> {
  get(on: Session, ...values: Value[]): Promise<Row | undefined>;
  all(on: Session, ...values: Value[]): Promise<Row[]>;
}

/** Nothing checks `Row` against `sql`: write the two side by side. */
export function query<Row extends readonly unknown[]>(sql: string): Query<Row> {
  const all: Query<Row>["all"] = async (on, ...values) => {
    // Sound because the tables' types decide the tuple of the columns that `sql` names.
    return await on.send(sql, values) as readonly unknown[] as Row[];
  };
  return { all, get: async (on, ...values) => (await all(on, ...values))[0] };
}

/** A write; answers how many rows it changed. */
export type Statement = (on: Session, ...values: Value[]) => Promise<number>;

export function statement(sql: string): Statement {
  return async (on, ...values) => (await on.send(sql, values)).count;
}
