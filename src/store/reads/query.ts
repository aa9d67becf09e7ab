/**
 * Prepared questions whose rows are tuples.
 *
 * @module
 */
import type { Plan, SqlResult } from "../plan.ts";
import type { ReadDialect } from "./dialect.ts";

/** A parameter of a question; a list stands for the set of its texts. */
export type Parameter = string | number | null | readonly string[];

export interface Question {
  /** A statement that the source declared. */
  readonly text: string;
  readonly values: readonly Parameter[];
  /** True if rows are read lazily: a reader that stops early skips the rest. */
  readonly isLazy?: true;
  /** True if only the first row is needed. */
  readonly isSingle?: true;
}

export type ReadPlan<T> = Plan<T, Question>;

/** One statement; each row is the tuple of its selected columns. */
export interface Query<Row extends readonly unknown[]> {
  /** Reads at most one row. */
  first<T>(values: readonly Parameter[], toValue: (row: Row) => T): ReadPlan<T | undefined>;
  all<T>(values: readonly Parameter[], toValue: (row: Row) => T): ReadPlan<T[]>;
  /** Reads row by row. Read all of them before the plan yields another question. */
  lazily(values: readonly Parameter[]): ReadPlan<Iterable<Row>>;
  /** For a step that asks several questions at once; `rowsOf` types their answers. */
  question(values: readonly Parameter[]): Question;
  rowsOf(answer: SqlResult | undefined): Row[];
}

/** A database as readers see it. */
export interface Source {
  readonly dialect: ReadDialect;
  /**
   * Declares a statement; its parameters are `$1`, `$2`, ….
   *
   * Nothing checks `Row` against `sql`: write the two side by side.
   */
  query<Row extends readonly unknown[]>(sql: string): Query<Row>;
}

/** Creates a source in this dialect; `prepare` gets every statement once. */
export function createSource(dialect: ReadDialect, prepare: (text: string) => void): Source {
  return {
    dialect,
    query<Row extends readonly unknown[]>(sql: string) {
      const text = dialect.statement(sql);
      prepare(text);
      return createQuery<Row>(text);
    },
  };
}

function createQuery<Row extends readonly unknown[]>(text: string): Query<Row> {
  // Sound because the columns that the statement names decide the tuple, and a question without
  // `isLazy` is answered with an array.
  const rowsOf = (answer: SqlResult = []) => answer as readonly unknown[] as Row[];
  return {
    *first(values, toValue) {
      const [answer] = yield [{ text, values, isSingle: true }];
      const [row] = rowsOf(answer);
      return row && toValue(row);
    },
    *all(values, toValue) {
      const [answer] = yield [{ text, values }];
      return rowsOf(answer).map(toValue);
    },
    *lazily(values) {
      const [answer] = yield [{ text, values, isLazy: true }];
      return answer as Iterable<readonly unknown[]> as Iterable<Row>;
    },
    question: (values) => ({ text, values }),
    rowsOf,
  };
}
