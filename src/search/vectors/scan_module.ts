/**
 * A WebAssembly module with one function, which multiplies a vector of bytes with many others, sixteen
 * bytes at a time. In text form:
 *
 * ```wat
 * (func (export "scan") (param $query i32) (param $vectors i32) (param $count i32)
 *                       (param $stride i32) (param $products i32)
 *   (local $at i32) (local $sum v128) (local $a v128) (local $b v128)
 *   for each of $count vectors: $sum = 0; for $at = 0, 16, … below $stride:
 *     $a = the bytes at $query + $at; $b = the bytes at $vectors + $at
 *     $sum += pairwise sums of ($a · $b), widened to 32 bits
 *   store the sum of $sum's lanes at $products; $vectors += $stride; $products += 4)
 * ```
 *
 * @module
 */

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;

const [QUERY, VECTORS, COUNT, STRIDE, PRODUCTS, AT, SUM, A, B] = [
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
] as const;

const BLOCK = [0x02, VOID];
const LOOP = [0x03, VOID];
const END = [0x0b];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const LESS = [0x49];
const IS_ZERO = [0x45];
const STORE = [0x36, 2, 0];
const LOAD_16 = [0xfd, 0x00, 0, 0];
const ZERO_16 = [0xfd, 0x0c, ...new Array(16).fill(0)];
/** Products of the lower and of the upper eight bytes, in 16 bits. */
const MULTIPLY_LOW = [0xfd, 0x9c, 0x01];
const MULTIPLY_HIGH = [0xfd, 0x9d, 0x01];
/** Two products of bytes from -127 to 127 fit in 16 bits together. */
const ADD_8 = [0xfd, 0x8e, 0x01];
const PAIRS_TO_32 = [0xfd, 0x7e];
const ADD_4 = [0xfd, 0xae, 0x01];

const CODE = [
  ...[...BLOCK, ...LOOP],
  ...[...get(COUNT), ...IS_ZERO, ...breakIf(1)],
  ...[...constant(0), ...set(AT), ...ZERO_16, ...set(SUM)],
  ...LOOP,
  ...[...get(QUERY), ...get(AT), ...ADD, ...LOAD_16, ...set(A)],
  ...[...get(VECTORS), ...get(AT), ...ADD, ...LOAD_16, ...set(B)],
  ...[...get(A), ...get(B), ...MULTIPLY_LOW, ...get(A), ...get(B), ...MULTIPLY_HIGH],
  ...[...ADD_8, ...PAIRS_TO_32, ...get(SUM), ...ADD_4, ...set(SUM)],
  ...[...get(AT), ...constant(16), ...ADD, ...tee(AT), ...get(STRIDE), ...LESS, ...breakIf(0)],
  ...END,
  ...[...get(PRODUCTS), ...lane(0), ...lane(1), ...ADD, ...lane(2), ...ADD, ...lane(3), ...ADD],
  ...STORE,
  ...[...get(VECTORS), ...get(STRIDE), ...ADD, ...set(VECTORS)],
  ...[...get(PRODUCTS), ...constant(4), ...ADD, ...set(PRODUCTS)],
  ...[...get(COUNT), ...constant(1), ...SUBTRACT, ...set(COUNT)],
  ...[...again(0), ...END, ...END],
];
/** One local of 32 bits, three of 128. */
const LOCALS = [2, 1, I32, 3, V128];

const MODULE = new WebAssembly.Module(Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
  ...section(2, [1, ...name("scan"), ...name("memory"), 0x02, 0x00, 0]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name("scan"), 0x00, 0]),
  ...section(10, [1, ...sized([...LOCALS, ...CODE, ...END])]),
]));

/** Writes the product of the vector at `query` with each vector at `vectors` to `products`. */
export type Scan = (
  query: number,
  vectors: number,
  count: number,
  /** Bytes of each vector, a multiple of 16. */
  stride: number,
  products: number,
) => void;

/** Creates the function for this memory. */
export function instantiateScan(memory: WebAssembly.Memory): Scan {
  const instance = new WebAssembly.Instance(MODULE, { scan: { memory } });
  // Sound because this is what the module above exports.
  return instance.exports.scan as Scan;
}

function get(local: number): number[] {
  return [0x20, local];
}

function set(local: number): number[] {
  return [0x21, local];
}

function tee(local: number): number[] {
  return [0x22, local];
}

function constant(small: number): number[] {
  return [0x41, small];
}

function breakIf(depth: number): number[] {
  return [0x0d, depth];
}

function again(depth: number): number[] {
  return [0x0c, depth];
}

function lane(index: number): number[] {
  return [...get(SUM), 0xfd, 0x1b, index];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)];
}

function name(text: string): number[] {
  return sized([...new TextEncoder().encode(text)]);
}

/** Prefixes content with its size in LEB128. */
function sized(content: readonly number[]): number[] {
  const size = content.length;
  return size < 128 ? [size, ...content] : [(size & 127) | 128, size >> 7, ...content];
}
