/**
 * Streams a form with a file (multipart/form-data, RFC 7578).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { BusboyInstance } from "@fastify/busboy";
import { AppError } from "../shared/errors.ts";
import type { Incoming } from "./incoming.ts";

/** The file of a form. */
export interface FormFile {
  readonly filename: string | undefined;
  readonly type: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The fields of a form, and what `receive` returned for its file. */
export interface Form<T> {
  readonly file: T;
  readonly fields: ReadonlyMap<string, string>;
}

const FORM_TYPE = /^multipart\/form-data *;.*boundary=/i;
/** Bytes allowed besides the file, for boundaries and a few short fields. */
export const FORM_OVERHEAD = 16_384;
const LIMITS = { parts: 16, fields: 8, fieldNameSize: 64, fieldSize: 1_024, headerPairs: 16 };

/** Returns whether a body is a form that can hold a file. */
export function isForm({ type }: Pick<Incoming, "type">): boolean {
  return type !== undefined && FORM_TYPE.test(type);
}

/**
 * Passes the file in the field `file` to `receive` while it arrives. Throws `invalid_request` if
 * the form is malformed or does not have exactly one such file, and whatever `receive` or the body
 * throws.
 */
export async function readForm<T>(
  { type = "" }: Pick<Incoming, "type">,
  chunks: AsyncIterable<Uint8Array>,
  receive: (file: FormFile) => Promise<T>,
): Promise<Form<T>> {
  const fields = new Map<string, string>();
  const files: ReceivingFile<T>[] = [];
  const parser = await openParser(type);
  const finished = once(parser, "finish");
  // `finished` rejects with the first error; later ones would have no listener.
  parser.on("error", ignore);
  // Each part costs some microseconds, even an empty one.
  parser.on("partsLimit", () => parser.destroy(malformedForm(TOO_MANY_PARTS)));
  parser.on("field", (name, value) => void fields.set(name, value));
  parser.on("file", (name, stream, filename, _encoding, mimeType) => {
    if (name !== "file" || files.length > 0) return void parser.destroy(malformedForm(ONE_FILE));
    stream.on("error", ignore);
    const received = receive({ filename, type: mimeType, chunks: stream });
    received.catch((error) => parser.destroy(error));
    files.push({ stream, received });
  });
  try {
    await Promise.all([feed(parser, chunks, finished), finished]);
  } catch (error) {
    // The parser would leave the file waiting forever for more bytes.
    for (const { stream } of files) stream.destroy(toError(error));
    await Promise.allSettled(files.map(({ received }) => received));
    throw error instanceof AppError ? error : malformedForm("it cannot be parsed", error);
  }
  const [only] = files;
  if (only === undefined) throw malformedForm(ONE_FILE);
  return { file: await only.received, fields };
}

const ONE_FILE = "it must have one file, in the field `file`";
const TOO_MANY_PARTS = `it has more than ${LIMITS.parts} parts`;

interface ReceivingFile<T> {
  readonly stream: Readable;
  readonly received: Promise<T>;
}

async function openParser(type: string): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS });
  } catch (error) {
    throw malformedForm("its boundary is malformed", error);
  }
}

/** Writes to the parser with backpressure. */
async function feed(
  parser: BusboyInstance,
  chunks: AsyncIterable<Uint8Array>,
  finished: Promise<unknown>,
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      // A copy, because the parser holds on to pieces of its input.
      const isTaken = parser.write(Buffer.from(chunk));
      if (!isTaken) await Promise.race([once(parser, "drain"), finished]);
    }
    parser.end();
  } catch (error) {
    parser.destroy(toError(error));
    throw error;
  }
}

function ignore(): void {}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function malformedForm(why: string, cause?: unknown): AppError {
  return new AppError("invalid_request", `The form is malformed: ${why}`, { cause });
}
