/**
 * File uploads: announced, sent with a token, and listed.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import { newUpload, type Upload } from "../../content/values/uploads.ts";
import {
  arrivalOf,
  receive,
  type ReceivedUpload,
  receivePart,
  storeFile,
} from "../../api/files/receive_file.ts";
import { joinParts, partOf, storePart } from "../../api/files/parts.ts";
import { listJson, listSchema, pageSizeOf, pagination } from "../../api/shared/lists.ts";
import type { Services } from "../../api/shared/services.ts";
import { findUpload } from "../../api/shared/uploads.ts";
import { write, type WriteDecision } from "../../api/shared/write.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { validationError } from "../../shared/errors.ts";
import type { QueueUser } from "../../shared/fair_queue.ts";
import { own } from "../endpoint.ts";
import { importFile, recordFailure } from "./import_file.ts";
import { type FileUploadInput, fileUploadInput, fileUploadIssues } from "./input.ts";
import { fileUpload, statusOf, uploadJsons, type UploadStatus, uploadStatus } from "./reply.ts";

const params = v.strictObject({ file_upload_id: idInput });

export const fileUploadEndpoints = [
  own({
    method: "POST",
    path: "/v1/file_uploads",
    operationId: "createFileUpload",
    body: fileUploadInput,
    response: fileUpload,
    handle: create,
  }),
  own({
    method: "GET",
    path: "/v1/file_uploads",
    operationId: "listFileUploads",
    query: v.strictObject({ status: v.exactOptional(uploadStatus), ...pagination }),
    response: listSchema("file_upload", fileUpload),
    handle: list,
  }),
  own({
    method: "GET",
    path: "/v1/file_uploads/:file_upload_id",
    operationId: "getFileUpload",
    params,
    response: fileUpload,
    handle: async (call, services) => reply(call, services, await find(call, services)),
  }),
  own({
    method: "POST",
    path: "/v1/file_uploads/:file_upload_id/send",
    operationId: "sendFileUpload",
    params,
    response: fileUpload,
    streams: true,
    handle: send,
  }),
  own({
    method: "POST",
    path: "/v1/file_uploads/:file_upload_id/complete",
    operationId: "completeFileUpload",
    params,
    response: fileUpload,
    streams: true,
    handle: complete,
  }),
];

type UploadCall = Call<{ readonly file_upload_id: string }, unknown, unknown>;

async function create(
  call: Call<unknown, unknown, FileUploadInput>,
  services: Services,
): Promise<Reply> {
  let created: Upload | undefined;
  const replied = await write(call, services, async (judged, own) => {
    const decision = await decideCreate(judged, own);
    created = decision.upload;
    return decision;
  });
  // A repeated request gets the first reply, and fetches nothing again.
  if (created?.sourceUrl && !replied.replayed) {
    await startImport(services, call.caller, created);
  }
  return replied;
}

async function decideCreate(
  { body, caller: { workspace, userId }, now }: Pick<
    Call<unknown, unknown, FileUploadInput>,
    "body" | "caller" | "now"
  >,
  services: Services,
): Promise<WriteDecision & { readonly upload: Upload }> {
  const { files, newId } = services;
  const { expectationOf } = files.sources;
  const issues = fileUploadIssues(body, { maxBytes: files.maxBytes, expectationOf });
  if (issues.length > 0) throw validationError(issues);
  const { mode = "single_part", external_url: sourceUrl = null, ...announced } = body;
  const options = { id: newId(), by: userId, now, life: files.life };
  const upload = {
    ...newUpload({ ...announced, ...(mode !== "external_url" && { mode }) }, options),
    sourceUrl,
  };
  const [json = ""] = await uploadJsons(services, workspace, { uploads: [upload], now });
  return { changes: [{ op: "createUpload", upload }], reply: { body: json }, upload };
}

/** Begins to fetch a file. If too many of the caller wait already, the upload fails, and says so. */
async function startImport(
  services: Services,
  { workspace, userId }: QueueUser,
  upload: Upload,
): Promise<void> {
  const { imports } = services.files;
  const job = (signal: AbortSignal) => importFile(services, workspace, upload, signal);
  if (imports.add({ workspace, userId }, job)) return;
  await recordFailure(services, workspace, {
    upload,
    reason: { message: "Too many files are being fetched: try again later", status: null },
  });
}

type ListCall = Call<
  unknown,
  { readonly status?: UploadStatus; readonly start_cursor?: string; readonly page_size?: number },
  unknown
>;

/** Lists the uploads of the caller, the latest first. */
async function list(
  { query, caller: { workspace, userId }, now, requestId }: ListCall,
  services: Services,
): Promise<Reply> {
  const { store, cursors } = services;
  const name = `file uploads ${query.status ?? ""} ${workspace} ${userId}`;
  const limit = pageSizeOf(query);
  const before = query.start_cursor && cursors.open(query.start_cursor, name);
  const found: Upload[] = await store.ownUploads(workspace, userId, { before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  // A page may be shorter than its limit.
  const uploads = page.filter((upload) =>
    query.status === undefined || statusOf(upload, now) === query.status
  );
  return {
    body: listJson({
      type: "file_upload",
      results: await uploadJsons(services, workspace, { uploads, now }),
      nextCursor: last === undefined ? null : cursors.seal(last.id, name),
      requestId,
    }),
  };
}

async function find(
  { params, caller: { workspace } }: UploadCall,
  services: Services,
): Promise<Upload> {
  return await findUpload(services, workspace, normalizeId(params.file_upload_id));
}

/** Returns a pending upload that the client sends itself. */
async function findOpen(call: UploadCall, services: Services): Promise<Upload> {
  const upload = await find(call, services);
  const status = statusOf(upload, call.now);
  if (upload.sourceUrl === null && status === "pending") return upload;
  throw validationError([{
    pointer: "",
    detail: upload.sourceUrl === null
      ? `File upload ${upload.id} has the status \`${status}\`, so it takes no bytes.`
      : `File upload ${upload.id} has the mode \`external_url\`, so the service fetches its bytes.`,
  }]);
}

async function send(call: UploadCall, services: Services): Promise<Reply> {
  const { incoming, caller: { workspace } } = call;
  if (incoming === undefined) throw new Error("A route that streams has a body");
  const upload = await findOpen(call, services);
  const { maxBytes, blobs: { receiver: blobs } } = services.files;
  const receiving = { store: services.store, blobs, workspace, upload, maxBytes };
  if (upload.parts === null) {
    const sent = await receive(incoming, receiving);
    await using _ = sent.received;
    return await keep(call, services, { upload, sent });
  }
  const { received: part, partNumber } = await receivePart(incoming, receiving);
  await using _ = part;
  await storePart(services, { workspace, upload, part, number: partOf(upload, partNumber) });
  return await reply(call, services, upload);
}

async function complete(call: UploadCall, services: Services): Promise<Reply> {
  const upload = await findOpen(call, services);
  const { maxBytes, blobs: { receiver } } = services.files;
  if (upload.parts === null) {
    const detail = `File upload ${upload.id} is complete once its file is sent: it has no parts.`;
    throw validationError([{ pointer: "", detail }]);
  }
  const { workspace } = call.caller;
  await using received = await joinParts(receiver, { workspace, upload, maxBytes });
  const sent = { received, filename: undefined, type: undefined };
  return await keep(call, services, { upload, sent });
}

interface SentFile {
  readonly upload: Upload;
  readonly sent: Omit<ReceivedUpload, "partNumber">;
}

async function keep(
  call: UploadCall,
  services: Services,
  { upload, sent }: SentFile,
): Promise<Reply> {
  const { caller: { workspace } } = call;
  const arrival = arrivalOf(upload, sent, services.files.maxBytes);
  const { received } = sent;
  return reply(
    call,
    services,
    await storeFile(services, { workspace, upload, received, arrival }),
  );
}

async function reply(
  { caller: { workspace }, now }: UploadCall,
  services: Services,
  upload: Upload,
): Promise<Reply> {
  const [body = ""] = await uploadJsons(services, workspace, { uploads: [upload], now });
  return { body, cacheControl: "no-store" };
}
