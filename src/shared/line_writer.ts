/**
 * Lines that go to a file or a pipe behind the requests that wrote them.
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

/** Takes whole lines, at once or in its own time; if it throws or rejects they are lost. */
export type Append = ((text: string) => void) | ((text: string) => Promise<void>);

export interface LineWriterOptions {
  readonly append: Append;
  /** Told when lines begin to be lost, and again only after some were written. */
  readonly onLoss: (reason: unknown) => void;
  /** Returns a line that says how many lines are missing; it is written where they are missing. */
  readonly lossLine?: (dropped: number) => string;
  /** Characters that may wait for the file; default 4 Mi. */
  readonly maxWaiting?: number;
  /** Milliseconds for which lines are gathered; default 100. */
  readonly delay?: number;
}

const DELAY = 100;
const FLUSH_LENGTH = 65_536;
const MAX_WAITING = 4_194_304;

/** Gathers lines and appends them one batch after the other; what would not fit is counted and let go. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { append, onLoss, lossLine, maxWaiting = MAX_WAITING, delay = DELAY } = options;
  const counts = { written: 0, dropped: 0 };
  let waiting = { text: "", lines: 0 };
  let isWriting = false;
  let written = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLosing = false;
  let untold = 0;

  function lose(lines: number, reason: unknown): void {
    counts.dropped += lines;
    untold += lines;
    if (!isLosing) onLoss(reason);
    isLosing = true;
  }

  /** All that waits; lines were lost behind the last of it. */
  function take(): typeof waiting {
    const batch = waiting;
    waiting = { text: "", lines: 0 };
    if (untold > 0 && lossLine !== undefined) batch.text += lossLine(untold);
    untold = 0;
    return batch;
  }

  /** Returns a promise only if there is something to wait for. */
  function write({ text, lines }: typeof waiting): Promise<void> | undefined {
    const succeed = (): void => {
      counts.written += lines;
      isLosing = false;
    };
    try {
      const appending: unknown = append(text);
      if (!(appending instanceof Promise)) return void succeed();
      return appending.then(succeed, (error) => lose(lines, error));
    } catch (error) {
      return void lose(lines, error);
    }
  }

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.lines > 0) {
      const writing = write(take());
      if (writing !== undefined) await writing;
    }
    isWriting = false;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.lines > 0 && !isWriting) written = writeWaiting();
    return written;
  }

  function add(line: string): void {
    if (waiting.text.length + line.length > maxWaiting) {
      return lose(1, "The file takes lines too slowly");
    }
    waiting.text += line;
    waiting.lines++;
    if (waiting.text.length > FLUSH_LENGTH) void flush();
    else timer ??= setTimeout(flush, delay);
  }

  return { counts, add, flush };
}

/**
 * Opens a file to append to, which only its owner may read; rejects where it cannot be written. Each
 * batch opens it anew, so that it can be moved away at any time.
 */
export async function openAppend(path: string): Promise<(text: string) => Promise<void>> {
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
