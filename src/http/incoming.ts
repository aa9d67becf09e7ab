/**
 * A streamed request body: limited in size and pace, never in memory as a whole.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { checkFraming, CLOSING, tooLarge } from "./body.ts";
import { readContentDigest } from "./content_digest.ts";
import { type HttpRequest, LIMITS, type ParsedRequest } from "./request.ts";

/** A request body that arrives as a stream. */
export interface Incoming {
  /** `Content-Type` as sent. */
  readonly type: string | undefined;
  /** `Content-Length` as sent. */
  readonly length: number | undefined;
  /** SHA-256 of `Content-Digest` (RFC 9530), in hexadecimal. */
  readonly digest: string | undefined;
  /**
   * The bytes, to be read once; each chunk is valid until the next is requested. Throws
   * `payload_too_large` beyond `maxBytes`, and `invalid_request` if the body breaks off or arrives
   * too slowly.
   */
  chunks(maxBytes: number): AsyncIterable<Uint8Array>;
}

/** Overrides for tests. */
export type IncomingLimits = Pick<{ [K in keyof typeof LIMITS]: number }, "uploadPaceTime">;

/** Opens the body of a request; nothing of it may have been read. */
export function openIncoming(
  request: HttpRequest,
  parsed: ParsedRequest,
  { uploadPaceTime }: IncomingLimits,
): Incoming {
  checkFraming(parsed);
  const { headers } = parsed;
  const length = headers.get("content-length");
  return {
    type: headers.get("content-type"),
    length: length === undefined ? undefined : Number(length),
    digest: readContentDigest(headers.get("content-digest")),
    chunks: (maxBytes) => {
      if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
      return request.body === null
        ? empty()
        : readBounded(request.body, { maxBytes, uploadPaceTime });
    },
  };
}

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* readBounded(
  body: ReadableStream<Uint8Array>,
  { maxBytes, uploadPaceTime }: IncomingLimits & { readonly maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const reader = openReader(body);
  const pace = watchPace(uploadPaceTime, (late) => reader.cancel(late).catch(() => {}));
  try {
    for (let size = 0;;) {
      const { done, value } = await reader.read();
      // A cancelled stream looks like one that ended.
      if (pace.timeoutError !== undefined) throw pace.timeoutError;
      if (done || value === undefined) return;
      size += value.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      pace.count(value.length);
      yield value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("invalid_request", "Body broke off", { ...CLOSING, cause: error });
  } finally {
    pace.stop();
    reader.cancel().catch(() => {});
  }
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

const CHUNK = 65_536;

/**
 * Reads into one reused buffer if the stream supports that: a new buffer for each chunk would pile
 * up until the garbage collector runs.
 */
function openReader(body: ReadableStream<Uint8Array>): Reader {
  const reader = openByteReader(body);
  if (reader === undefined) return body.getReader();
  let memory = new ArrayBuffer(CHUNK);
  return {
    read: async () => {
      const read = await reader.read(new Uint8Array(memory));
      if (read.value !== undefined) memory = read.value.buffer;
      return read;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Returns undefined if the stream allocates its own chunks. */
function openByteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

interface PaceWatch {
  /** Set once the client was too slow. */
  readonly timeoutError: AppError | undefined;
  count(bytes: number): void;
  stop(): void;
}

/**
 * Calls `giveUp` if too few bytes arrive within an interval, whether the client stalls or trickles.
 */
function watchPace(time: number, giveUp: (late: AppError) => void): PaceWatch {
  let recent = 0;
  let late: AppError | undefined;
  const timer = setInterval(() => {
    if (recent < LIMITS.uploadPaceBytes) {
      late = new AppError("invalid_request", "Body did not arrive in time", CLOSING);
      giveUp(late);
    }
    recent = 0;
  }, time);
  return {
    get timeoutError() {
      return late;
    },
    count: (bytes) => void (recent += bytes),
    stop: () => clearInterval(timer),
  };
}
