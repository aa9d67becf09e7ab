/**
 * Files that are sent in parts.
 *
 * @module
 */
import type { Upload } from "../../content/values/uploads.ts";
import type { BlobReceiver, ReceivedBlob, ReceivedPart } from "../../files/blob_store.ts";
import { validationError } from "../../shared/errors.ts";
import type { UploadReader } from "../../store/port.ts";
import { uploadConflict } from "../../shared/upload_conflict.ts";
import { limitBytes } from "./limit_bytes.ts";
import type { Services } from "../shared/services.ts";

/** Returns the number of a part. Throws `validation_error` if it is missing or out of range. */
export function partOf({ parts }: Upload, told: string | undefined): number {
  const number = Number(told);
  if (parts !== null && Number.isInteger(number) && number >= 1 && number <= parts) return number;
  throw validationError([{
    pointer: "/part_number",
    detail: `The part_number should be a number from 1 to ${parts}, instead was ${told}.`,
  }]);
}

interface PartToStore {
  readonly workspace: string;
  readonly upload: Upload;
  readonly part: ReceivedPart;
  readonly number: number;
}

/**
 * Stores a part of an upload. Throws `conflict_error` if the upload was completed or deleted while the
 * part arrived.
 */
export async function storePart(
  { store, files: { blobs } }: Services,
  { workspace, upload: { id }, part, number }: PartToStore,
): Promise<void> {
  await part.store(number);
  // Behind the part: a request that completes or deletes the upload later removes it.
  if (await removeStaleParts({ store, blobs: blobs.receiver, workspace, id })) {
    throw uploadConflict();
  }
}

export interface UploadBytes {
  readonly store: Pick<UploadReader, "uploads">;
  readonly blobs: Pick<BlobReceiver, "removeParts">;
  readonly workspace: string;
  /** ID of the upload. */
  readonly id: string;
}

/**
 * Deletes what has arrived of an upload if it takes no more bytes, because another request completed or
 * deleted it; returns whether that is so.
 */
export async function removeStaleParts(
  { store, blobs, workspace, id }: UploadBytes,
): Promise<boolean> {
  const [current] = await store.uploads(workspace, [id]);
  if (current?.status === "pending") return false;
  await blobs.removeParts(workspace, id);
  return true;
}

interface PartsToJoin {
  readonly workspace: string;
  readonly upload: Upload;
  /** Bytes of the largest file. */
  readonly maxBytes: number;
}

/**
 * Joins the parts of a file. Throws `validation_error` with the numbers of missing parts, and
 * `payload_too_large` as soon as the file is, because each part may be as large as a file.
 */
export async function joinParts(
  blobs: BlobReceiver,
  { workspace, upload: { id, parts }, maxBytes }: PartsToJoin,
): Promise<ReceivedBlob> {
  const total = parts ?? 0;
  const stored = new Set(await blobs.parts(workspace, id));
  const missing = Array.from({ length: total }, (_, index) => index + 1)
    .filter((number) => !stored.has(number));
  if (missing.length === 0) {
    return blobs.receive(workspace, id, limitBytes(blobs.join(workspace, id, total), maxBytes));
  }
  throw validationError([{
    pointer: "",
    detail: `Parts are missing: ${missing.join(", ")}. Send them first.`,
  }]);
}
