/**
 * The tar format (POSIX.1-1988 ustar) of archives, written in one way only and read strictly: every
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
const [NAME, SIZE, TIME, CHECKSUM, TYPE, MAGIC, PREFIX] = [0, 124, 136, 148, 156, 257, 345];
const NAME_LENGTH = 100;
const PREFIX_LENGTH = 155;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface TarMember {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Seconds since the epoch. */
  readonly time: number;
}

/** Returns the header of a member. Throws if its name is too long. */
export function tarHeader({ name, size, time }: TarMember): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const put = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  const cut = name.lastIndexOf("/");
  const [prefix, last] = name.length <= NAME_LENGTH
    ? ["", name]
    : [name.slice(0, cut), name.slice(cut + 1)];
  if (!/^[\x21-\x7e]+$/.test(name) || prefix.length > PREFIX_LENGTH || last.length > NAME_LENGTH) {
    throw new Error(`No name of a member: ${name}`);
  }
  put(NAME, last);
  put(PREFIX, prefix);
  put(100, MODE);
  put(108, "0000000");
  put(116, "0000000");
  putSize(header, size);
  put(TIME, octal(time, 11));
  put(TYPE, "0");
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

/** Reads the members of an archive in order; throws `ArchiveError` at any byte that was not written. */
export async function* readTar(bytes: ByteReader): AsyncGenerator<ReadMember> {
  for (let before = "the start";;) {
    const header = await bytes.read(BLOCK, `what follows ${before}`);
    if (isZero(header)) {
      if (!isZero(await bytes.read(BLOCK, "the end"))) throw damaged("the end", "it is not empty");
      return await bytes.end();
    }
    const member = parseHeader(header, before);
    yield { ...member, chunks: bytes.chunks(member.size, member.name) };
    if (!isZero(await bytes.read(tarPadding(member.size).length, member.name))) {
      throw damaged(member.name, "its padding is not empty");
    }
    before = member.name;
  }
}

function parseHeader(header: Uint8Array, before: string): TarMember {
  const text = (offset: number, length: number) =>
    decoder.decode(header.subarray(offset, offset + length)).replace(/\0.*$/s, "");
  const [prefix, last] = [text(PREFIX, PREFIX_LENGTH), text(NAME, NAME_LENGTH)];
  const name = prefix === "" ? last : `${prefix}/${last}`;
  const size = header[SIZE] === 0x80
    ? Number(new DataView(header.buffer, header.byteOffset).getBigUint64(SIZE + 4))
    : parseInt(text(SIZE, 12), 8);
  const member = { name, size, time: parseInt(text(TIME, 12), 8) };
  if (!isSame(header, member)) throw damaged(`the header after ${before}`, "it is not as written");
  return member;
}

/** Whether a header is the one that is written for this member. */
function isSame(header: Uint8Array, member: TarMember): boolean {
  if (!Number.isSafeInteger(member.size) || !(member.time >= 0)) return false;
  try {
    return tarHeader(member).every((byte, index) => byte === header[index]);
  } catch {
    return false;
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
