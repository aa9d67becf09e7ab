/**
 * Comparing all stored files with the database.
 *
 * @module
 */
import { filesFolder } from "../app/files.ts";
import type { Config } from "../config/config.ts";
import { createDiskMeasure } from "../files/disk/measure.ts";
import { type BlobMeasure, checkFiles, type FileCheckOptions } from "../files/file_check.ts";
import { objectKey } from "../files/s3/object_keys.ts";
import type { FileKey } from "../store/port.ts";
import { listObjects, objectSize } from "./backup/bucket_objects.ts";

type Measure = FileCheckOptions["measure"];

/** Files in memory at once. */
const SLICE = 500;

/** Checks all files, adds a sentence for each damaged one to `damage`, and returns their number. */
export async function verifyFiles(options: FileCheckOptions, damage: string[]): Promise<number> {
  let count = 0;
  let after: FileKey | undefined;
  do {
    const { checked, damaged, next } = await checkFiles(options, after, SLICE);
    count += checked;
    for (const { workspace, id, issue } of damaged) {
      damage.push(`The file of upload ${id} in workspace ${workspace} ${issue}`);
    }
    after = next;
  } while (after !== undefined);
  return count;
}

/** Creates the measuring of the configured storage. */
export async function createMeasure(
  { files: { s3 }, dataDir }: Pick<Config, "files" | "dataDir">,
): Promise<Measure> {
  return s3 === undefined
    ? measureBlobsOnce(createDiskMeasure(filesFolder(dataDir), () => true))
    : await createBucketMeasure(s3);
}

/** Uploads with equal content share a blob, and follow one another. */
function measureBlobsOnce(measure: Measure): Measure {
  let last:
    | { readonly key: string; readonly measured: Promise<BlobMeasure | undefined> }
    | undefined;
  return (file) => {
    const key = JSON.stringify([file.workspace, file.blob]);
    if (last?.key !== key) last = { key, measured: measure(file) };
    return last.measured;
  };
}

/** Lists the bucket, rather than send a request for each file. */
async function createBucketMeasure(bucket: NonNullable<Config["files"]["s3"]>): Promise<Measure> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of listObjects(bucket, "")) sizes.set(key, size);
  return async ({ workspace, blob }) => {
    const key = objectKey(workspace, blob);
    // A file may have come since.
    const size = sizes.get(key) ?? await objectSize(bucket, key);
    return size === undefined ? undefined : { size };
  };
}
