/**
 * How far long work is, on a terminal.
 *
 * @module
 */

export type Progress = (what: string, part: number) => void;

const INTERVAL = 500;

/** One line that is written over again; nothing where nobody watches. */
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
