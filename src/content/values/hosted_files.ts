/**
 * Uploaded files in content: stored by the id of the upload, returned with a download URL that is
 * created when they are read.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, normalizeId } from "./ids.ts";
import { LIMITS } from "./limits.ts";

/** The download URL of a file, and when it expires. */
export const fileAddress = v.object({
  url: v.string(),
  expiry_time: v.pipe(
    v.string(),
    v.description("When `url` expires. Read the object again to get a new one."),
  ),
});
export type DownloadUrl = v.InferOutput<typeof fileAddress>;

/** An upload in a request, by id. */
export const uploadReference = v.strictObject({ id: idInput });
export type UploadReference = v.InferOutput<typeof uploadReference>;

// Download URLs end with the id of the upload and the name of the file.
const OWN_ADDRESS =
  /^https?:\/\/.*\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/[^/?#]*(?:\?|$)/;

/** An uploaded file in a request, as an earlier response showed it. */
export const fileAddressInput = v.pipe(
  v.strictObject({
    url: v.pipe(
      v.string(),
      v.maxLength(LIMITS.fileUrl),
      v.regex(OWN_ADDRESS, "the url of a file as it was read"),
    ),
    expiry_time: v.exactOptional(v.pipe(v.string(), v.maxLength(64))),
  }),
  v.description("A file as you read it from the API. An expired `url` is accepted, too."),
);
export type FileAddressInput = v.InferOutput<typeof fileAddressInput>;

/** The stored form of an uploaded file. */
export interface HostedFile {
  readonly upload: string;
}

/** The stored form of a file, by its upload. */
export function fromUpload({ id }: UploadReference): HostedFile {
  return { upload: normalizeId(id) };
}

/** The stored form of a file, by its download URL. */
export function fromAddress({ url }: FileAddressInput): HostedFile {
  const upload = uploadOf(url);
  if (upload === undefined) throw new Error("The URL of a file does not match its schema");
  return { upload };
}

/** Returns the ID of the upload that a download URL names; undefined for any other URL. */
export function uploadOf(url: string): string | undefined {
  return OWN_ADDRESS.exec(url)?.[1];
}

// Searched in JSON text without parsing it: in a string, the quotes would be escaped, and no other
// member of a document or response starts like this.
const STORED_START = '"file":{"upload":"';
const STORED = /"file":\{"upload":"([0-9a-f-]{36})"\}/g;

/** Unique ids of the uploads that the JSON text of some content refers to. */
export function uploadsIn(json: string): string[] {
  // Most texts have none, and a plain search is much faster than a regular expression.
  if (!json.includes(STORED_START)) return [];
  return [...new Set(Array.from(json.matchAll(STORED), ([, id = ""]) => id))];
}

/** The JSON text with the download URLs of its files; empty URLs for files that were deleted. */
export function fillFiles(json: string, downloadUrls: ReadonlyMap<string, DownloadUrl>): string {
  // A row may refer to one file thousands of times.
  const members = new Map<string, string>();
  return json.replace(STORED, (_, id: string) =>
    members.getOrInsertComputed(id, () => {
      const { url, expiry_time } = downloadUrls.get(id) ?? DELETED;
      return `"file":${JSON.stringify({ url, expiry_time })}`;
    }));
}

const DELETED: DownloadUrl = { url: "", expiry_time: new Date(0).toISOString() };
