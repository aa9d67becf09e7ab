/**
 * Sizes and hashes of the files on disk.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { FileRecord } from "../../store/port.ts";
import type { BlobMeasure, FileCheckOptions } from "../file_check.ts";
import { createPaths } from "./paths.ts";
import { createReader } from "./reader.ts";

/** Creates the measuring of files in `folder`; it reads the bytes of those alone that `isRead`. */
export function createDiskMeasure(
  folder: string,
  isRead: (file: FileRecord) => boolean,
): FileCheckOptions["measure"] {
  const paths = createPaths(folder);
  return (file) => {
    const path = paths.blob(file.workspace, file.blob);
    return isRead(file) ? measureBytes(path) : measureSize(path);
  };
}

async function measureSize(path: string): Promise<BlobMeasure | undefined> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    return isFile ? { size } : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function measureBytes(path: string): Promise<BlobMeasure | undefined> {
  const bytes = await createReader().read(path);
  if (bytes === undefined) return undefined;
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, hash: hash.digest("hex") };
}
