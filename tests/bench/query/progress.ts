/**
 * Shows progress on a terminal.
 *
 * @module
 */

export type Progress = (what: string, part: number) => void;

const INTERVAL = 500;

/** Overwrites one line; writes nothing if the output is not a terminal. */
export function createProgress(title: string): Progress {
  const encoder = new TextEncoder();
  let last = 0;
  return (what, part) => {
    if (!Deno.stderr.isTerminal()) return;
    const now = performance.now();
    if (part < 1 && now - last < INTERVAL) return;
    last = now;
    const line = part < 1 ? `${title}: ${what} ${Math.round(part * 100)} %` : "";
    Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${line}`));
  };
}
