/**
 * A body that is taken as it comes: bounded in size and pace, never held as a whole.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { checkFraming, CLOSING, tooLarge } from "./body.ts";
import { readContentDigest } from "./content_digest.ts";
import { LIMITS, type ParsedRequest } from "./request.ts";

/** What a client sends, as it comes. */
export interface Incoming {
  /** `Content-Type` as sent. */
  readonly type: string | undefined;
  /** Bytes as the client told them beforehand. */
  readonly length: number | undefined;
  /** SHA-256 as the client told it beforehand (RFC 9530), in hexadecimal. */
  readonly digest: string | undefined;
  /**
   * The bytes, to be read once; each chunk is there until the next is asked for. Throws `payload_too_large` beyond so many of them, and
   * `invalid_request` where they break off or come too slowly.
   */
  chunks(maxBytes: number): AsyncIterable<Uint8Array>;
}

/** Milliseconds in each of which some bytes must come. */
export type IncomingLimits = Pick<{ [K in keyof typeof LIMITS]: number }, "uploadPaceTime">;

/** The body of a request that nothing was read of. */
export function openIncoming(
  request: Request,
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
      return request.body === null ? empty() : bounded(request.body, { maxBytes, uploadPaceTime });
    },
  };
}

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* bounded(
  body: ReadableStream<Uint8Array>,
  { maxBytes, uploadPaceTime }: IncomingLimits & { readonly maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const reader = openReader(body);
  const pace = watchPace(uploadPaceTime, (late) => reader.cancel(late).catch(() => {}));
  try {
    for (let size = 0;;) {
      const { done, value } = await reader.read();
      // A cancelled stream reads as one that ended.
      if (pace.late !== undefined) throw pace.late;
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
 * Reads into the same memory again and again, where the stream can do so: memory that is new for each
 * chunk piles up until it is collected.
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

/** Undefined of a stream that only has chunks of its own. */
function openByteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

interface Pace {
  /** Why the client is not waited for any longer. */
  readonly late: AppError | undefined;
  count(bytes: number): void;
  stop(): void;
}

/** Gives up where too few bytes come in a while: a stall and a trickle alike. */
function watchPace(time: number, giveUp: (late: AppError) => void): Pace {
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
    get late() {
      return late;
    },
    count: (bytes) => void (recent += bytes),
    stop: () => clearInterval(timer),
  };
}
