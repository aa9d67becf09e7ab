/**
 * Replies with file uploads.
 *
 * @module
 */
import * as v from "valibot";
import { idOutput } from "../../content/values/ids.ts";
import { isExpired, type Upload } from "../../content/values/uploads.ts";
import type { Services } from "../../api/shared/services.ts";

const time = v.pipe(v.string(), v.isoTimestamp());
const STATUSES = ["pending", "uploaded", "expired", "failed"] as const;
export const uploadStatus = v.picklist(STATUSES);
export type UploadStatus = (typeof STATUSES)[number];

/** The output schema of a file upload. */
export const fileUpload = v.object({
  object: v.literal("file_upload"),
  id: idOutput,
  created_time: time,
  last_edited_time: time,
  created_by: v.object({ id: idOutput, type: v.picklist(["person", "bot"]) }),
  archived: v.boolean(),
  in_trash: v.boolean(),
  expiry_time: v.nullable(time),
  status: uploadStatus,
  filename: v.nullable(v.string()),
  content_type: v.nullable(v.string()),
  content_length: v.nullable(v.number()),
  upload_url: v.exactOptional(v.string()),
  complete_url: v.exactOptional(v.string()),
  file_import_result: v.exactOptional(v.looseObject({ type: v.picklist(["success", "error"]) })),
  number_of_parts: v.exactOptional(v.object({ total: v.number(), sent: v.number() })),
});

/** The record of a file that the service could not fetch. */
export interface ImportFailure {
  readonly message: string;
  /** Status of the other server's response, if there was one. */
  readonly status: number | null;
  readonly time: number;
}

interface UploadReply {
  readonly uploads: readonly Upload[];
  readonly now: number;
}

/** Returns uploads as JSON text, in the same order. */
export async function uploadJsons(
  { store, files, publicUrl }: Services,
  workspace: string,
  { uploads, now }: UploadReply,
): Promise<string[]> {
  const users = await store.users(workspace, [...new Set(uploads.map((one) => one.createdBy))]);
  const types = new Map(users.map(({ id, type }) => [id, type]));
  return await Promise.all(uploads.map(async (upload) => {
    const { parts } = upload;
    const sent = parts === null || upload.status === "uploaded"
      ? parts ?? 0
      : (await files.blobs.receiver.parts(workspace, upload.id)).length;
    return JSON.stringify({
      object: "file_upload",
      id: upload.id,
      ...timesOf(upload),
      created_by: { id: upload.createdBy, type: types.get(upload.createdBy) ?? "person" },
      archived: false,
      in_trash: false,
      status: statusOf(upload, now),
      filename: upload.filename,
      content_type: upload.contentType,
      content_length: upload.contentLength,
      ...urlsOf(upload, { publicUrl, now }),
      ...resultOf(upload),
      ...(parts !== null && { number_of_parts: { total: parts, sent } }),
    });
  }));
}

/** Returns the state of an upload. */
export function statusOf(upload: Upload, now: number): UploadStatus {
  if (upload.failure !== null) return "failed";
  return isExpired(upload, now) ? "expired" : upload.status;
}

function timesOf({ createdTime, expiresTime }: Upload): object {
  const created = new Date(createdTime).toISOString();
  return {
    created_time: created,
    last_edited_time: created,
    expiry_time: expiresTime === null ? null : new Date(expiresTime).toISOString(),
  };
}

/** The service fetches what has a source, so no client sends it. */
function urlsOf(
  upload: Upload,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: number },
): object {
  if (upload.sourceUrl !== null || statusOf(upload, now) !== "pending") return {};
  const url = `${publicUrl}/v1/file_uploads/${upload.id}`;
  return {
    upload_url: `${url}/send`,
    ...(upload.parts !== null && { complete_url: `${url}/complete` }),
  };
}

function resultOf({ failure }: Upload): object {
  if (failure === null) return {};
  // Sound because only `importFile` writes it.
  const { message, status, time } = JSON.parse(failure) as ImportFailure;
  return {
    file_import_result: {
      imported_time: new Date(time).toISOString(),
      type: "error",
      error: {
        type: "download_error",
        code: "download_failed",
        message,
        parameter: null,
        status_code: status,
      },
    },
  };
}
