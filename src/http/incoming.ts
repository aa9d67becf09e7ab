/**
 * A body that is taken as it comes: bounded in size and pace, never held as a whole.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { checkFraming, CLOSING, tooLarge } from "./body.ts";
import { type Admitted, LIMITS } from "./limits.ts";

/** What a client sends, as it comes. */
export interface Incoming {
  /** `Content-Type` as sent. */
  readonly type: string | undefined;
  /** Bytes as the client told them beforehand. */
  readonly length: number | undefined;
  /** SHA-256 as the client told it beforehand (RFC 9530), in hexadecimal. */
  readonly digest: string | undefined;
  /**
   * The bytes, to be read once. Throws `payload_too_large` beyond so many of them, and
   * `invalid_request` where they break off or come too slowly.
   */
  chunks(maxBytes: number): AsyncIterable<Uint8Array>;
}

/** The body of a request that nothing was read of. */
export function openIncoming(request: Request, admitted: Admitted): Incoming {
  checkFraming(admitted);
  const { headers } = admitted;
  const length = headers.get("content-length");
  return {
    type: headers.get("content-type"),
    length: length === undefined ? undefined : Number(length),
    digest: readDigest(headers.get("content-digest")),
    chunks: (maxBytes) => {
      if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
      return request.body === null ? empty() : bounded(request.body, maxBytes);
    },
  };
}

const SHA_256 = /(?:^|, *)sha-256=:([A-Za-z0-9+/]{43}=):/;

function readDigest(field: string | undefined): string | undefined {
  const [, digest] = SHA_256.exec(field ?? "") ?? [];
  return digest === undefined ? undefined : Uint8Array.fromBase64(digest).toHex();
}

async function* empty(): AsyncGenerator<Uint8Array> {}

async function* bounded(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const pace = watchPace((late) => reader.cancel(late).catch(() => {}));
  try {
    for (let size = 0;;) {
      const { done, value } = await reader.read();
      // A cancelled stream reads as one that ended.
      if (pace.late !== undefined) throw pace.late;
      if (done) return;
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

interface Pace {
  /** Why the client is not waited for any longer. */
  readonly late: AppError | undefined;
  count(bytes: number): void;
  stop(): void;
}

/** Gives up where too few bytes come in a while: a stall and a trickle alike. */
function watchPace(giveUp: (late: AppError) => void): Pace {
  let recent = 0;
  let late: AppError | undefined;
  const timer = setInterval(() => {
    if (recent < LIMITS.uploadPaceBytes) {
      late = new AppError("invalid_request", "Body did not arrive in time", CLOSING);
      giveUp(late);
    }
    recent = 0;
  }, LIMITS.uploadPaceTime);
  return {
    get late() {
      return late;
    },
    count: (bytes) => void (recent += bytes),
    stop: () => clearInterval(timer),
  };
}
