/**
 * The entries of a ZIP archive, checked before any of them is read.
 *
 * @module
 */
import { type Entry, legacyName, openZipFile, type ZipFile } from "./yauzl.ts";
import { isHidden, nameIssue } from "./names.ts";
import { type SkippedFile, SourceError } from "./source.ts";

/** The limits of archives. yauzl ends a stream with an error if an entry's size is false. */
export interface ZipLimits {
  readonly entries: number;
  /** Bytes of all entries together, uncompressed. */
  readonly bytes: number;
  /** Bytes uncompressed for each compressed one, of the archive as a whole. */
  readonly ratio: number;
}

export const ZIP_LIMITS: ZipLimits = { entries: 1_000_000, bytes: 100 * 1024 ** 3, ratio: 200 };

/** Below this size, a high ratio is harmless. */
const SMALL = 64 * 1024 ** 2;
const SYMLINK = 0o120000;
const FILE_TYPE = 0o170000;

export interface ZipEntries {
  readonly zip: ZipFile;
  /** Files by path. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly skipped: readonly SkippedFile[];
  /** True if it holds the settings of an Obsidian vault. */
  readonly isVault: boolean;
}

/** Opens an archive and reads its directory. Throws `SourceError` if it is damaged or a bomb. */
export async function readZipEntries(file: string, limits = ZIP_LIMITS): Promise<ZipEntries> {
  const size = (await Deno.stat(file)).size;
  const zip = await openZip(file);
  try {
    return { zip, ...await listEntries(zip, { file, size, limits }) };
  } catch (error) {
    zip.close();
    throw broken(file, error);
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openZipFile(file);
  } catch (error) {
    throw broken(file, error);
  }
}

interface Archive {
  readonly file: string;
  /** Bytes of the archive itself. */
  readonly size: number;
  readonly limits: ZipLimits;
}

async function listEntries(zip: ZipFile, archive: Archive) {
  const entries = new Map<string, Entry>();
  const skipped: SkippedFile[] = [];
  let bytes = 0;
  let isVault = false;
  for await (const entry of zip.eachEntry()) {
    const path = decodeName(entry).normalize("NFC");
    isVault ||= /(?:^|\/)\.obsidian\//.test(path);
    bytes += entry.uncompressedSize;
    checkTotals(archive, { count: entries.size + skipped.length + 1, bytes });
    const issue = nameIssue(path);
    if (path.endsWith("/") || (issue === undefined && isHidden(path))) continue;
    const reason = issue ?? contentIssue(entry) ??
      (entries.has(path) ? "the archive has another file with this name" : undefined);
    if (reason === undefined) entries.set(path, entry);
    else skipped.push({ path, reason });
  }
  return { entries, skipped, isVault };
}

function checkTotals(
  { file, size, limits }: Archive,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): void {
  if (count > limits.entries) throw new SourceError(`${file} has over ${limits.entries} entries`);
  if (bytes > limits.bytes) {
    throw new SourceError(`${file} holds over ${limits.bytes} bytes: import it in parts`);
  }
  if (bytes > SMALL && bytes > size * limits.ratio) {
    throw new SourceError(
      `${file} grows to more than ${limits.ratio} times its size, as ZIP bombs do. ` +
        "If you trust it, unpack it and import the folder",
    );
  }
}

function contentIssue(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "it is encrypted";
  const isUnix = entry.versionMadeBy >>> 8 === 3;
  const mode = entry.externalFileAttributes >>> 16;
  if (isUnix && (mode & FILE_TYPE) === SYMLINK) return "symbolic links are not followed";
  return entry.canDecodeFileData() ? undefined : "its compression method is not supported";
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** UTF-8 if the bytes are that, else the code page of the ZIP specification. */
function decodeName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  try {
    return utf8.decode(raw);
  } catch {
    return legacyName(entry);
  }
}

function broken(file: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new SourceError(`${file} is not a complete ZIP archive: download it again (${reason})`);
}
