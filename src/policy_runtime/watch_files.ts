/**
 * Tells when files may have changed.
 *
 * @module
 */
import { dirname } from "node:path";

export interface WatchOptions {
  readonly changed: () => void;
  /** Told why nothing more will be seen. */
  readonly onEnd: (reason: unknown) => void;
  /** Milliseconds of quiet that are waited for; default 100. */
  readonly quiet?: number;
  /** Milliseconds after which unquiet files are told of all the same; default 1 s. */
  readonly patience?: number;
}

const QUIET = 100;
const PATIENCE = 1_000;

/**
 * Watches the folders that hold these files, because a file that is replaced by another, or reached
 * by a link that moves, is not seen to change itself. Call the answer to stop.
 */
export function watchFiles(paths: readonly string[], options: WatchOptions): () => void {
  const { changed, onEnd, quiet = QUIET, patience = PATIENCE } = options;
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  if (folders.length === 0) return () => {};
  const settle = createSettling({ quiet, patience, settled: changed });
  let watcher: Deno.FsWatcher;
  try {
    watcher = Deno.watchFs(folders, { recursive: false });
  } catch (error) {
    onEnd(error);
    return () => {};
  }
  tellChanges(watcher, settle.touch).catch(onEnd);
  return () => {
    settle.cancel();
    watcher.close();
  };
}

async function tellChanges(watcher: Deno.FsWatcher, touch: () => void): Promise<void> {
  for await (const { kind } of watcher) {
    // We cause these ourselves by reading.
    if (kind !== "access") touch();
  }
}

interface SettlingOptions {
  readonly quiet: number;
  readonly patience: number;
  readonly settled: () => void;
}

/** Waits until touches stop, or have gone on for too long. */
function createSettling({ quiet, patience, settled }: SettlingOptions): {
  touch(): void;
  cancel(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first: number | undefined;
  return {
    touch() {
      const now = performance.now();
      first ??= now;
      clearTimeout(timer);
      timer = setTimeout(() => {
        first = undefined;
        settled();
      }, Math.max(0, Math.min(quiet, first + patience - now)));
    },
    cancel: () => clearTimeout(timer),
  };
}
