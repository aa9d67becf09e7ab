/**
 * The status of the backups, which other processes make.
 *
 * @module
 */
import * as v from "valibot";
import type { MetricSource, Sample } from "../shared/metrics.ts";

/** Name of the file in the data folder. */
export const STATUS_FILE = "backup_status.json";

const number = v.optional(v.number());
const schema = v.object({
  /** Milliseconds since the epoch. */
  lastSuccess: number,
  lastFailure: number,
  /** The last backup that succeeded: bytes of the archive, and seconds that it took. */
  size: number,
  seconds: number,
});

export type BackupStatus = v.InferOutput<typeof schema>;

/** Reads the status; empty if no backup was made, or if the file cannot be read. */
export async function readBackupStatus(dataDir: string): Promise<BackupStatus> {
  try {
    return v.parse(schema, JSON.parse(await Deno.readTextFile(`${dataDir}/${STATUS_FILE}`)));
  } catch {
    return {};
  }
}

/** Creates the metrics of backups, which are left out until there is one. */
export function backupMetrics(dataDir: string): MetricSource[] {
  const gauge = (
    name: string,
    help: string,
    valueOf: (status: BackupStatus) => number | undefined,
  ): MetricSource => ({
    name,
    help,
    type: "gauge",
    combine: "primary",
    read: async () => {
      const value = valueOf(await readBackupStatus(dataDir));
      return value === undefined ? [] : [[{}, value] satisfies Sample];
    },
  });
  const toSeconds = (time: number | undefined) => time === undefined ? undefined : time / 1_000;
  return [
    gauge(
      "recto_backup_last_success_timestamp_seconds",
      "Time of the last backup that succeeded.",
      ({ lastSuccess }) => toSeconds(lastSuccess),
    ),
    gauge(
      "recto_backup_last_failure_timestamp_seconds",
      "Time of the last backup that failed.",
      ({ lastFailure }) => toSeconds(lastFailure),
    ),
    gauge("recto_backup_size_bytes", "Size of the last archive.", ({ size }) => size),
    gauge(
      "recto_backup_duration_seconds",
      "Time that the last backup took.",
      ({ seconds }) => seconds,
    ),
  ];
}
