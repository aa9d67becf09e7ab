/**
 * Reads and parses a body: JSON, JSON Lines or Markdown, within limits of size and time.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { lazy } from "../shared/lazy.ts";
import { createPartValidator, type PartValidator } from "../shared/part_validator.ts";
import { createRest, yieldToEventLoop } from "../shared/yield_to_event_loop.ts";
import { type BodySlot, tooManyOfCaller } from "./body_slots.ts";
import type { AnySchema } from "./endpoint.ts";
import { parseJson, parseLargeJson } from "./json.ts";
import { type HttpRequest, LIMITS, type ParsedRequest } from "./request.ts";

/** A text body, which an endpoint may take in place of JSON (RFC 7763). */
export const MARKDOWN_TYPE = "text/markdown";
/** Several values of JSON, each on a line of its own (jsonlines.org). */
export const LINES_TYPE = "application/jsonl";
/** The types that an endpoint may take besides JSON. */
const OTHER_TYPES = new Map([
  [LINES_TYPE, /^application\/jsonl(?: *; *charset=(?:utf-8|"utf-8"))?$/i],
  [MARKDOWN_TYPE, /^text\/markdown(?: *; *(?:charset=(?:utf-8|"utf-8")|variant=[\w-]+))*$/i],
]);

export type BodyLimits = Pick<{ [K in keyof typeof LIMITS]: number }, "bodyBytes" | "bodyTime">;

const JSON_TYPE = /^application\/json(?: *; *charset=(?:utf-8|"utf-8"))?$/i;
const MERGE_PATCH_TYPE = /^application\/merge-patch\+json(?: *; *charset=(?:utf-8|"utf-8"))?$/i;
const EMPTY = new Uint8Array();
/** The unread rest of a body would be in the way of the next request. */
export const CLOSING = { headers: { connection: "close" } };

/** The bodies that an endpoint accepts. */
export interface BodyOptions {
  readonly limits: BodyLimits;
  /** The types that it takes besides JSON. */
  readonly others: readonly string[];
  /** Taken once the body turns out to be large. */
  readonly slot: BodySlot;
}

/**
 * Reads the bytes of a body of JSON or another type that is taken; empty if the client sent none.
 *
 * Throws for another media type or coding (415, 501), an unknown expectation (417), and a body that
 * is too large (413), breaks off (400) or does not arrive in time (400), also because too many large
 * ones of its caller (429) or of all (503) arrive.
 */
export async function readBody(
  request: HttpRequest,
  parsed: ParsedRequest,
  { limits, others, slot }: BodyOptions,
): Promise<Uint8Array> {
  checkHeaders(parsed, { limits, others });
  const bytes = request.body === null ? EMPTY : await collect(request.body, limits, slot);
  if (bytes.length > 0 && !parsed.headers.has("content-type")) {
    throw unsupportedType(parsed.method, others);
  }
  return bytes;
}

function checkHeaders(parsed: ParsedRequest, { limits, others }: Omit<BodyOptions, "slot">): void {
  const { method, headers } = parsed;
  const type = headers.get("content-type");
  const isTaken = type === undefined || isJson(type, method) ||
    others.some((other) => isOfType(parsed, other));
  if (!isTaken) throw unsupportedType(method, others);
  checkFraming(parsed);
  if (Number(headers.get("content-length") ?? 0) > limits.bodyBytes) {
    throw tooLarge(limits.bodyBytes);
  }
}

/** Throws for a content or transfer coding (415, 501) and an unknown expectation (417). */
export function checkFraming({ headers }: ParsedRequest): void {
  const coding = headers.get("content-encoding");
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", `Content-Encoding is not supported: ${coding}`, {
      headers: { "accept-encoding": "identity" },
    });
  }
  // Deno decodes chunks, but no other transfer coding.
  const transfer = headers.get("transfer-encoding");
  if (transfer !== undefined && transfer.toLowerCase() !== "chunked") {
    throw new AppError("not_implemented", `Transfer-Encoding is not supported: ${transfer}`);
  }
  const expect = headers.get("expect");
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") {
    throw new AppError("expectation_failed", `Expectation is not supported: ${expect}`);
  }
}

function isJson(type: string, method: string): boolean {
  return JSON_TYPE.test(type) || (method === "PATCH" && MERGE_PATCH_TYPE.test(type));
}

/** Returns whether a body is Markdown or JSON Lines. */
export function isOfType({ headers }: Pick<ParsedRequest, "headers">, type: string): boolean {
  return OTHER_TYPES.get(type)?.test(headers.get("content-type") ?? "") === true;
}

function unsupportedType(method: string, others: readonly string[]): AppError {
  const accept = [
    ...["application/json", ...(method === "PATCH" ? ["application/merge-patch+json"] : [])],
    ...others,
  ];
  const types = ["application/json", ...others].join(" or ");
  return new AppError("unsupported_media_type", `Body must be ${types} in UTF-8`, {
    headers: { [method === "PATCH" ? "accept-patch" : "accept-post"]: accept.join(", ") },
  });
}

/** Returns the text of a Markdown body. Throws if it is not UTF-8. */
export function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("invalid_request", "Body is not UTF-8", { cause: error });
  }
}

/** Returns the error for a body of more than this many bytes. */
export function tooLarge(bytes: number): AppError {
  return new AppError("payload_too_large", `Body is larger than ${bytes} bytes`, CLOSING);
}

async function collect(
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
  slot: BodySlot,
): Promise<Uint8Array> {
  const reader = body.getReader();
  let late: AppError | undefined;
  const expire = () => {
    late = slot.isWaiting
      ? tooManyOfCaller()
      : new AppError("invalid_request", "Body did not arrive in time", CLOSING);
    slot.end();
    reader.cancel(late).catch(() => {});
  };
  let timer = setTimeout(expire, limits.bodyTime);
  const wait = async (granted: Promise<void>) => {
    await granted;
    if (late !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(expire, limits.bodyTime);
  };
  try {
    const chunks = await readChunks(reader, limits, () => {
      const granted = slot.take();
      return granted && wait(granted);
    });
    // A cancelled stream looks like one that ended.
    if (late !== undefined) throw late;
    return concat(chunks);
  } catch (error) {
    reader.cancel(error).catch(() => {});
    if (error instanceof AppError) throw error;
    throw new AppError("invalid_request", "Body broke off", { cause: error });
  } finally {
    clearTimeout(timer);
    slot.end();
  }
}

/** Calls `takeSlot` once the body turns out to be large. */
async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { bodyBytes }: BodyLimits,
  takeSlot: () => Promise<void> | undefined,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLarge = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.length;
    if (size > bodyBytes) throw tooLarge(bodyBytes);
    chunks.push(value);
    if (isLarge || size <= LIMITS.explainedBytes) continue;
    isLarge = true;
    await takeSlot();
  }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

export interface ParsedBody {
  readonly bytes: Uint8Array;
  readonly isLarge: boolean;
  /** Returns the parsed JSON, `{}` for an empty body; throws if it is malformed. */
  readonly json: () => unknown;
  /** Knows the parts of a large body that are valid, if its schema is known. */
  readonly validator?: PartValidator;
}

/**
 * Prepares a body for parsing. A large one is parsed now, and its parts are validated by the schema;
 * other requests run in between.
 */
export function parseBody(
  bytes: Uint8Array,
  schema: AnySchema | undefined,
): ParsedBody | Promise<ParsedBody> {
  if (bytes.length > LIMITS.explainedBytes) return parseLargeBody(bytes, schema);
  const json = lazy(() => bytes.length === 0 ? {} : parseJson(bytes));
  return { bytes, isLarge: false, json };
}

async function parseLargeBody(
  bytes: Uint8Array,
  schema: AnySchema | undefined,
): Promise<ParsedBody> {
  const [parsed] = await Promise.allSettled([parseLargeJson(bytes)]);
  await yieldToEventLoop();
  const body = { bytes, isLarge: true, json: () => valueOf(parsed) };
  if (schema === undefined || parsed.status === "rejected") return body;
  const validator = createPartValidator();
  await validator.validateParts(schema, parsed.value);
  return { ...body, validator };
}

const NEW_LINE = 0x0a;

/**
 * Prepares a body of JSON Lines: parses each of them, and validates the parts of a large body by the
 * schema of a line. Of too many, only one more than may be sent. Other requests run in between.
 */
export async function parseLines(bytes: Uint8Array, schema: AnySchema): Promise<ParsedBody> {
  const [parsed] = await Promise.allSettled([parseEachLine(bytes)]);
  const isLarge = bytes.length > LIMITS.explainedBytes;
  const body = { bytes, isLarge, json: () => valueOf(parsed) };
  if (!isLarge || parsed.status === "rejected") return body;
  const validator = createPartValidator();
  const rest = createRest();
  for (const line of parsed.value) {
    await rest();
    await validator.validateParts(schema, line);
  }
  return { ...body, validator };
}

async function parseEachLine(bytes: Uint8Array): Promise<unknown[]> {
  const rest = createRest();
  const lines: unknown[] = [];
  for (let at = 0; at < bytes.length && lines.length <= LIMITS.bodyLines;) {
    const found = bytes.indexOf(NEW_LINE, at);
    const end = found < 0 ? bytes.length : found;
    lines.push(await parseLine(bytes.subarray(at, end), lines.length + 1));
    at = end + 1;
    await rest();
  }
  return lines;
}

async function parseLine(bytes: Uint8Array, number: number): Promise<unknown> {
  try {
    return bytes.length > LIMITS.explainedBytes ? await parseLargeJson(bytes) : parseJson(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `Line ${number}: ${error.message}`, { cause: error });
  }
}

/** Throws the error of malformed JSON only when it is asked for: other errors take precedence. */
function valueOf(parsed: PromiseSettledResult<unknown>): unknown {
  if (parsed.status === "rejected") throw parsed.reason;
  return parsed.value;
}
