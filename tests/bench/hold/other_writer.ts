/**
 * A client of another workspace, which writes while a large database is changed.
 *
 * @module
 */
import type { Service } from "./service.ts";

const PAGE = { parent: { workspace: true }, properties: {} };
/** Milliseconds between two writes. */
const INTERVAL = 50;

/** Milliseconds that its writes took. */
export interface Waits {
  readonly median: number;
  readonly longest: number;
  /** Number of writes that were refused. */
  readonly refused: number;
}

export interface OtherWriter {
  /** Ends it. */
  stop(): Promise<Waits>;
}

/** Starts to create pages. */
export function startOtherWriter({ askElsewhere }: Service): OtherWriter {
  const waits: number[] = [];
  let refused = 0;
  let isStopped = false;
  const write = async () => {
    while (!isStopped) {
      const began = performance.now();
      const { status } = await askElsewhere("POST /v2/pages", PAGE);
      waits.push(performance.now() - began);
      if (status !== 200) refused++;
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
  };
  const ended = write();
  return {
    async stop() {
      isStopped = true;
      await ended;
      waits.sort((a, b) => a - b);
      return { median: waits[waits.length >> 1] ?? 0, longest: waits.at(-1) ?? 0, refused };
    },
  };
}
