/**
 * Goes on after what cannot be written.
 *
 * @module
 */
import { ApiError } from "../../transfer/api_error.ts";
import type { Report } from "../../transfer/report.ts";

/** Reports what the API refuses, unless it would refuse everything else as well. */
export async function guarded(
  { report }: { readonly report: Report },
  where: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isGeneral = error instanceof ApiError && [401, 403, 404].includes(error.status);
    if (isGeneral || !isLocal(error)) throw error;
    report.omit(where, error.message);
  }
}

function isLocal(error: unknown): error is Error {
  return error instanceof ApiError || error instanceof TypeError ||
    error instanceof Error && error.name === "SourceError";
}
