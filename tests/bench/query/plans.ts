/**
 * Records SQLite's query plans.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/** Records every statement prepared from now on. */
export function watchStatements(db: DatabaseSync): string[] {
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  return statements;
}

/** Returns the distinct plan steps of these statements. */
export function explained(db: DatabaseSync, statements: readonly string[]): string[] {
  const steps = [...new Set(statements)].flatMap((sql) =>
    db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map(({ detail }) => String(detail))
  );
  return [...new Set(steps)];
}
