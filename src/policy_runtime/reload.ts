/**
 * Takes what stands in the files whole, or not at all.
 *
 * @module
 */
import type { BundleFiles, Checked, PolicyBundle } from "./policy_bundle.ts";

/** How a reload ended. */
export type ReloadResult = "adopted" | "unchanged" | "refused";

export interface ReloadOptions {
  /** What the active pair was made of. */
  readonly active: BundleFiles<string>;
  readonly read: () => Promise<Checked<BundleFiles<string>>>;
  readonly check: (texts: BundleFiles<string>) => Promise<Checked<PolicyBundle>>;
  readonly activate: (bundle: PolicyBundle) => void | Promise<void>;
  /** The files hold what cannot be taken; `texts` are undefined where one cannot be read. */
  readonly reject: (refused: RejectedFiles) => Promise<void>;
  /** After a refusal the files hold the active pair again. */
  readonly clearRejection: () => void;
}

export interface RejectedFiles {
  readonly issues: readonly string[];
  readonly texts: BundleFiles<string> | undefined;
}

/** How often files that change under the reader's hands are read. */
const ATTEMPTS = 5;

/**
 * Creates what reloads. Calls are served one after the other, and those that wait are one; each
 * settles when the files as they stood after it were judged.
 */
export function createReloader(options: ReloadOptions): () => Promise<ReloadResult> {
  const reload = createReload(options);
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<ReloadResult> | undefined;
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

function createReload(options: ReloadOptions): () => Promise<ReloadResult> {
  let { active } = options;
  let refused: RejectedFiles | undefined;

  async function reject(found: RejectedFiles): Promise<ReloadResult> {
    // Said once, however often the files are touched.
    if (refused === undefined || !isSameRefusal(refused, found)) await options.reject(found);
    refused = found;
    return "refused";
  }

  function restore(): ReloadResult {
    if (refused !== undefined) options.clearRejection();
    refused = undefined;
    return "unchanged";
  }

  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const read = await options.read();
      if (!read.ok) return reject({ issues: read.issues, texts: undefined });
      const texts = read.value;
      if (isSame(texts, active)) return restore();
      const checked = await options.check(texts);
      if (!checked.ok) return reject({ issues: checked.issues, texts });
      // Files that are being written can be valid by chance.
      const again = await options.read();
      if (!again.ok || !isSame(again.value, texts)) continue;
      await options.activate(checked.value);
      active = texts;
      refused = undefined;
      return "adopted";
    }
    return reject({ issues: ["The files change while they are read"], texts: undefined });
  };
}

function isSame(a: BundleFiles<string>, b: BundleFiles<string>): boolean {
  return a.policy === b.policy && a.document === b.document && a.meta === b.meta;
}

function isSameRefusal(a: RejectedFiles, b: RejectedFiles): boolean {
  if (a.texts === undefined || b.texts === undefined) {
    return a.texts === b.texts && a.issues.join("\n") === b.issues.join("\n");
  }
  return isSame(a.texts, b.texts);
}
