/**
 * Functions that SQLite lacks.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { indexIn } from "../../shared/text_search.ts";

/**
 * Defines `contains_text(text, wanted)`, in time that grows with the length of both. That of `instr()`
 * grows with their product if both repeat themselves.
 */
export function defineFunctions(db: DatabaseSync): void {
  db.function(
    "contains_text",
    { deterministic: true, directOnly: true },
    (text, wanted) =>
      typeof text === "string" && typeof wanted === "string" && indexIn(text, wanted) >= 0 ? 1 : 0,
  );
}
