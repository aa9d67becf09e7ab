/**
 * Locks the pages and databases that are locked in the archive.
 *
 * @module
 */
import { isMissingRoute } from "../../transfer/api_error.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import { type ImportRun, refusalOf } from "./import_run.ts";

/** Writes all locks, once everything else is written. Only `/v1` takes them. */
export async function writeLocks(run: ImportRun): Promise<void> {
  const locked = [...run.archive.objects.values()].filter(({ record }) =>
    record.is_locked === true
  );
  await forEachParallel(locked, run.api.parallel, async ({ id, kind }) => {
    try {
      await run.once(`locked ${id}`, async (key) => {
        await run.api.patch(`/v1/${kind}s/${run.idOf(id)}`, { is_locked: true }, { key });
        return "done";
      });
    } catch (error) {
      const isMissing = isMissingRoute(error);
      run.report.omit(id, isMissing ? "locks need a server that serves /v1" : refusalOf(error));
    }
  });
}
