/**
 * The settings of files: their storage, and how long they are kept.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

export interface S3Config {
  /** Origin of the store. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken: string | undefined;
  readonly isVirtualHost: boolean;
}

export interface FilesConfig {
  /** Undefined: files are stored on disk. */
  readonly s3: S3Config | undefined;
  /** Maximum size of one file. */
  readonly maxBytes: number;
  /** Milliseconds that a download URL is valid at most. */
  readonly validity: number;
  /** Milliseconds that a file without references is stored. */
  readonly life: number;
  /** True if files may be fetched from private addresses. */
  readonly privateNetworks: boolean;
}

const MINUTE = 60_000;

/** Reads these settings, and adds what is wrong with them to `issues`. */
export function filesOf(settings: Settings, issues: string[]): FilesConfig {
  const validity = settings.RECTO_FILES_URL_MINUTES ?? 60;
  const life = settings.RECTO_FILES_KEEP_MINUTES ?? Math.max(60, validity);
  if (life > MAX_S3_VALIDITY_MINUTES && settings.RECTO_FILES === "s3") {
    issues.push(
      "RECTO_FILES_KEEP_MINUTES must not be more than 10080, a week, with RECTO_FILES=s3",
    );
  }
  if (life < validity) {
    issues.push("RECTO_FILES_KEEP_MINUTES must not be less than RECTO_FILES_URL_MINUTES");
  }
  return {
    s3: s3Of(settings, issues),
    maxBytes: Math.min(settings.RECTO_FILES_MAX_BYTES ?? Infinity, MAX_FILE_BYTES),
    validity: validity * MINUTE,
    life: life * MINUTE,
    privateNetworks: settings.RECTO_FILES_PRIVATE_NETWORK === "true",
  };
}

/** S3 signs URLs for a week at most. */
const MAX_S3_VALIDITY_MINUTES = 10_080;

const S3_VARIABLES = [
  "RECTO_S3_ENDPOINT",
  "RECTO_S3_BUCKET",
  "RECTO_S3_REGION",
  "RECTO_S3_KEY_ID",
  "RECTO_S3_SECRET",
  "RECTO_S3_SESSION_TOKEN",
  "RECTO_S3_STYLE",
] as const;

function s3Of(settings: Settings, issues: string[]): S3Config | undefined {
  if (settings.RECTO_FILES !== "s3") {
    const isForBackups = settings.RECTO_BACKUP_TO?.startsWith("s3://") ?? false;
    if (!isForBackups && S3_VARIABLES.some((name) => settings[name] !== undefined)) {
      issues.push("RECTO_FILES must be s3 if RECTO_S3_… are set");
    }
    return undefined;
  }
  const reason = "with RECTO_FILES=s3";
  const bucket = required(settings, issues, "RECTO_S3_BUCKET", reason);
  return { ...s3ConnectionOf(settings, issues, reason), bucket };
}

/** Reads how an S3-compatible store is reached; `reason` completes "… must be set". */
export function s3ConnectionOf(
  settings: Settings,
  issues: string[],
  reason: string,
): Omit<S3Config, "bucket"> {
  const region = settings.RECTO_S3_REGION ?? "us-east-1";
  return {
    endpoint: settings.RECTO_S3_ENDPOINT ??
      `https://s3.${region}.amazonaws.com`,
    region,
    keyId: required(settings, issues, "RECTO_S3_KEY_ID", reason),
    secret: required(settings, issues, "RECTO_S3_SECRET", reason),
    sessionToken: settings.RECTO_S3_SESSION_TOKEN,
    isVirtualHost: settings.RECTO_S3_STYLE === "virtual",
  };
}

function required(
  settings: Settings,
  issues: string[],
  name: "RECTO_S3_BUCKET" | "RECTO_S3_KEY_ID" | "RECTO_S3_SECRET",
  reason: string,
): string {
  const value = settings[name];
  const isKnown = issues.some((issue) => issue.startsWith(`${name} `));
  if (value === undefined && !isKnown) issues.push(`${name} must be set ${reason}`);
  return value ?? "";
}

/** The largest object that S3 takes in one request; the OpenAPI document promises it. */
const MAX_FILE_BYTES = 5 * 1024 ** 3;
