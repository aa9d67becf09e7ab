/**
 * Keys of the objects of an upload. They contain no characters chosen by clients.
 *
 * @module
 */

/**
 * Returns the key of a blob. Its name is the ID of its upload if the client sends it straight to the
 * bucket, and one of `newBlob()` otherwise.
 */
export function objectKey(workspace: string, blob: string): string {
  const [uploadId = "", name = "content"] = blob.split("/");
  return `${folderOf(workspace, uploadId)}${name}`;
}

/** Returns the name of a new blob, for bytes that pass through the service. */
export function newBlob(uploadId: string): string {
  return `${uploadId}/content-${crypto.randomUUID()}`;
}

/** Keys of files, but not of their parts. */
export const FILE_KEY = /^[\w-]+\/[\w-]+\/content(?:-[\w-]+)?$/;

/** Returns what the keys of all objects of an upload begin with. */
export function folderOf(workspace: string, uploadId: string): string {
  // Encoded, because the name of a workspace may contain any character.
  const segment = new TextEncoder().encode(workspace).toBase64({ alphabet: "base64url" });
  return `${segment.replaceAll("=", "")}/${uploadId}/`;
}

/** Returns what the keys of the parts of an upload begin with. */
export function partsFolder(workspace: string, uploadId: string): string {
  return `${folderOf(workspace, uploadId)}parts/`;
}

/** Returns the key of a part. */
export function partKey(workspace: string, uploadId: string, number: number): string {
  return `${partsFolder(workspace, uploadId)}${number}`;
}

/** Returns a new key for a part whose number is not known yet. */
export function newPartKey(workspace: string, uploadId: string): string {
  return `${folderOf(workspace, uploadId)}received/${crypto.randomUUID()}`;
}
