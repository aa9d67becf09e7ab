/**
 * Reads the sheets of XLSX files.
 *
 * @module
 */
import { readBytes, type Source, SourceError } from "../source/source.ts";
import { readZipEntries } from "../source/zip_entries.ts";

/** XLSX files are read as a whole: at most so many bytes, packed and unpacked. */
const XLSX_LIMITS = { entries: 10_000, bytes: 512 * 1024 ** 2, ratio: 200 };
const XLSX_BYTES = 64 * 1024 ** 2;

export interface SheetTable {
  readonly name: string;
  readonly records: readonly (readonly string[])[];
}

/** Reads all sheets that have cells. The folder `scratch` holds a copy while it is checked. */
export async function readXlsx(
  source: Source,
  path: string,
  scratch: string,
): Promise<SheetTable[]> {
  const bytes = await readBytes(source, path, XLSX_BYTES);
  await checkArchive(bytes, path, scratch);
  const { default: readSheets } = await import("read-excel-file/universal");
  try {
    const sheets = await readSheets(bytes.buffer);
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      records: data.map((row) => row.map(cellText)),
    })).filter(({ records }) => records.length > 0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`${path} cannot be read as XLSX: ${reason}`);
  }
}

/** The library unpacks whatever it gets, so a bomb must be found before. */
async function checkArchive(
  bytes: Uint8Array<ArrayBuffer>,
  path: string,
  scratch: string,
): Promise<void> {
  await Deno.mkdir(scratch, { recursive: true });
  const file = `${scratch}/sheet.xlsx`;
  await Deno.writeFile(file, bytes);
  try {
    const { zip } = await readZipEntries(file, XLSX_LIMITS);
    zip.close();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(error.message.replace(file, path));
  } finally {
    await Deno.remove(file);
  }
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return dateText(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value);
}

/** A sheet has one kind of date for days and times: midnight means a day. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const [day = "", time = ""] = date.toISOString().split("T");
  return time.startsWith("00:00:00") ? day : `${day}T${time.slice(0, 8)}`;
}
