/**
 * Receives the bytes of a file: as the body or in a form, whole or in parts.
 *
 * @module
 */
import {
  type Arrival,
  essenceOf,
  isFilename,
  mediaTypeOf,
  type Upload,
} from "../../content/values/uploads.ts";
import { AppError, validationError, type ValidationIssue } from "../../shared/errors.ts";
import type {
  BlobReceiver,
  ReceivedBlob,
  ReceivedBytes,
  ReceivedPart,
} from "../../files/blob_store.ts";
import { uploadConflict } from "../../shared/upload_conflict.ts";
import { FORM_OVERHEAD, isForm, readForm } from "../../http/form.ts";
import type { Incoming } from "../../http/incoming.ts";
import type { UploadReader } from "../../store/port.ts";
import type { Services } from "../shared/services.ts";
import { removeStaleParts } from "./parts.ts";

export interface ReceiveOptions {
  readonly store: Pick<UploadReader, "uploads">;
  readonly blobs: BlobReceiver;
  readonly workspace: string;
  readonly upload: Upload;
  readonly maxBytes: number;
}

/** A body as the client sent it: bytes that are not stored for good yet, and their metadata. */
interface ReceivedBody<Bytes> {
  readonly received: Bytes;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly partNumber: string | undefined;
}

export type ReceivedUpload = ReceivedBody<ReceivedBlob>;

/** Receives a file. If it breaks off or does not match its announcement, its bytes are deleted. */
export function receive(incoming: Incoming, receiving: ReceiveOptions): Promise<ReceivedUpload> {
  const { blobs, workspace, upload } = receiving;
  return receiveBody(incoming, {
    ...receiving,
    keep: (chunks) => blobs.receive(workspace, upload.id, chunks),
  });
}

/** Like `receive()`, for a part of a file. */
export function receivePart(
  incoming: Incoming,
  receiving: ReceiveOptions,
): Promise<ReceivedBody<ReceivedPart>> {
  const { blobs, workspace, upload } = receiving;
  return receiveBody(incoming, {
    ...receiving,
    keep: (chunks) => blobs.receivePart(workspace, upload.id, chunks),
  });
}

interface Receiving<Bytes> extends ReceiveOptions {
  /** Receives the bytes themselves. */
  readonly keep: (chunks: AsyncIterable<Uint8Array>) => Promise<Bytes>;
}

async function receiveBody<Bytes extends ReceivedBytes>(
  incoming: Incoming,
  receiving: Receiving<Bytes>,
): Promise<ReceivedBody<Bytes>> {
  try {
    return await receiveChecked(incoming, receiving);
  } catch (error) {
    const { upload: { id } } = receiving;
    // The error of the bytes is the one to answer.
    await removeStaleParts({ ...receiving, id }).catch(() => {});
    throw error;
  }
}

async function receiveChecked<Bytes extends ReceivedBytes>(
  incoming: Incoming,
  receiving: Receiving<Bytes>,
): Promise<ReceivedBody<Bytes>> {
  const sent = isForm(incoming)
    ? await receiveForm(incoming, receiving)
    : await receiveBytes(incoming, receiving);
  try {
    checkDigest(incoming, sent.received);
    return sent;
  } catch (error) {
    await sent.received[Symbol.asyncDispose]();
    throw error;
  }
}

async function receiveBytes<Bytes>(
  incoming: Incoming,
  { upload, maxBytes, keep }: Receiving<Bytes>,
): Promise<ReceivedBody<Bytes>> {
  checkType(upload, incoming.type);
  checkLength(upload, incoming.length);
  const received = await keep(incoming.chunks(maxBytes));
  return { received, filename: undefined, type: incoming.type, partNumber: undefined };
}

async function receiveForm<Bytes>(
  incoming: Incoming,
  { upload, maxBytes, keep }: Receiving<Bytes>,
): Promise<ReceivedBody<Bytes>> {
  const chunks = incoming.chunks(maxBytes + FORM_OVERHEAD);
  const { file, fields } = await readForm(incoming, chunks, async (file) => {
    // Clients whose form says nothing of the type send this one.
    const type = essenceOf(file.type) === "application/octet-stream" ? undefined : file.type;
    checkType(upload, type);
    const received = await keep(file.chunks);
    return { received, filename: file.filename, type };
  });
  return { ...file, partNumber: fields.get("part_number") };
}

/** A missing media type is taken to be the announced one. */
function checkType({ contentType }: Upload, type: string | undefined): void {
  const isOther = contentType !== null && type !== undefined &&
    essenceOf(type) !== essenceOf(contentType);
  if (!isOther) return;
  throw new AppError(
    "unsupported_media_type",
    `The file was announced as ${contentType}: send it with this Content-Type`,
  );
}

function checkLength({ contentLength, parts }: Upload, length: number | undefined): void {
  if (contentLength === null || parts !== null || length === undefined) return;
  if (length !== contentLength) throw wrongLength(contentLength, length);
}

function checkDigest({ digest }: Incoming, { hash }: ReceivedBytes): void {
  if (digest === undefined || digest === hash) return;
  throw validationError([{
    pointer: "",
    detail: "The file does not match the Content-Digest.",
  }]);
}

/** Returns the metadata of a complete file. Throws `validation_error` if it is not the announced one. */
export function arrivalOf(
  upload: Upload,
  sent: Omit<ReceivedUpload, "partNumber">,
  maxBytes: number,
): Arrival {
  const { received: { size, hash }, filename = "", type } = sent;
  if (size > maxBytes) {
    throw new AppError("payload_too_large", `File is larger than ${maxBytes} bytes`);
  }
  if (upload.contentLength !== null && size !== upload.contentLength) {
    throw wrongLength(upload.contentLength, size);
  }
  return {
    filename: upload.filename ?? (isFilename(filename) ? filename : "untitled"),
    contentType: upload.contentType ?? mediaTypeOf(type),
    contentLength: size,
    hash,
  };
}

function wrongLength(announced: number, sent: number): Error {
  const issue: ValidationIssue = {
    pointer: "",
    detail: `The file was announced with ${announced} bytes, but has ${sent}.`,
  };
  return validationError([issue]);
}

export interface FileToStore {
  readonly workspace: string;
  readonly upload: Upload;
  readonly received: ReceivedBlob;
  readonly arrival: Arrival;
}

/**
 * Stores a file for good and returns its upload. Throws `conflict_error` if the file was uploaded by
 * another request in the meantime, or the upload has expired.
 */
export async function storeFile(
  { store, files }: Services,
  { workspace, upload, received, arrival }: FileToStore,
): Promise<Upload> {
  const { id: uploadId } = upload;
  if (received.blob !== undefined) {
    const { blob } = received;
    const stored = await storeInPlace(store, { workspace, upload, received, arrival }, blob);
    if (stored?.blob !== blob) {
      await files.blobs.remove(workspace, { uploadId, blob });
      throw uploadConflict();
    }
    // If this fails, the parts are removed with the upload.
    if (upload.parts !== null) {
      await files.blobs.receiver.removeParts(workspace, uploadId).catch(() => {});
    }
    return stored;
  }
  // A new name each time: the name of an aborted attempt may be waiting for cleanup.
  const blob = `${received.hash}-${crypto.randomUUID()}`;
  // Recorded first, so that a crash leaves no blob that the database does not know.
  if (await store.commit(workspace, [{ op: "storeUpload", uploadId, blob }]) === "conflict") {
    // Receiving the bytes made the folder again that the first file of the upload had removed.
    await files.blobs.receiver.removeParts(workspace, uploadId);
    throw uploadConflict();
  }
  await received.store(blob);
  const outcome = await store.commit(workspace, [{
    op: "completeUpload",
    uploadId,
    blob,
    ...arrival,
  }]);
  const [stored] = await store.uploads(workspace, [uploadId]);
  if (stored?.blob !== blob) await files.blobs.remove(workspace, { uploadId, blob });
  // Another request that completes the same upload still needs what has arrived.
  if (stored?.status !== "pending") await files.blobs.receiver.removeParts(workspace, uploadId);
  if (outcome === "conflict" || stored === undefined) throw uploadConflict();
  return stored;
}

/**
 * Records a file whose bytes are in their place already, and which shares them with no other; returns
 * the upload, with the blob of another request if that was first.
 */
async function storeInPlace(
  store: Services["store"],
  { workspace, upload: { id }, received, arrival }: FileToStore,
  blob: string,
): Promise<Upload | undefined> {
  // First, because a commit that fails may have happened.
  await received.store(blob);
  await store.commit(workspace, [
    { op: "storeUpload", uploadId: id, blob },
    { op: "completeUpload", uploadId: id, blob, ...arrival, hash: null },
  ]);
  const [stored] = await store.uploads(workspace, [id]);
  return stored;
}
