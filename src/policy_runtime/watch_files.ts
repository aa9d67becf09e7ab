/**
 * Watches files for changes.
 *
 * @module
 */
import { dirname } from "node:path";

export interface WatchOptions {
  readonly onChange: () => void;
  /** Called with the reason if watching fails. */
  readonly onEnd: (reason: unknown) => void;
  /** Milliseconds without events before a change is reported; default 100. */
  readonly quiet?: number;
  /** Milliseconds after which a change is reported even if events continue; default 1 s. */
  readonly patience?: number;
}

const QUIET = 100;
const PATIENCE = 1_000;

/**
 * Watches the folders of these files: a watched file does not report that another file or a moved link
 * replaced it. Returns a function that stops.
 */
export function watchFiles(paths: readonly string[], options: WatchOptions): () => void {
  const { onChange, onEnd, quiet = QUIET, patience = PATIENCE } = options;
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  if (folders.length === 0) return () => {};
  const debounce = createDebounce({ quiet, patience, onSettled: onChange });
  let watcher: Deno.FsWatcher;
  try {
    watcher = Deno.watchFs(folders, { recursive: false });
  } catch (error) {
    onEnd(error);
    return () => {};
  }
  forwardEvents(watcher, debounce.touch).catch(onEnd);
  return () => {
    debounce.cancel();
    watcher.close();
  };
}

async function forwardEvents(watcher: Deno.FsWatcher, touch: () => void): Promise<void> {
  for await (const { kind } of watcher) {
    // Our own reading causes access events.
    if (kind !== "access") touch();
  }
}

interface DebounceOptions {
  readonly quiet: number;
  readonly patience: number;
  readonly onSettled: () => void;
}

/** Waits until events stop, or have gone on for too long. */
function createDebounce({ quiet, patience, onSettled }: DebounceOptions): {
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
        onSettled();
      }, Math.max(0, Math.min(quiet, first + patience - now)));
    },
    cancel: () => clearTimeout(timer),
  };
}
