/**
 * The backups that `recto serve` makes beside the server, which may not run programs.
 *
 * @module
 */
import { readVariables } from "../../config/variables.ts";
import { createLog, type Log, type LogLevel } from "../../shared/log.ts";
import { writeAll } from "../../shared/write_all.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { type Scheduler, startScheduler } from "./scheduler.ts";

type Environment = Readonly<Record<string, string>>;

/**
 * Returns what is wrong with the key of scheduled backups; undefined if nothing is. Each of them would
 * fail, the first perhaps a day later.
 */
export async function backupKeyIssue(env: Environment): Promise<string | undefined> {
  const { settings } = readVariables((name) => env[name]);
  if (settings.RECTO_BACKUP_SCHEDULE === undefined) return undefined;
  if (settings.RECTO_BACKUP_KEY === undefined) return undefined;
  const { parseBackupKey } = await import("./encryption.ts");
  try {
    await parseBackupKey(settings.RECTO_BACKUP_KEY, "RECTO_BACKUP_KEY");
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

/** Creates the log of the launcher, which passes signals on even if nobody reads the log. */
export function createLauncherLog(level: LogLevel): Log {
  const encoder = new TextEncoder();
  const write = (text: string) => writeAll(Deno.stdout, encoder.encode(text));
  return createLog({ level, write, now: Date.now });
}

export interface BackupCommand {
  /** Returns the arguments of Deno. */
  readonly args: () => readonly string[];
  /** Folder that Deno runs in. */
  readonly folder: string;
}

/** Starts the backups of the settings, if any. */
export function scheduleBackups(
  env: Environment,
  { args, folder }: BackupCommand,
): Scheduler | undefined {
  const { settings } = readVariables((name) => env[name]);
  const { RECTO_BACKUP_SCHEDULE: schedule, RECTO_LOG_LEVEL: level = "info" } = settings;
  if (schedule === undefined) return undefined;
  return startScheduler({
    schedule,
    now: Date.now,
    log: createLauncherLog(level),
    after: (delay, work) => {
      const timer = setTimeout(work, delay);
      return () => clearTimeout(timer);
    },
    run: async (signal) => {
      const options = { args: [...args()], cwd: folder, env, signal };
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), options).output();
      const decoder = new TextDecoder();
      return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
    },
  });
}
