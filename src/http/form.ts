/**
 * Forms with a file in them (multipart/form-data, RFC 7578), taken as they come.
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

/** What was made of a form's file, and its fields. */
export interface Form<T> {
  readonly file: T;
  readonly fields: ReadonlyMap<string, string>;
}

const FORM_TYPE = /^multipart\/form-data *;.*boundary=/i;
/** Beside the file: the lines between the parts, and a few short fields. */
export const FORM_OVERHEAD = 16_384;
const LIMITS = { fields: 8, fieldNameSize: 64, fieldSize: 1_024, headerPairs: 16 };

/** Whether a body is a form that can hold a file. */
export function isForm({ type }: Pick<Incoming, "type">): boolean {
  return type !== undefined && FORM_TYPE.test(type);
}

/**
 * Hands the file in the field `file` to `receive` while it comes. Throws `invalid_request` where the
 * form is broken or has no such file or more than one, and what `receive` or the body throws.
 */
export async function readForm<T>(
  { type = "" }: Pick<Incoming, "type">,
  chunks: AsyncIterable<Uint8Array>,
  receive: (file: FormFile) => Promise<T>,
): Promise<Form<T>> {
  const fields = new Map<string, string>();
  const files: Receiving<T>[] = [];
  const parser = await openParser(type);
  const finished = once(parser, "finish");
  // `finished` tells of the first error; those that follow from it would have no listener.
  parser.on("error", ignore);
  parser.on("field", (name, value) => void fields.set(name, value));
  parser.on("file", (name, stream, filename, _encoding, mimeType) => {
    if (name !== "file" || files.length > 0) return void parser.destroy(broken(ONE_FILE));
    stream.on("error", ignore);
    const received = receive({ filename, type: mimeType, chunks: stream });
    received.catch((error) => parser.destroy(error));
    files.push({ stream, received });
  });
  try {
    await Promise.all([feed(parser, chunks, finished), finished]);
  } catch (error) {
    // The parser lets the file wait for ever for what will not come.
    for (const { stream } of files) stream.destroy(reason(error));
    await Promise.allSettled(files.map(({ received }) => received));
    throw error instanceof AppError ? error : broken("it is malformed", error);
  }
  const [only] = files;
  if (only === undefined) throw broken(ONE_FILE);
  return { file: await only.received, fields };
}

const ONE_FILE = "it must have one file, in the field `file`";

interface Receiving<T> {
  readonly stream: Readable;
  readonly received: Promise<T>;
}

async function openParser(type: string): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({ headers: { "content-type": type }, limits: LIMITS });
  } catch (error) {
    throw broken("its boundary is malformed", error);
  }
}

/** Gives the parser no more than it takes. */
async function feed(
  parser: BusboyInstance,
  chunks: AsyncIterable<Uint8Array>,
  finished: Promise<unknown>,
): Promise<void> {
  try {
    for await (const chunk of chunks) {
      // A copy, as the parser keeps pieces of what it was given.
      const isTaken = parser.write(Buffer.from(chunk));
      if (!isTaken) await Promise.race([once(parser, "drain"), finished]);
    }
    parser.end();
  } catch (error) {
    parser.destroy(reason(error));
    throw error;
  }
}

function ignore(): void {}

function reason(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function broken(why: string, cause?: unknown): AppError {
  return new AppError("invalid_request", `The form cannot be read: ${why}`, { cause });
}
