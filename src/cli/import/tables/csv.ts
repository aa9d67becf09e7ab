/**
 * Reads CSV and TSV as a stream, in any encoding and with any usual delimiter.
 *
 * @module
 */
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { parse } from "csv-parse";
import { endingOf } from "../source/names.ts";
import { type Source, SourceError } from "../source/source.ts";
import { createDecoder, findEncoding } from "../source/text.ts";

/** How a file of a table is written. */
export interface CsvForm {
  readonly encoding: string;
  /** True if only the bytes suggest the encoding. */
  readonly isGuess: boolean;
  readonly delimiter: string;
}

/** Bytes that the delimiter is found with. */
const HEAD = 256 * 1024;
/** Bytes that an encoding is guessed with. */
const SAMPLE = 4 * 1024 ** 2;
const MAX_RECORD = 16 * 1024 ** 2;
const DELIMITERS = [",", ";", "\t", "|"];

/** Finds out how a table is written. `encoding` counts if the file is not UTF-8. */
export async function readCsvForm(
  source: Source,
  path: string,
  encoding?: string,
): Promise<CsvForm> {
  const head = await readHead(source, path, SAMPLE);
  const found = await findEncoding(head, encoding);
  const text = createDecoder(found.encoding, false).decode(head.subarray(0, HEAD));
  const delimiter = endingOf(path) === "tsv" ? "\t" : await findDelimiter(text);
  return { ...found, delimiter };
}

async function readHead(
  source: Source,
  path: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of await source.stream(path)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer()).subarray(0, limit);
}

/** The delimiter that divides the first records into the most equal number of cells. */
async function findDelimiter(text: string): Promise<string> {
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = await widthsOf(text, delimiter);
    const [first = 1] = widths;
    const equal = widths.filter((width) => width === first).length / Math.max(1, widths.length);
    const score = first > 1 ? equal * 100 + Math.min(first, 50) : 0;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

async function widthsOf(text: string, delimiter: string): Promise<number[]> {
  const widths: number[] = [];
  const parser = parse({ ...OPTIONS, delimiter, to: 50 });
  parser.end(text);
  try {
    for await (const record of parser) widths.push(record.length);
  } catch {
    // The head may end in the middle of a quoted cell.
  }
  return widths;
}

const OPTIONS = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: MAX_RECORD,
} as const;

/** The records of a table, its header first. Throws `SourceError` where the file is damaged. */
export async function* readCsv(
  source: Source,
  path: string,
  { encoding, delimiter }: CsvForm,
): AsyncGenerator<string[]> {
  const bytes = await source.stream(path);
  const decoder = new TextDecoderStream(encoding, { fatal: encoding === "utf-8" });
  // The types of Node and of the web describe the same stream.
  const texts = bytes.pipeThrough(decoder) as unknown as NodeReadableStream;
  const parser = Readable.fromWeb(texts).pipe(parse({ ...OPTIONS, delimiter }));
  const input = texts;
  try {
    for await (const record of parser) yield record;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`${path} cannot be read as a table: ${reason}`);
  } finally {
    parser.destroy();
    if (!input.locked) await input.cancel();
  }
}
