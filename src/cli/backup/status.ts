/**
 * How the last backups went: a file in the data folder, which the server reads for its metrics.
 *
 * @module
 */
import { deleteIfExists } from "../../files/disk/file_io.ts";
import { type BackupStatus, readBackupStatus, STATUS_FILE } from "../../health/backup_status.ts";

/** Records how a backup ended. Never rejects: the backup itself counts. */
export async function recordBackup(dataDir: string, change: Partial<BackupStatus>): Promise<void> {
  const path = `${dataDir}/${STATUS_FILE}`;
  const fresh = `${path}.${crypto.randomUUID()}`;
  try {
    const status = { ...await readBackupStatus(dataDir), ...change };
    await Deno.writeTextFile(fresh, `${JSON.stringify(status)}\n`, { mode: 0o600 });
    await Deno.rename(fresh, path);
  } catch {
    await deleteIfExists(fresh).catch(() => {});
  }
}
