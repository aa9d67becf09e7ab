/**
 * The tar format (POSIX.1-2001 pax) of archives, written in one way only and read strictly: every
 * byte counts, also those of headers and padding that other readers skip.
 *
 * @module
 */
import { damaged } from "./archive_error.ts";
import type { ByteReader } from "./byte_reader.ts";

export const BLOCK = 512;

/** Members are readable for their owner alone. */
const MODE = "0000600";
const MOST_OCTAL = 8 ** 11;
const [NAME, SIZE, TIME, CHECKSUM, TYPE, MAGIC] = [0, 124, 136, 148, 156, 257];
const NAME_LENGTH = 100;
/** Types of headers. */
const [REGULAR, EXTENDED] = ["0", "x"] as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface TarMember {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the epoch. */
  readonly time: number;
}

/**
 * Returns the headers of a member: a long name is in an extended header before the other. Throws if
 * a name is no path of up to 400 plain characters.
 */
export function tarHeader(member: TarMember): Uint8Array<ArrayBuffer> {
  const { name, time } = member;
  if (!/^[\x21-\x7e]{1,400}$/.test(name)) throw new Error(`No name of a member: ${name}`);
  if (name.length <= NAME_LENGTH) return encodeHeader(member, REGULAR);
  const record = encoder.encode(pathRecord(name));
  const extended = { name: "PaxHeader", size: record.length, time };
  const short = { ...member, name: name.slice(0, NAME_LENGTH) };
  const headers = new Uint8Array(3 * BLOCK);
  headers.set(encodeHeader(extended, EXTENDED));
  headers.set(record, BLOCK);
  headers.set(encodeHeader(short, REGULAR), 2 * BLOCK);
  return headers;
}

/** The record of a path in an extended header, which begins with its own length. */
function pathRecord(name: string): string {
  const rest = ` path=${name}\n`;
  const length = rest.length + String(rest.length + 3).length;
  return `${length}${rest}`;
}

function encodeHeader(
  { name, size, time }: TarMember,
  type: typeof REGULAR | typeof EXTENDED,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const put = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  put(NAME, name);
  put(100, MODE);
  put(108, "0000000");
  put(116, "0000000");
  putSize(header, size);
  put(TIME, octal(time, 11));
  put(TYPE, type);
  put(MAGIC, "ustar\x0000");
  put(CHECKSUM, " ".repeat(8));
  put(CHECKSUM, `${octal(header.reduce((sum, byte) => sum + byte, 0), 6)}\0 `);
  return header;
}

/** Sizes from 8 GiB on are binary, as GNU tar and others write them. */
function putSize(header: Uint8Array, size: number): void {
  if (size < MOST_OCTAL) {
    header.set(encoder.encode(octal(size, 11)), SIZE);
    return;
  }
  header[SIZE] = 0x80;
  new DataView(header.buffer).setBigUint64(SIZE + 4, BigInt(size));
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** Returns the zeros after a member of this size. */
export function tarPadding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - size % BLOCK) % BLOCK);
}

/** Ends an archive. */
export const TAR_END = new Uint8Array(2 * BLOCK);

/** A member whose content is to be read before the next member is asked for. */
export interface ReadMember extends TarMember {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Reads the members of an archive in order; throws `ArchiveError` at any byte that was not written.
 */
export async function* readTar(bytes: ByteReader): AsyncGenerator<ReadMember> {
  for (let before = "the start";;) {
    const header = await bytes.read(BLOCK, `what follows ${before}`);
    if (isZero(header)) {
      if (!isZero(await bytes.read(BLOCK, "the end"))) throw damaged("the end", "it is not empty");
      return await bytes.end();
    }
    const member = parseHeaders(
      header[TYPE] === EXTENDED.charCodeAt(0)
        ? concatenate(header, await bytes.read(2 * BLOCK, `what follows ${before}`))
        : header,
      before,
    );
    yield { ...member, chunks: bytes.chunks(member.size, member.name) };
    if (!isZero(await bytes.read(tarPadding(member.size).length, member.name))) {
      throw damaged(member.name, "its padding is not empty");
    }
    before = member.name;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Parses one header, or three blocks with an extended one. */
function parseHeaders(headers: Uint8Array, before: string): TarMember {
  const last = headers.subarray(-BLOCK);
  const text = (bytes: Uint8Array, offset: number, length: number) =>
    decoder.decode(bytes.subarray(offset, offset + length)).replace(/\0.*$/s, "");
  const [, path] = /^\d+ path=([^\n]*)\n$/.exec(text(headers, BLOCK, BLOCK)) ?? [];
  const name = headers.length === BLOCK ? text(last, NAME, NAME_LENGTH) : path ?? "";
  const size = last[SIZE] === 0x80
    ? Number(new DataView(last.buffer, last.byteOffset).getBigUint64(SIZE + 4))
    : parseInt(text(last, SIZE, 12), 8);
  const member = { name, size, time: parseInt(text(last, TIME, 12), 8) };
  if (!isSame(headers, member)) {
    throw damaged(`the header after ${before}`, "it is not as written");
  }
  return member;
}

/** Returns whether headers are those that are written for this member. */
function isSame(headers: Uint8Array, member: TarMember): boolean {
  if (!Number.isSafeInteger(member.size) || !(member.time >= 0)) return false;
  try {
    const written = tarHeader(member);
    return written.length === headers.length &&
      written.every((byte, index) => byte === headers[index]);
  } catch {
    return false;
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
