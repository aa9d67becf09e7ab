/**
 * Writes lines to a file or a pipe in the background, so that no request waits for them.
 *
 * @module
 */

/** Number of lines since the start. */
export interface LineCounts {
  readonly written: number;
  /** Lines dropped because a write failed or was too slow. */
  readonly dropped: number;
}

/** Prints a line, including its line break; must not throw. */
export type PrintLine = () => string;

export interface LineWriter {
  readonly counts: LineCounts;
  /** Adds a line, which is printed once, a little later; never waits or throws. */
  add(print: PrintLine): void;
  /** Settles when every line is written or dropped; never rejects. */
  flush(): Promise<void>;
}

/** Writes whole lines, synchronously or not; if it throws or rejects, they are dropped. */
export type Append = ((text: string) => void) | ((text: string) => Promise<void>);

export interface LineWriterOptions {
  readonly append: Append;
  /** Called when lines begin to be dropped, and again only after some were written. */
  readonly onLoss: (reason: unknown) => void;
  /** Returns a line that says how many lines are missing; it is written where they are missing. */
  readonly lossLine?: (dropped: number) => string;
  /** Maximum length of the buffer in characters; default 4 Mi. */
  readonly maxBuffered?: number;
  /** Milliseconds for which lines are collected into a batch; default 100. */
  readonly delay?: number;
}

/**
 * Lines that are printed one after the other. Among the other steps of a request, when little of that
 * code is in the caches of the processor, printing takes several times as long.
 */
const PRINTED_TOGETHER = 256;
const DELAY = 100;
const MAX_BUFFERED = 4_194_304;

/**
 * Collects lines and appends them batch by batch; lines that do not fit the buffer are dropped and
 * counted.
 */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { append, onLoss, lossLine, maxBuffered = MAX_BUFFERED, delay = DELAY } = options;
  const counts = { written: 0, dropped: 0 };
  let unprinted: PrintLine[] = [];
  let buffer = { text: "", lines: 0 };
  let isWriting = false;
  let written = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLosing = false;
  let unreported = 0;

  function lose(lines: number, reason: unknown): void {
    counts.dropped += lines;
    unreported += lines;
    if (!isLosing) onLoss(reason);
    isLosing = true;
  }

  function printAll(): void {
    const prints = unprinted;
    unprinted = [];
    for (const print of prints) {
      const line = print();
      if (buffer.text.length + line.length > maxBuffered) lose(1, "Writing is too slow");
      else {
        buffer.text += line;
        buffer.lines++;
      }
    }
  }

  /** Empties the buffer; dropped lines are reported after its last line. */
  function take(): typeof buffer {
    const batch = buffer;
    buffer = { text: "", lines: 0 };
    if (unreported > 0 && lossLine !== undefined) batch.text += lossLine(unreported);
    unreported = 0;
    return batch;
  }

  /** Returns a promise only if the write is asynchronous. */
  function write({ text, lines }: typeof buffer): Promise<void> | undefined {
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

  async function writeBuffer(): Promise<void> {
    isWriting = true;
    while (buffer.lines > 0) {
      const writing = write(take());
      if (writing !== undefined) await writing;
    }
    isWriting = false;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    printAll();
    if (buffer.lines > 0 && !isWriting) written = writeBuffer();
    return written;
  }

  function add(print: PrintLine): void {
    if (unprinted.push(print) === PRINTED_TOGETHER) void flush();
    else timer ??= setTimeout(flush, delay);
  }

  return { counts, add, flush };
}

/**
 * Opens a file to append to, readable only by its owner; rejects if it cannot be written. Each
 * batch opens it again, so that it can be rotated at any time.
 */
export async function openAppend(path: string): Promise<(text: string) => Promise<void>> {
  const options = { append: true, create: true, mode: 0o600 };
  using file = await Deno.open(path, options);
  // After a crash or on a full disk the last line may be incomplete.
  let isWhole = (await file.stat()).size === 0;
  return async (text) => {
    const start = isWhole ? "" : "\n";
    isWhole = false;
    await Deno.writeTextFile(path, start + text, options);
    isWhole = true;
  };
}
