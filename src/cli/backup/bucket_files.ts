/**
 * The uploaded files in a bucket, as a list in an archive: their bytes stay where they are.
 *
 * @module
 */
import type { S3Config } from "../../config/files.ts";
import { FILE_KEY, objectKey } from "../../files/s3/object_keys.ts";
import { listObjects } from "./bucket_objects.ts";
import type { UsedBlob } from "../../store/sqlite/backup.ts";

export interface BucketList {
  readonly keys: ReadonlySet<string>;
  /** Bytes of all files together. */
  readonly bytes: number;
}

/** Writes keys, sizes and entity tags of all files in a bucket to a file, as JSON lines. */
export async function writeBucketList(bucket: S3Config, path: string): Promise<BucketList> {
  const keys = new Set<string>();
  let bytes = 0;
  const encoder = new TextEncoder();
  using file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 });
  for await (const object of listObjects(bucket, "")) {
    // Backups may be in the same bucket.
    if (!FILE_KEY.test(object.key)) continue;
    keys.add(object.key);
    bytes += object.size;
    const line = encoder.encode(`${JSON.stringify(object)}\n`);
    for (let rest = line; rest.length > 0;) rest = rest.subarray(await file.write(rest));
  }
  return { keys, bytes };
}

/** Returns how many of the blobs are not in a bucket. */
export function countMissing({ keys }: BucketList, blobs: Iterable<UsedBlob>): number {
  let missing = 0;
  for (const { workspace, blob } of blobs) if (!keys.has(objectKey(workspace, blob))) missing++;
  return missing;
}
