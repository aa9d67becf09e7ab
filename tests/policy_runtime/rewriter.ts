/**
 * A thread that rewrites files in place, as careless tools do, beside a server that reads them.
 *
 * @module
 */
import type { BundleFiles } from "../../src/policy_runtime/policy_bundle.ts";

export interface RewriteOrder {
  readonly paths: BundleFiles<string>;
  /** The contents that the files have in turns. */
  readonly versions: readonly [BundleFiles<string>, BundleFiles<string>];
  /** How many files are written, each of the three as often. */
  readonly rewrites: number;
  /** One word, which counts the reloads that have ended. */
  readonly reloads: SharedArrayBuffer;
}

interface Rewrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The position at which a truncated file ends. */
  readonly at: number;
  readonly pause: () => void;
}

/** Each leaves another wrong file behind for a while. */
const WAYS: readonly ((rewrite: Rewrite) => void)[] = [
  function whole({ path, bytes }) {
    Deno.writeFileSync(path, bytes);
  },
  function empty({ path, bytes, pause }) {
    Deno.truncateSync(path);
    pause();
    Deno.writeFileSync(path, bytes);
  },
  function cutShort({ path, bytes, at, pause }) {
    Deno.writeFileSync(path, bytes.subarray(0, at));
    pause();
    Deno.writeFileSync(path, bytes.subarray(at), { append: true });
  },
  function oldBehindNew({ path, bytes, at, pause }) {
    using file = Deno.openSync(path, { write: true });
    file.writeSync(bytes.subarray(0, at));
    pause();
    file.writeSync(bytes.subarray(at));
    file.truncateSync(bytes.length);
  },
];

/** Rewrites of which two wait at each step until a reload has seen it. */
const SEEN_OF = 32;
const NAMES = ["policy", "document", "meta"] as const;
const encoder = new TextEncoder();

function rewriteAll({ paths, versions, rewrites, reloads }: RewriteOrder): void {
  const ended = new Int32Array(reloads);
  // The second reload that ends from now on began after now.
  const wait = () => {
    for (let n = 0; n < 2; n++) Atomics.wait(ended, 0, Atomics.load(ended, 0));
  };
  for (let n = 0; n < rewrites / NAMES.length; n++) {
    const round = Math.floor(n / SEEN_OF);
    const pause = n % SEEN_OF < 2 ? wait : () => {};
    const texts = versions[n % 2 === 0 ? 0 : 1];
    for (const name of [...NAMES.slice(n % 3), ...NAMES.slice(0, n % 3)]) {
      const bytes = encoder.encode(texts[name]);
      const at = cutOf(texts[name], round);
      WAYS[(n + round) % WAYS.length]?.({ path: paths[name], bytes, at, pause });
    }
    pause();
  }
}

/** In turns behind the routes of a policy, and in the middle. */
function cutOf(text: string, round: number): number {
  const fields = text.indexOf('"fields"');
  return fields > 0 && (round >> 2) % 2 === 0 ? fields : text.length >> 1;
}

// A worker's own scope, which the types of a page do not know.
const scope = self as unknown as {
  onmessage: (event: MessageEvent<RewriteOrder>) => void;
  postMessage(message: string): void;
};

scope.onmessage = ({ data }) => {
  rewriteAll(data);
  scope.postMessage("done");
};
