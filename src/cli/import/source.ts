/**
 * The sources that `recto import` can read: each kind recognizes its own and imports it.
 *
 * @module
 */
import type { ApiClient, ApiClientOptions } from "../transfer/api_client.ts";
import type { Journal } from "../transfer/journal.ts";
import type { JsonObject } from "../transfer/json.ts";
import type { Progress } from "../transfer/progress.ts";
import type { Report } from "../transfer/report.ts";

export interface ImportContext {
  readonly api: ApiClient;
  readonly progress: Progress;
  readonly report: Report;
  /** The journal of what earlier runs wrote. */
  readonly journal: Journal;
  /** Parent of what has no parent in the source, in the form of the API. */
  readonly parent: JsonObject;
  /** Values of the source's own options. */
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** How requests are sent to a server that is the source; tests replace it. */
  readonly http?: Pick<ApiClientOptions, "fetch" | "sleep">;
}

export interface ImportSource {
  readonly name: string;
  /** Lines of `--help` about this source. */
  readonly usage: string;
  /** Options that only this source has. */
  readonly options?: Readonly<Record<string, { readonly type: "string" | "boolean" }>>;
  /** Returns whether this source reads what is at the path. */
  recognizes(path: string): Promise<boolean>;
  /**
   * Imports what is at the path. Resolves to false if nothing was to be written. Throws
   * `OperatorError` if it cannot be read at all.
   */
  run(path: string, context: ImportContext): Promise<boolean>;
}
