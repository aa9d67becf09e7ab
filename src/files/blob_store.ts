/**
 * The port to the storage of file contents.
 *
 * @module
 */
import type { OrphanedBlob, Upload } from "../content/values/uploads.ts";

/** The URL and header fields with which a client sends the bytes of an upload. */
export interface UploadTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** URL to call when all parts were sent. */
  readonly completeUrl?: string;
}

/** An upload whose bytes are stored. */
export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly blob: string;
}

/** A file that a client uploaded directly to the storage. */
export interface UploadedBlob {
  readonly blob: string;
  readonly contentLength: number;
  readonly contentType: string | undefined;
}

export interface BlobStore {
  /** True if a client may send parts of a file to an `uploadTarget()`. */
  readonly takesParts: boolean;
  /** Returns the request with which a client uploads the bytes. */
  uploadTarget(workspace: string, upload: Upload): Promise<UploadTarget>;
  /**
   * Returns the URL of a file until `expires` (milliseconds since the epoch); equal for equal
   * arguments.
   */
  downloadUrl(workspace: string, file: StoredFile, expires: number): Promise<string>;
  /** Finds what a client uploaded directly; undefined if nothing is there yet. */
  find(workspace: string, upload: Upload): Promise<UploadedBlob | undefined>;
  /** Deletes the bytes of an orphaned blob, and no parts of its upload. Idempotent. */
  remove(workspace: string, orphan: OrphanedBlob): Promise<void>;
  /**
   * Rejects if the storage is unreachable, full or read-only; cheap however often it is called.
   */
  ping(): Promise<void>;
  /** Set if the bytes pass through the service. */
  readonly local: LocalBlobStore | undefined;
  /** Receives bytes that a client sends to the service, wherever they are stored. */
  readonly receiver: BlobReceiver;
}

/**
 * Bytes that were received; disposing deletes what a disk or bucket has of them but does not store.
 */
export interface ReceivedBytes extends AsyncDisposable {
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

export interface ReceivedBlob extends ReceivedBytes {
  /** The name under which a bucket has them already; undefined if `store()` may use another. */
  readonly blob?: string;
  /** Stores them under this name, durably. */
  store(blob: string): Promise<void>;
}

export interface ReceivedPart extends ReceivedBytes {
  /** Stores them as a part of the upload; replaces an earlier one with this number. */
  store(number: number): Promise<void>;
}

/** A range of bytes. */
export interface ByteSpan {
  readonly start: number;
  /** Exclusive. */
  readonly stop: number;
}

export interface BlobReceiver {
  /** Receives the bytes of an upload; deletes them if they break off. */
  receive(
    workspace: string,
    uploadId: string,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedBlob>;
  /** Receives a part of an upload; deletes it if it breaks off. */
  receivePart(
    workspace: string,
    uploadId: string,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<ReceivedPart>;
  /** Returns the numbers of the stored parts, in arbitrary order. */
  parts(workspace: string, uploadId: string): Promise<readonly number[]>;
  /** Concatenates parts 1 to `parts`. */
  join(workspace: string, uploadId: string, parts: number): AsyncIterable<Uint8Array>;
  /** Deletes all parts of an upload. Idempotent. */
  removeParts(workspace: string, uploadId: string): Promise<void>;
}

/** A file to read, as its upload describes it. */
export interface FileToRead {
  /** ID of the upload. */
  readonly id: string;
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Storage that the service itself writes and reads. */
export interface LocalBlobStore extends BlobReceiver {
  /** Returns the IDs of the uploads that have parts or unfinished bytes, in arbitrary order. */
  unfinished(workspace: string): Promise<readonly string[]>;
  /**
   * Reads a file, or a range of it; undefined if its bytes are missing. Throws `data_corrupted` if
   * the stored size or, in a whole file of one chunk, the hash is another; in a longer one, the
   * stream fails before its last chunk. Each chunk is only valid until the next is requested, which
   * suits `Deno.serve`.
   */
  read(
    workspace: string,
    file: FileToRead,
    piece?: ByteSpan,
  ): Promise<ReadableStream<Uint8Array> | undefined>;
}
