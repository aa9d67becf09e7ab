/**
 * Taking in the bytes of a file, as they are or in a form, whole or part by part.
 *
 * @module
 */
import { type Arrival, isFilename, type Upload } from "../../content/values/uploads.ts";
import { AppError, validationError, type ValidationIssue } from "../../shared/errors.ts";
import type { LocalBlobStore, ReceivedBlob } from "../../files/blob_store.ts";
import { FORM_OVERHEAD, isForm, readForm } from "../../http/form.ts";
import type { Incoming } from "../../http/incoming.ts";
import type { Services } from "../shared/services.ts";

export interface Receiving {
  readonly blobs: LocalBlobStore;
  readonly workspace: string;
  readonly upload: Upload;
  readonly maxBytes: number;
}

/** What a client sent: bytes that are not kept yet, and what it said of them. */
export interface Sent {
  readonly received: ReceivedBlob;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly partNumber: string | undefined;
}

/** Takes in a body; what came of it is removed where it breaks off or is not as it was told. */
export async function receive(incoming: Incoming, receiving: Receiving): Promise<Sent> {
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

async function receiveBytes(incoming: Incoming, receiving: Receiving): Promise<Sent> {
  const { blobs, workspace, upload, maxBytes } = receiving;
  checkType(upload, incoming.type);
  checkLength(upload, incoming.length);
  const received = await blobs.receive(workspace, upload.id, incoming.chunks(maxBytes));
  return { received, filename: undefined, type: incoming.type, partNumber: undefined };
}

async function receiveForm(
  incoming: Incoming,
  { blobs, workspace, upload, maxBytes }: Receiving,
): Promise<Sent> {
  const chunks = incoming.chunks(maxBytes + FORM_OVERHEAD);
  const { file, fields } = await readForm(incoming, chunks, async (file) => {
    checkType(upload, file.type);
    const received = await blobs.receive(workspace, upload.id, file.chunks);
    return { received, filename: file.filename, type: file.type };
  });
  return { ...file, partNumber: fields.get("part_number") };
}

/** A type that was not told is taken as the one that was announced. */
function checkType({ contentType }: Upload, type: string | undefined): void {
  const isOther = contentType !== null && type !== undefined &&
    essence(type) !== essence(contentType);
  if (!isOther) return;
  throw new AppError("unsupported_media_type", `The file was announced as ${contentType}`);
}

function essence(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

function checkLength({ contentLength, parts }: Upload, length: number | undefined): void {
  if (contentLength === null || parts !== null || length === undefined) return;
  if (length !== contentLength) throw wrongLength(contentLength, length);
}

function checkDigest({ digest }: Incoming, { hash }: ReceivedBlob): void {
  if (digest === undefined || digest === hash) return;
  throw validationError([{
    pointer: "",
    detail: "The file is not the one whose Content-Digest was sent.",
  }]);
}

/** What is known of a file that came whole; throws where it is not the one that was announced. */
export function arrivalOf(
  upload: Upload,
  sent: Omit<Sent, "partNumber">,
  maxBytes: number,
): Arrival {
  const { received: { size, hash }, filename = "", type = "" } = sent;
  if (size > maxBytes) {
    throw new AppError("payload_too_large", `File is larger than ${maxBytes} bytes`);
  }
  if (upload.contentLength !== null && size !== upload.contentLength) {
    throw wrongLength(upload.contentLength, size);
  }
  return {
    filename: upload.filename ?? (isFilename(filename) ? filename : "untitled"),
    contentType: upload.contentType ?? (type || "application/octet-stream"),
    contentLength: size,
    hash,
  };
}

function wrongLength(announced: number, sent: number): Error {
  const issue: ValidationIssue = {
    pointer: "",
    detail: `The file was announced with ${announced} bytes, and has ${sent}.`,
  };
  return validationError([issue]);
}

export interface Keeping {
  readonly workspace: string;
  readonly upload: Upload;
  readonly received: ReceivedBlob;
  readonly arrival: Arrival;
}

/**
 * Keeps a file for good, and answers its upload. Throws `conflict_error` where it came another way
 * meanwhile, or is no more.
 */
export async function keep(
  { store, files }: Services,
  { workspace, upload, received, arrival }: Keeping,
): Promise<Upload> {
  const { id: uploadId } = upload;
  // Another name each time: an attempt that broke off may have left this one's to be swept.
  const blob = `${received.hash}-${crypto.randomUUID()}`;
  // Said before it is done, so that what a crash leaves behind is known.
  if (await store.commit(workspace, [{ op: "stow", uploadId, blob }]) === "conflict") throw taken();
  await received.store(blob);
  const outcome = await store.commit(workspace, [{ op: "arrive", uploadId, blob, ...arrival }]);
  const [kept] = await store.uploads(workspace, [uploadId]);
  if (kept?.blob !== blob) await files.blobs.remove(workspace, { uploadId, blob });
  if (outcome === "conflict" || kept === undefined) throw taken();
  await files.blobs.remove(workspace, { uploadId, blob: "" });
  return kept;
}

function taken(): AppError {
  return new AppError("conflict_error", "The file was sent already, or its upload is no more");
}
