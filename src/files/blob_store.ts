/**
 * What the service asks of the place where bytes of files are kept.
 *
 * @module
 */
import type { Leftover, Upload } from "../content/values/uploads.ts";

/** Where and how a client sends the bytes of an upload. */
export interface UploadTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where it tells that all parts were sent. */
  readonly completeUrl?: string;
}

/** An upload whose bytes are there. */
export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly blob: string;
}

/** What came without passing through the service. */
export interface UploadedBlob {
  readonly blob: string;
  readonly contentLength: number;
  readonly contentType: string | undefined;
}

export interface BlobStore {
  /** Whether a file may come in parts. */
  readonly takesParts: boolean;
  /** Where the bytes of a pending upload go. */
  uploadTarget(workspace: string, upload: Upload): Promise<UploadTarget>;
  /** Where a file can be fetched until `expires`, in milliseconds since the epoch; pure in all three. */
  downloadUrl(workspace: string, file: StoredFile, expires: number): Promise<string>;
  /** What a client sent to the target; undefined where nothing is there yet. */
  find(workspace: string, upload: Upload): Promise<UploadedBlob | undefined>;
  /** Removes what is left over of an upload; again changes nothing. */
  remove(workspace: string, leftover: Leftover): Promise<void>;
  /** Rejects where the place is out of reach; costs it next to nothing, however often it is asked. */
  ping(): Promise<void>;
  /** Where the bytes pass through the service; undefined where they do not. */
  readonly local: LocalBlobStore | undefined;
}

/** Bytes that came whole and are synced, but are not kept yet: disposing of them removes them. */
export interface ReceivedBlob extends AsyncDisposable {
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Keeps them under this name; they survive a crash from here on. */
  store(blob: string): Promise<void>;
  /** Keeps them as one part of the upload, in place of an earlier one. */
  storePart(number: number): Promise<void>;
}

/** A piece of a file. */
export interface ByteSpan {
  readonly start: number;
  /** The byte behind the last one. */
  readonly stop: number;
}

/** A place that the service itself writes to and reads from. */
export interface LocalBlobStore {
  /** Takes bytes of an upload; nothing stays of them where they break off. */
  receive(
    workspace: string,
    uploadId: string,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedBlob>;
  /** Numbers of the parts that were kept, in no order. */
  parts(workspace: string, uploadId: string): Promise<readonly number[]>;
  /** The bytes of so many parts, one behind the other. */
  join(workspace: string, uploadId: string, parts: number): AsyncIterable<Uint8Array>;
  /**
   * The bytes under this name, or a piece of them; undefined where there are none. Each chunk is there
   * until the next is asked for, as `Deno.serve` sends it.
   */
  read(
    workspace: string,
    blob: string,
    piece?: ByteSpan,
  ): Promise<ReadableStream<Uint8Array> | undefined>;
}
