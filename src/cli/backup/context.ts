/**
 * The settings of backup commands.
 *
 * @module
 */
import { type Config, type Environment, readConfig } from "../../config/config.ts";
import type { Options } from "../options.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { exists } from "../../store/sqlite/file.ts";
import { type BackupKey, parseBackupKey } from "./encryption.ts";

/** Reads the configuration with other values for some variables. */
export function configWith(
  environment: Environment,
  changes: Readonly<Partial<Record<string, string>>>,
): Config {
  return readConfig((name) => changes[name] ?? environment(name));
}

/** Reads the key of archives: from `--key-file`, or the configuration. */
export async function readKey(
  { values }: Options,
  { backups }: Pick<Config, "backups">,
): Promise<BackupKey | undefined> {
  const file = values.get("key-file");
  if (file !== undefined) {
    if (!await exists(file)) throw new OperatorError(`No such key file: ${file}`);
    return await parseBackupKey(await Deno.readTextFile(file), `--key-file ${file}`);
  }
  return backups.key === undefined
    ? undefined
    : await parseBackupKey(backups.key, "RECTO_BACKUP_KEY");
}
