/**
 * Addresses of ours that say by themselves what they allow, and until when.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { AppError } from "../shared/errors.ts";

/** What an address allows: to send bytes, to tell that all were sent, to read them. */
export interface UrlGrant {
  readonly purpose: "upload" | "complete" | "content";
  readonly workspace: string;
  readonly uploadId: string;
}

/** The parts of an address as they were sent. */
export interface SignedUrl {
  readonly purpose: UrlGrant["purpose"];
  /** The workspace as its segment names it. */
  readonly segment: string;
  readonly uploadId: string;
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly signature: string;
}

export interface Signer {
  /** Path and query of an address that ends at this moment, in milliseconds since the epoch. */
  sign(permit: UrlGrant, expires: number, filename?: string): string;
  /**
   * The workspace that an address is of. Throws `forbidden` where it was altered, is none of ours, or
   * has ended by `now`.
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
      const name = filename === undefined ? "" : `/${encodeURIComponent(filename)}`;
      return `/files/${purpose}/${toSegment(workspace)}/${uploadId}${name}` +
        `?expires=${seconds}&signature=${signature}`;
    },
    verify({ purpose, segment, uploadId, expires, signature }, now) {
      const workspace = fromSegment(segment);
      const expected = hmacOf(secret, { purpose, workspace, uploadId }, expires);
      const given = Buffer.from(signature, "base64url");
      // Another spelling of the same bytes is no signature either.
      const isSame = given.length === expected.length && timingSafeEqual(given, expected) &&
        given.toString("base64url") === signature && toSegment(workspace) === segment;
      if (!isSame) throw new AppError("forbidden", "The signature of this address does not match");
      if (expires * 1_000 <= now) throw new AppError("forbidden", "This address has expired");
      return workspace;
    },
  };
}

function hmacOf(secret: Uint8Array, permit: UrlGrant, seconds: number): Buffer {
  const { purpose, workspace, uploadId } = permit;
  const text = JSON.stringify([purpose, workspace, uploadId, seconds]);
  return createHmac("sha256", secret).update(text).digest();
}

/** A workspace's name as a segment of a path: it may hold any character. */
function toSegment(workspace: string): string {
  return Buffer.from(workspace).toString("base64url");
}

function fromSegment(segment: string): string {
  return Buffer.from(segment, "base64url").toString();
}
