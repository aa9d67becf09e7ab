/**
 * Fetches the file of an upload from another server, after the request that asked for it.
 *
 * @module
 */
import type { Upload } from "../../content/values/uploads.ts";
import { limitBytes } from "../../api/files/limit_bytes.ts";
import { arrivalOf, storeFile } from "../../api/files/receive_file.ts";
import type { Services } from "../../api/shared/services.ts";
import { AppError } from "../../shared/errors.ts";
import type { ImportFailure } from "./reply.ts";

/** Milliseconds until the whole file must be here. */
const TIME = 10 * 60_000;

/** Fetches and stores a file, or records why that failed. Rejects if neither could be recorded. */
export async function importFile(
  services: Services,
  workspace: string,
  upload: Upload,
  signal: AbortSignal,
): Promise<void> {
  try {
    await fetchFile(
      services,
      workspace,
      upload,
      AbortSignal.any([signal, AbortSignal.timeout(TIME)]),
    );
  } catch (error) {
    // The server is stopping: the upload stays pending until it expires.
    if (signal.aborted) return;
    await recordFailure(services, workspace, { upload, reason: reasonOf(error) });
  }
}

type Reason = Pick<ImportFailure, "message" | "status">;

/** Records why a file could not be fetched. */
export async function recordFailure(
  { store }: Pick<Services, "store">,
  workspace: string,
  { upload, reason }: { readonly upload: Upload; readonly reason: Reason },
): Promise<void> {
  const failure: ImportFailure = { ...reason, time: Date.now() };
  await store.commit(workspace, [
    { op: "failUpload", uploadId: upload.id, failure: JSON.stringify(failure) },
  ]);
}

async function fetchFile(
  services: Services,
  workspace: string,
  upload: Upload,
  signal: AbortSignal,
): Promise<void> {
  const { blobs, sources, maxBytes } = services.files;
  const { chunks, contentType: type } = await sources.open(upload.sourceUrl ?? "", signal);
  const bounded = limitBytes(chunks, maxBytes);
  await using received = await blobs.receiver.receive(workspace, upload.id, bounded);
  const arrival = arrivalOf(upload, { received, filename: undefined, type }, maxBytes);
  await storeFile(services, { workspace, upload, received, arrival });
}

/** Only what the service itself said is told: other messages may name private addresses. */
function reasonOf(error: unknown): Reason {
  if (error instanceof AppError) return { message: error.message, status: null };
  if (error instanceof Error && error.name === "SourceError") {
    const status = "status" in error && typeof error.status === "number" ? error.status : null;
    return { message: error.message, status };
  }
  return { message: "The file could not be fetched in time or could not be stored", status: null };
}
