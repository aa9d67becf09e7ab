/**
 * Takes what stands in the files whole, or not at all.
 *
 * @module
 */
import type { Checked, Files, Pair } from "./pair.ts";

/** How a reload ended. */
export type Outcome = "adopted" | "unchanged" | "refused";

export interface ReloadOptions {
  /** What the active pair was made of. */
  readonly active: Files<string>;
  readonly read: () => Promise<Checked<Files<string>>>;
  readonly check: (texts: Files<string>) => Promise<Checked<Pair>>;
  readonly adopt: (pair: Pair) => void | Promise<void>;
  /** The files hold what cannot be taken; `texts` are undefined where one cannot be read. */
  readonly refuse: (refused: Refused) => Promise<void>;
  /** After a refusal the files hold the active pair again. */
  readonly restore: () => void;
}

export interface Refused {
  readonly faults: readonly string[];
  readonly texts: Files<string> | undefined;
}

/** How often files that change under the reader's hands are read. */
const ATTEMPTS = 5;

/**
 * Creates what reloads. Calls are served one after the other, and those that wait are one; each
 * settles when the files as they stood after it were judged.
 */
export function createReloader(options: ReloadOptions): () => Promise<Outcome> {
  const reload = createReload(options);
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Outcome> | undefined;
  return () => {
    if (waiting !== undefined) return waiting;
    waiting = last.then(() => {
      waiting = undefined;
      return reload();
    });
    last = waiting.catch(() => {});
    return waiting;
  };
}

function createReload(options: ReloadOptions): () => Promise<Outcome> {
  let { active } = options;
  let refused: Refused | undefined;

  async function refuse(found: Refused): Promise<Outcome> {
    // Said once, however often the files are touched.
    if (refused === undefined || !isSameRefusal(refused, found)) await options.refuse(found);
    refused = found;
    return "refused";
  }

  function restore(): Outcome {
    if (refused !== undefined) options.restore();
    refused = undefined;
    return "unchanged";
  }

  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const read = await options.read();
      if (!read.ok) return refuse({ faults: read.faults, texts: undefined });
      const texts = read.value;
      if (isSame(texts, active)) return restore();
      const checked = await options.check(texts);
      if (!checked.ok) return refuse({ faults: checked.faults, texts });
      // Files that are being written can be valid by chance.
      const again = await options.read();
      if (!again.ok || !isSame(again.value, texts)) continue;
      await options.adopt(checked.value);
      active = texts;
      refused = undefined;
      return "adopted";
    }
    return refuse({ faults: ["The files change while they are read"], texts: undefined });
  };
}

function isSame(a: Files<string>, b: Files<string>): boolean {
  return a.policy === b.policy && a.document === b.document && a.meta === b.meta;
}

function isSameRefusal(a: Refused, b: Refused): boolean {
  if (a.texts === undefined || b.texts === undefined) {
    return a.texts === b.texts && a.faults.join("\n") === b.faults.join("\n");
  }
  return isSame(a.texts, b.texts);
}
