/**
 * Running the shared reads on a SQLite connection.
 *
 * @module
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { NodeView } from "../../content/schema/node.ts";
import type { SqlResult, Tuple } from "../plan.ts";
import {
  createSource,
  type Parameter,
  type Question,
  type ReadPlan,
  type Source,
} from "../reads/query.ts";
import { SQLITE_READS } from "./dialect.ts";
import { type Query, query } from "./query.ts";
import type { Steps } from "./steps.ts";

export interface Reader {
  /** Prepares each statement that is declared with it. */
  readonly source: Source;
  /** Runs a plan at once. */
  run<T>(plan: ReadPlan<T>): T;
  /** Runs a plan; each step answers one of its questions. */
  steps<T>(plan: ReadPlan<T>): Steps<T>;
}

/** Reads the existing nodes of these, in arbitrary order. */
export type ReadNodes = (workspace: string, ids: readonly string[]) => NodeView[];

/** A reader of one connection. */
export function createReader(db: DatabaseSync): Reader {
  const queries = new Map<string, Query<Tuple>>();
  const answer = ({ text, values, isLazy, isSingle }: Question): SqlResult => {
    const statement = queries.get(text);
    if (statement === undefined) throw new Error(`Statement is of another connection: ${text}`);
    const inputs = values.map(toInput);
    if (isLazy) return statement.iterate(...inputs);
    if (!isSingle) return statement.all(...inputs);
    const row = statement.get(...inputs);
    return row === undefined ? [] : [row];
  };
  return {
    source: createSource(SQLITE_READS, (text) => queries.set(text, query(db, text))),
    run(plan) {
      let step = plan.next();
      while (!step.done) step = plan.next(step.value.map(answer));
      return step.value;
    },
    *steps(plan) {
      let step = plan.next();
      while (!step.done) {
        step = plan.next(step.value.map(answer));
        if (!step.done) yield;
      }
      return step.value;
    },
  };
}

/** A list as JSON; each text once, because each joins its row. */
function toInput(value: Parameter): SQLInputValue {
  return typeof value === "object" && value !== null ? JSON.stringify([...new Set(value)]) : value;
}
