/**
 * Files that lie with the service, inside content: kept by the id of their upload, answered with an
 * address that is made when they are read.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, normalizeId } from "./ids.ts";
import { LIMITS } from "./limits.ts";

/** Where a file can be fetched, and until when. */
export const fileAddress = v.object({
  url: v.string(),
  expiry_time: v.pipe(
    v.string(),
    v.description("When `url` expires. Read the object again to get a new one."),
  ),
});
export type FileAddress = v.InferOutput<typeof fileAddress>;

/** An upload by id, as a client writes it. */
export const uploadReference = v.strictObject({ id: idInput });
export type UploadReference = v.InferOutput<typeof uploadReference>;

// A way of its own, as addresses name an upload just before the name of its file.
const OWN_ADDRESS =
  /^https?:\/\/.*\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/[^/?#]*(?:\?|$)/;

/** A file as it was read, which a client writes back. */
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

/** A file as content keeps it. */
export interface HostedFile {
  readonly upload: string;
}

/** What is kept of a file that was uploaded before. */
export function fromUpload({ id }: UploadReference): HostedFile {
  return { upload: normalizeId(id) };
}

/** What is kept of a file that was read before. */
export function fromAddress({ url }: FileAddressInput): HostedFile {
  const [, upload] = OWN_ADDRESS.exec(url) ?? [];
  if (upload === undefined) throw new Error("An address that its schema refuses");
  return { upload };
}

// Found in ready JSON without parsing it: inside a string its quotes would be escaped, and no other
// member of a document or an answer holds an object that begins so.
const KEPT_START = '"file":{"upload":"';
const KEPT = /"file":\{"upload":"([0-9a-f-]{36})"\}/g;

/** Ids of the uploads that JSON text of content refers to, each once. */
export function uploadsIn(json: string): string[] {
  // Most text has none, which a plain search tells many times faster than a pattern.
  if (!json.includes(KEPT_START)) return [];
  return [...new Set(Array.from(json.matchAll(KEPT), ([, id = ""]) => id))];
}

/** The same JSON text with the addresses of its files; of one that is gone it is empty. */
export function fillFiles(json: string, addresses: ReadonlyMap<string, FileAddress>): string {
  return json.replace(KEPT, (_, id: string) => {
    const { url, expiry_time } = addresses.get(id) ?? GONE;
    return `"file":${JSON.stringify({ url, expiry_time })}`;
  });
}

const GONE: FileAddress = { url: "", expiry_time: new Date(0).toISOString() };
