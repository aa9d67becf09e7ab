/**
 * How SQLite goes about what it was asked.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";

/** Every statement that is prepared from here on. */
export function watchStatements(db: DatabaseSync): string[] {
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    statements.push(sql);
    return prepare(sql);
  };
  return statements;
}

/** The steps of these statements, each once. */
export function explained(db: DatabaseSync, statements: readonly string[]): string[] {
  const steps = [...new Set(statements)].flatMap((sql) =>
    db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all().map(({ detail }) => String(detail))
  );
  return [...new Set(steps)];
}
