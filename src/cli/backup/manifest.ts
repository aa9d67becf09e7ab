/**
 * The description of an archive, in the last two of its members.
 *
 * @module
 */
import * as v from "valibot";

/** Version of the archive format. */
export const FORMAT = 1;

export const MANIFEST = "manifest.json";
/** Has the SHA-256 of the manifest. */
export const MANIFEST_HASH = "manifest.sha256";
export const KEY_FILE = "local_issuer.jwk.json";
/** Keys, sizes and entity tags of the files in a bucket, as JSON lines. */
export const BUCKET_LIST = "bucket.jsonl";
export const DATABASE_MEMBERS = { sqlite: "database.sqlite", postgres: "database.pgdump" } as const;
export const FILES = "files/";
/** Name of the folder of a workspace. */
export const HOME_NAME = /^[0-9a-f]{32}$/;
/** Name of a blob, and of the folder that holds it. */
export const BLOB_NAME = /^[\w-]+$/;

/** Returns whether a member below `files/` is a file of the service. */
export function isFileName(name: string): boolean {
  const [home = "", part = "", blob = "", ...others] = name.slice(FILES.length).split("/");
  return others.length === 0 && HOME_NAME.test(home) && BLOB_NAME.test(part) &&
    BLOB_NAME.test(blob);
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

export const manifestSchema = v.strictObject({
  format: v.literal(FORMAT),
  /** Version of Recto. */
  recto: v.string(),
  /** The last migration of the database. */
  schema: v.string(),
  /** Start of the backup. */
  time: v.pipe(v.string(), v.isoTimestamp()),
  database: v.picklist(["sqlite", "postgres"]),
  files: v.strictObject({
    store: v.picklist(["disk", "s3"]),
    count,
    bytes: count,
    /** Blobs that the database names and the store does not have. */
    missing: count,
  }),
  /** SHA-256 of each list of checksums, in order. */
  checksums: v.array(sha256),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Members of one list of checksums. */
export const LIST_LENGTH = 1_000;

/** A list of checksums: name, size and SHA-256 of the members since the list before it. */
export const listSchema = v.array(v.strictTuple([v.string(), count, sha256]));

export type Checksum = v.InferOutput<typeof listSchema>[number];

/** Name of the list with this number, from 0. */
export function listName(number: number): string {
  return `checksums/${String(number + 1).padStart(6, "0")}.json`;
}
