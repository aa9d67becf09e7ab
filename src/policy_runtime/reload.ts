/**
 * Reloads the files of a bundle, all of them or none.
 *
 * @module
 */
import type { BundleFiles, Checked, PolicyBundle } from "./policy_bundle.ts";

/** How a reload ended. */
export type ReloadResult = "adopted" | "unchanged" | "refused";

export interface ReloadOptions {
  /** The files of the active bundle. */
  readonly active: BundleFiles<string>;
  readonly read: () => Promise<Checked<BundleFiles<string>>>;
  readonly check: (texts: BundleFiles<string>) => Promise<Checked<PolicyBundle>>;
  readonly activate: (bundle: PolicyBundle) => void | Promise<void>;
  /** Called when the files are invalid; `texts` is undefined if a file cannot be read. */
  readonly reject: (rejected: RejectedFiles) => Promise<void>;
  /** Called when the files contain the active bundle again after a rejection. */
  readonly clearRejection: () => void;
}

export interface RejectedFiles {
  readonly issues: readonly string[];
  readonly texts: BundleFiles<string> | undefined;
}

const STILL_CHANGING: readonly string[] = ["The files keep changing while they are read"];

/** How often files are read that change while they are read. */
const ATTEMPTS = 5;

/**
 * Creates the function that reloads. Reloads run one at a time, and calls that wait share one. Each
 * call resolves once the files have been checked as they were after the call.
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
  let rejected: RejectedFiles | undefined;

  async function reject(files: RejectedFiles): Promise<ReloadResult> {
    // Reported once, however often the files are touched.
    if (rejected === undefined || !isSameRejection(rejected, files)) await options.reject(files);
    rejected = files;
    return "refused";
  }

  function restore(): ReloadResult {
    if (rejected !== undefined) options.clearRejection();
    rejected = undefined;
    return "unchanged";
  }

  /** An unexpected error must be as visible as an invalid file. */
  async function tryActivate(texts: BundleFiles<string>): Promise<readonly string[]> {
    try {
      const checked = await options.check(texts);
      if (!checked.ok) return checked.issues;
      // Files that are only partly written can be valid by chance.
      const again = await options.read();
      if (!again.ok || !isSame(again.value, texts)) return STILL_CHANGING;
      await options.activate(checked.value);
      return [];
    } catch (error) {
      return [`The files cannot be used: ${error}`];
    }
  }

  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const read = await options.read();
      if (!read.ok) return reject({ issues: read.issues, texts: undefined });
      const texts = read.value;
      if (isSame(texts, active)) return restore();
      const issues = await tryActivate(texts);
      if (issues === STILL_CHANGING) continue;
      if (issues.length > 0) return reject({ issues, texts });
      active = texts;
      rejected = undefined;
      return "adopted";
    }
    return reject({ issues: STILL_CHANGING, texts: undefined });
  };
}

function isSame(a: BundleFiles<string>, b: BundleFiles<string>): boolean {
  return a.policy === b.policy && a.document === b.document && a.meta === b.meta;
}

function isSameRejection(a: RejectedFiles, b: RejectedFiles): boolean {
  if (a.issues.join("\n") !== b.issues.join("\n")) return false;
  if (a.texts === undefined || b.texts === undefined) return a.texts === b.texts;
  return isSame(a.texts, b.texts);
}
