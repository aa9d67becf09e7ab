/**
 * The settings of backups: their place, number and schedule.
 *
 * @module
 */
import type { BackupSchedule } from "./backup_schedule.ts";
import { type S3Config, s3ConnectionOf } from "./files.ts";
import type { Settings } from "./variables.ts";

/** A folder, or a place in a bucket. */
export type BackupTarget =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "s3"; readonly bucket: S3Config; readonly prefix: string };

export interface BackupsConfig {
  readonly to: BackupTarget;
  /** Number of archives that remain after a backup; undefined: all. */
  readonly keep: number | undefined;
  /** The public key as configured; undefined: archives are not encrypted. */
  readonly key: string | undefined;
  readonly schedule: BackupSchedule | undefined;
}

const DEFAULT_FOLDER = "backups";
const BUCKET_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/;

/** Returns whether a place of backups is in a bucket. */
export function isBucketUrl(text: string | undefined): boolean {
  return text?.startsWith("s3://") ?? false;
}

/** Reads these settings, and adds what is wrong with them to `issues`. */
export function backupsOf(settings: Settings, issues: string[]): BackupsConfig {
  return {
    to: targetOf(settings, issues),
    keep: settings.RECTO_BACKUP_KEEP,
    key: settings.RECTO_BACKUP_KEY,
    schedule: settings.RECTO_BACKUP_SCHEDULE,
  };
}

function targetOf(settings: Settings, issues: string[]): BackupTarget {
  const to = settings.RECTO_BACKUP_TO ?? DEFAULT_FOLDER;
  if (!isBucketUrl(to)) return { kind: "folder", path: to.replace(/(?<=.)\/+$/, "") };
  const [, bucket, prefix = ""] = BUCKET_URL.exec(to) ?? [];
  if (bucket === undefined) issues.push(`RECTO_BACKUP_TO must be like s3://bucket/prefix: "${to}"`);
  const connection = s3ConnectionOf(settings, issues, "if backups are in a bucket");
  return { kind: "s3", bucket: { ...connection, bucket: bucket ?? "" }, prefix };
}
