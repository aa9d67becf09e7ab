/**
 * Uploads: files that clients send, and files that content refers to.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { idOutput } from "./ids.ts";
import { LIMITS } from "./limits.ts";

/** A file that is pending or has arrived. */
export interface Upload {
  readonly id: string;
  readonly status: "pending" | "uploaded";
  /** Number of parts; null if the file is sent as a whole. */
  readonly parts: number | null;
  /** The name declared by the client, or else the one received. Null before that. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** Bytes. */
  readonly contentLength: number | null;
  /** The key of its bytes in the blob store; null before they arrive. */
  readonly blob: string | null;
  /** SHA-256 of the bytes in hexadecimal, if they passed through the service. */
  readonly hash: string | null;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  readonly createdBy: string;
  /** Milliseconds since the epoch; null while content refers to it. */
  readonly expiresTime: number | null;
  /** Milliseconds until it expires while no content refers to it. */
  readonly life: number;
  /** The address that the service fetches the bytes from; null if the client sends them. */
  readonly sourceUrl: string | null;
  /** Why the service could not fetch the bytes; null unless it has failed. */
  readonly failure: string | null;
}

/** The properties of a file whose bytes have arrived. */
export interface Arrival {
  readonly filename: string;
  readonly contentType: string;
  readonly contentLength: number;
  readonly hash: string | null;
}

/** Changes of uploads. All but the first fail if the upload is not pending. */
export type UploadChange =
  /** A new upload. */
  | { readonly op: "createUpload"; readonly upload: Upload }
  /** Its bytes will be stored under this key. An earlier key becomes an orphan. */
  | { readonly op: "storeUpload"; readonly uploadId: string; readonly blob: string }
  /**
   * Its bytes are stored. If an upload with the same hash arrived before, the upload uses the
   * earlier bytes, and its own become an orphan.
   */
  | { readonly op: "completeUpload"; readonly uploadId: string; readonly blob: string } & Arrival
  /** Records why the bytes could not be fetched. */
  | { readonly op: "failUpload"; readonly uploadId: string; readonly failure: string }
  /** Deletes the uploads that expired by `time`, oldest first. Their bytes become orphans. */
  | { readonly op: "expireUploads"; readonly time: number; readonly limit: number }
  /** Deletes the records of orphaned blobs whose bytes were deleted. */
  | { readonly op: "deleteOrphans"; readonly orphans: readonly OrphanedBlob[] };

/** An orphan: bytes in the blob store that no upload uses any more. */
export interface OrphanedBlob {
  readonly uploadId: string;
  /** Key of the bytes in the blob store; `""` if there are none. */
  readonly blob: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?; ?[\w-]+="?[\w.+-]+"?)*$/;

/** A media type (RFC 9110 section 8.3.1). */
export const mediaType = v.pipe(
  v.string(),
  v.maxLength(LIMITS.mediaType),
  v.regex(MEDIA_TYPE, "a media type such as `image/png`"),
);

const SHORT_NAME = v.pipe(v.string(), v.maxLength(LIMITS.name));

const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Returns the media type of a file as a client or another server sent it, which may be any text. Of one
 * with malformed parameters, the type alone; `application/octet-stream` if it is none.
 */
export function mediaTypeOf(sent = UNKNOWN_TYPE): string {
  return [sent, essenceOf(sent)].find((type) => v.is(mediaType, type)) ?? UNKNOWN_TYPE;
}

/** Returns a media type without parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** A file that a client will send. */
export const uploadInput = v.strictObject({
  mode: v.exactOptional(
    v.pipe(
      v.picklist(["single_part", "multi_part"]),
      v.description(
        "`single_part` (the default) if you send the file in one request, `multi_part` if you send it in several.",
      ),
    ),
  ),
  filename: v.exactOptional(
    v.pipe(SHORT_NAME, v.description("Name of the file without a path, at most 900 bytes.")),
  ),
  content_type: v.exactOptional(mediaType),
  content_length: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(LIMITS.fileBytes),
      v.description(
        "Size of the whole file in bytes. The service may be configured with a lower limit.",
      ),
    ),
  ),
  number_of_parts: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LIMITS.uploadParts)),
  ),
});
component(uploadInput, "FileUploadInput", "The file that you are about to upload.");
export type UploadInput = v.InferOutput<typeof uploadInput>;

const time = v.pipe(v.string(), v.isoTimestamp());

/** An upload in responses. */
export const fileUpload = v.object({
  object: v.literal("file_upload"),
  id: idOutput,
  created_time: time,
  last_edited_time: time,
  created_by: v.object({ id: idOutput, type: v.picklist(["person", "bot"]) }),
  archived: v.literal(false),
  expiry_time: v.pipe(
    v.nullable(time),
    v.description("When the file is deleted if no content refers to it. Null once content does."),
  ),
  status: v.picklist(["pending", "uploaded", "expired"]),
  filename: v.nullable(v.string()),
  content_type: v.nullable(v.string()),
  content_length: v.nullable(v.number()),
  upload_url: v.pipe(
    v.string(),
    v.description(
      "URL to send the bytes to, without a token. Anyone who has the URL can send them.",
    ),
  ),
  upload_method: v.pipe(
    v.literal("PUT"),
    v.description(
      "Method to send the bytes with, as the body. If the service stores the files itself, you may also POST a form with the field `file`.",
    ),
  ),
  upload_headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description("Header fields to send with the bytes."),
  ),
  complete_url: v.exactOptional(
    v.pipe(v.string(), v.description("URL to POST to after you have sent all parts.")),
  ),
  number_of_parts: v.exactOptional(v.object({ total: v.number(), sent: v.number() })),
});
component(
  fileUpload,
  "FileUpload",
  "An upload and its status. Content refers to the file by this ID.",
);
export type FileUpload = v.InferOutput<typeof fileUpload>;

const UNFIT = /[\p{Cc}\u2028\u2029/\\]/u;
const encoder = new TextEncoder();

/** Returns whether a file name has no path and no control characters, and is not too long. */
export function isFilename(name: string): boolean {
  return name.trim() !== "" && name !== "." && name !== ".." && !UNFIT.test(name) &&
    name.isWellFormed() && encoder.encode(name).length <= LIMITS.name;
}

/** Percent-encoded characters of the name in a download URL. */
const MOST_IN_URL = 300;
/** UTF-16 code units of an ending such as `.jpeg`. */
const LONGEST_ENDING = 10;

/**
 * Returns a file's name as its download URL has it: the beginning of a long one, and its ending. Content
 * may refer to one file thousands of times, and has its URL each time.
 */
export function nameInUrl(filename: string): string {
  if (encodeURIComponent(filename).length <= MOST_IN_URL) return filename;
  const dot = filename.lastIndexOf(".");
  const ending = filename.length - dot <= LONGEST_ENDING ? filename.slice(dot) : "";
  let room = MOST_IN_URL - encodeURIComponent(ending).length;
  let name = "";
  for (const character of filename) {
    room -= encodeURIComponent(character).length;
    if (room < 0) break;
    name += character;
  }
  return name + ending;
}

/** Issues of a file to be sent that the schema cannot find. */
export function uploadIssues(
  { mode, filename, content_length: length = 0, number_of_parts: parts }: UploadInput,
  { maxBytes }: { readonly maxBytes: number },
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (filename !== undefined && !isFilename(filename)) {
    const expected = "a file name without a path and control characters, of at most 900 bytes";
    issues.push(bodyIssue("/filename", { expected, received: filename }));
  }
  if (length > maxBytes) {
    issues.push(bodyIssue("/content_length", { expected: `≤ \`${maxBytes}\``, received: length }));
  }
  if (mode === "multi_part" && parts === undefined) {
    issues.push(bodyIssue("/number_of_parts", { expected: "defined", received: parts }));
  }
  if (mode !== "multi_part" && parts !== undefined) {
    const expected = "not present unless `mode` is `multi_part`";
    issues.push(bodyIssue("/number_of_parts", { expected, received: parts }));
  }
  return issues;
}

export interface NewUpload {
  readonly id: string;
  readonly by: string;
  readonly now: number;
  readonly life: number;
}

/** The new upload of a valid input. */
export function newUpload(input: UploadInput, { id, by, now, life }: NewUpload): Upload {
  return {
    id,
    status: "pending",
    parts: input.number_of_parts ?? null,
    filename: input.filename ?? null,
    contentType: input.content_type ?? null,
    contentLength: input.content_length ?? null,
    blob: null,
    hash: null,
    createdTime: now,
    createdBy: by,
    expiresTime: now + life,
    life,
    sourceUrl: null,
    failure: null,
  };
}

/** Returns whether the upload has expired, although it may not have been deleted yet. */
export function isExpired({ expiresTime }: Upload, now: number): boolean {
  return expiresTime !== null && expiresTime <= now;
}
