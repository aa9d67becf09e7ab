/**
 * Uploads: files on their way into the service, and those that content refers to.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { idOutput } from "./ids.ts";
import { LIMITS } from "./limits.ts";

/** A file that is expected or arrived. */
export interface Upload {
  readonly id: string;
  readonly status: "pending" | "uploaded";
  /** The parts that it comes in; null where it comes in one piece. */
  readonly parts: number | null;
  /** As the client told it; else as it came. Null until then. */
  readonly filename: string | null;
  readonly contentType: string | null;
  /** Bytes. */
  readonly contentLength: number | null;
  /** The name that its bytes are kept under; null before they come. */
  readonly blob: string | null;
  /** SHA-256 of the bytes in hexadecimal, where the service saw them. */
  readonly hash: string | null;
  /** Milliseconds since the epoch, as is the end of its life; null while content refers to it. */
  readonly createdTime: number;
  readonly createdBy: string;
  readonly expiresTime: number | null;
  /** Milliseconds that it lives while nothing refers to it. */
  readonly life: number;
}

/** What is known of a file once its bytes are there. */
export interface Arrival {
  readonly filename: string;
  readonly contentType: string;
  readonly contentLength: number;
  readonly hash: string | null;
}

/** Changes of uploads; every one but the first refuses where the upload is not pending. */
export type UploadChange =
  /** A new upload. */
  | { readonly op: "upload"; readonly upload: Upload }
  /** Its bytes are about to be kept under this name; a name before that one is left over. */
  | { readonly op: "stow"; readonly uploadId: string; readonly blob: string }
  /**
   * Its bytes are kept under the name that it was stowed under. Where an upload with the same hash
   * arrived before, that one's are taken and its own are left over.
   */
  | { readonly op: "arrive"; readonly uploadId: string; readonly blob: string } & Arrival
  /** Those whose life ended by `time` vanish, the oldest first; their bytes are left over. */
  | { readonly op: "expire"; readonly time: number; readonly limit: number }
  /** What was left over of these uploads is gone. */
  | { readonly op: "forget"; readonly leftovers: readonly Leftover[] };

/** Something to remove: what an upload brought, and no upload has any more. */
export interface Leftover {
  readonly uploadId: string;
  /** The name that bytes are kept under; `""` where none are. */
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

/** A file that a client is about to send. */
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

/** An upload as it is answered. */
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

// deno-lint-ignore no-control-regex -- they are what is looked for
const UNFIT = /[\x00-\x1f\x7f-\x9f\u2028\u2029/\\]/;
const encoder = new TextEncoder();

/** Whether a name is that of a file alone: no path, no control character, not too long. */
export function isFilename(name: string): boolean {
  return name.trim() !== "" && name !== "." && name !== ".." && !UNFIT.test(name) &&
    name.isWellFormed() && encoder.encode(name).length <= LIMITS.name;
}

/** What the schema cannot say of a file that is about to be sent. */
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

/** A new upload from an input without faults. */
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
  };
}

/** Whether nothing may refer to it any more, although it may still be there. */
export function isExpired({ expiresTime }: Upload, now: number): boolean {
  return expiresTime !== null && expiresTime <= now;
}
