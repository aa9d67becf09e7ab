/**
 * Where files are kept, and for how long.
 *
 * @module
 */
import { ORIGIN, type Reader } from "./reader.ts";

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
  /** Undefined: files are on disk. */
  readonly s3: S3Config | undefined;
  /** Of one file. */
  readonly maxBytes: number;
  /** Milliseconds that an address of a file is valid for at most. */
  readonly validity: number;
  /** Milliseconds that a file stays while nothing refers to it. */
  readonly life: number;
}

const MINUTE = 60_000;

/** Reads it; tells what is wrong with it. */
export function filesOf(read: Reader, issues: string[]): FilesConfig {
  const count = { pattern: /^[1-9]\d{0,12}$/, form: "a whole number" };
  const minutes = { pattern: /^[1-9]\d{0,5}$/, form: "minutes as a whole number" };
  const validity = read.matching("FILES_URL_MINUTES", minutes, Number) ?? 60;
  const life = read.matching("FILES_KEEP_MINUTES", minutes, Number) ?? Math.max(60, validity);
  if (life > LONGEST_S3_ADDRESS && read.text("FILES") === "s3") {
    issues.push("FILES_KEEP_MINUTES must not be more than 10080, a week, with FILES=s3");
  }
  if (life < validity) issues.push("FILES_KEEP_MINUTES must not be less than FILES_URL_MINUTES");
  return {
    s3: s3Of(read, issues),
    maxBytes: Math.min(read.matching("FILES_MAX_BYTES", count, Number) ?? Infinity, LARGEST_FILE),
    validity: validity * MINUTE,
    life: life * MINUTE,
  };
}

/** Minutes: S3 signs for a week at most. */
const LONGEST_S3_ADDRESS = 10_080;

const BUCKET = {
  pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  form: "the name of a bucket",
};

const S3_VARIABLES = [
  ...["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_KEY_ID", "S3_SECRET"],
  ...["S3_SESSION_TOKEN", "S3_STYLE"],
] as const;

function s3Of(read: Reader, issues: string[]): S3Config | undefined {
  if (read.oneOf("FILES", ["disk", "s3"]) !== "s3") {
    if (S3_VARIABLES.some((name) => read.text(name) !== undefined)) {
      issues.push("FILES must be s3 where S3_… are set");
    }
    return undefined;
  }
  const region = read.text("S3_REGION") ?? "us-east-1";
  const required = (name: "S3_KEY_ID" | "S3_SECRET") => {
    const value = read.text(name);
    if (value === undefined) issues.push(`${name} must be set with FILES=s3`);
    return value ?? "";
  };
  if (read.text("S3_BUCKET") === undefined) issues.push("S3_BUCKET must be set with FILES=s3");
  return {
    endpoint: read.matching("S3_ENDPOINT", ORIGIN, (text) => text) ??
      `https://s3.${region}.amazonaws.com`,
    bucket: read.matching("S3_BUCKET", BUCKET, (text) => text) ?? "",
    region,
    keyId: required("S3_KEY_ID"),
    secret: required("S3_SECRET"),
    sessionToken: read.text("S3_SESSION_TOKEN"),
    isVirtualHost: read.oneOf("S3_STYLE", ["path", "virtual"]) === "virtual",
  };
}

/** What S3 takes in one piece, and the document promises. */
const LARGEST_FILE = 5 * 1024 ** 3;
