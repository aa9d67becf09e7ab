/**
 * The context of an export in any format.
 *
 * @module
 */
import type { ApiClient } from "../transfer/api_client.ts";
import type { Progress } from "../transfer/progress.ts";
import type { Report } from "../transfer/report.ts";

export interface ExportContext {
  readonly api: ApiClient;
  readonly progress: Progress;
  readonly report: Report;
  /** Page or database whose subtree is exported; undefined for the whole workspace. */
  readonly root: string | undefined;
  /** `last`, or an ISO 8601 time in UTC; undefined for a full export. */
  readonly since: string | undefined;
}

/** Counts an object under its kind. */
export function countObject(
  report: Report,
  { kind, record }: { readonly kind: "page" | "database"; readonly record: object },
): void {
  report.count(kind === "database" ? "databases" : isRow(record) ? "rows" : "pages");
}

/** Returns whether the record of a page is a row. */
export function isRow(record: object): boolean {
  const parent = "parent" in record ? record.parent : undefined;
  return typeof parent === "object" && parent !== null && "database_id" in parent;
}
