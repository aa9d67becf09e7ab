/**
 * Lines that go to a file behind the requests that wrote them.
 *
 * @module
 */

/** Lines so far. */
export interface LineCounts {
  readonly written: number;
  /** Lost because the file took no more, or not fast enough. */
  readonly dropped: number;
}

export interface LineWriter {
  readonly counts: LineCounts;
  /** Takes a line with its end; no wait, no throw. */
  add(line: string): void;
  /** Settles when every line is in the file, or lost; never rejects. */
  flush(): Promise<void>;
}

export interface LineWriterOptions {
  /** Appends whole lines; where it rejects they are lost. */
  readonly append: (text: string) => Promise<void>;
  /** Told when lines begin to be lost, and again only after some were written. */
  readonly onLoss: (reason: unknown) => void;
  /** Characters that may wait for the file; default 4 Mi. */
  readonly maxWaiting?: number;
}

const FLUSH_DELAY = 100;
const FLUSH_LENGTH = 65_536;
const MAX_WAITING = 4_194_304;

/** Gathers lines and appends them one batch after the other; what would not fit is counted and let go. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { append, onLoss, maxWaiting = MAX_WAITING } = options;
  const counts = { written: 0, dropped: 0 };
  let waiting = { text: "", lines: 0 };
  let writing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLosing = false;

  function lose(lines: number, reason: unknown): void {
    counts.dropped += lines;
    if (!isLosing) onLoss(reason);
    isLosing = true;
  }

  async function write({ text, lines }: typeof waiting): Promise<void> {
    try {
      await append(text);
      counts.written += lines;
      isLosing = false;
    } catch (error) {
      lose(lines, error);
    }
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.lines > 0) {
      const batch = waiting;
      waiting = { text: "", lines: 0 };
      await write(batch);
    }
    writing = undefined;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.lines > 0) writing ??= writeWaiting();
    return writing ?? Promise.resolve();
  }

  function add(line: string): void {
    if (waiting.text.length + line.length > maxWaiting) {
      return lose(1, "The file takes lines too slowly");
    }
    waiting.text += line;
    waiting.lines++;
    if (waiting.text.length > FLUSH_LENGTH) void flush();
    else timer ??= setTimeout(flush, FLUSH_DELAY);
  }

  return { counts, add, flush };
}

/**
 * Opens a file to append to, which only its owner may read; rejects where it cannot be written. Each
 * batch opens it anew, so that it can be moved away at any time.
 */
export async function openAppend(path: string): Promise<LineWriterOptions["append"]> {
  const options = { append: true, create: true, mode: 0o600 };
  using file = await Deno.open(path, options);
  // Where the machine went down, or the disk was full, the last line may be half of one.
  let isWhole = (await file.stat()).size === 0;
  return async (text) => {
    const start = isWhole ? "" : "\n";
    isWhole = false;
    await Deno.writeTextFile(path, start + text, options);
    isWhole = true;
  };
}
