/**
 * Signed URLs of this service, for uploads and downloads.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { nameInUrl } from "../content/values/uploads.ts";
import { AppError } from "../shared/errors.ts";

/** The permission of a URL: uploading bytes, completing an upload, or reading a file. */
export interface UrlGrant {
  readonly purpose: "upload" | "complete" | "content";
  readonly workspace: string;
  readonly uploadId: string;
}

/** The parts of a signed URL as sent. */
export interface SignedUrl {
  readonly purpose: UrlGrant["purpose"];
  /** The path segment of the workspace. */
  readonly segment: string;
  readonly uploadId: string;
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly signature: string;
}

export interface Signer {
  /**
   * Returns path and query of a URL that is valid until `expires`, in milliseconds since the epoch.
   */
  sign(permit: UrlGrant, expires: number, filename?: string): string;
  /**
   * Returns the workspace of a URL. Throws `forbidden` if it was altered or has expired by `now`.
   */
  verify(address: SignedUrl, now: number): string;
}

/** Signs with a secret of 32 bytes, the same on every replica (HMAC-SHA-256). */
export function createSigner(secret: Uint8Array): Signer {
  return {
    sign(permit, expires, filename) {
      const { purpose, workspace, uploadId } = permit;
      const seconds = Math.floor(expires / 1_000);
      const signature = hmacOf(secret, permit, seconds).toString("base64url");
      const name = filename === undefined ? "" : `/${encodeURIComponent(nameInUrl(filename))}`;
      return `/files/${purpose}/${toSegment(workspace)}/${uploadId}${name}` +
        `?expires=${seconds}&signature=${signature}`;
    },
    verify({ purpose, segment, uploadId, expires, signature }, now) {
      const workspace = fromSegment(segment);
      const expected = hmacOf(secret, { purpose, workspace, uploadId }, expires);
      const actual = Buffer.from(signature, "base64url");
      // Rejects other spellings of the same bytes too.
      const isSame = actual.length === expected.length && timingSafeEqual(actual, expected) &&
        actual.toString("base64url") === signature && toSegment(workspace) === segment;
      if (!isSame) throw new AppError("forbidden", "The signature of this URL is invalid");
      if (expires * 1_000 <= now) throw new AppError("forbidden", "This URL has expired");
      return workspace;
    },
  };
}

function hmacOf(secret: Uint8Array, permit: UrlGrant, seconds: number): Buffer {
  const { purpose, workspace, uploadId } = permit;
  const text = JSON.stringify([purpose, workspace, uploadId, seconds]);
  return createHmac("sha256", secret).update(text).digest();
}

/** Encodes the name of a workspace, which may contain any character. */
function toSegment(workspace: string): string {
  return Buffer.from(workspace).toString("base64url");
}

function fromSegment(segment: string): string {
  return Buffer.from(segment, "base64url").toString();
}
