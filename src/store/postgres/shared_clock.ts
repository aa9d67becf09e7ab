/**
 * The database's clock, which all processes use because their own clocks may differ.
 *
 * @module
 */
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";

export interface SharedClock {
  /** Milliseconds since the epoch. */
  now(): number;
  stop(): void;
}

export interface SharedClockOptions {
  /** Called with a sentence for the operator if the clocks differ. */
  readonly onNotice?: (notice: string) => void;
  /** Default: the system's clock. */
  readonly local?: () => number;
}

/** Milliseconds between two readings of the database's clock. */
const EVERY = 60_000;
/** Milliseconds of difference to ignore: a reply may take that long. */
const TOLERANCE = 1_000;

const read = query<[number]>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8");

/** Reads the database's clock now and once a minute. */
export async function startSharedClock(
  { session }: Connection,
  { onNotice, local = Date.now }: SharedClockOptions = {},
): Promise<SharedClock> {
  let ahead = 0;
  const compare = async (): Promise<void> => {
    const sent = local();
    const [there] = await read.get(session) ?? [];
    const received = local();
    if (there === undefined || received - sent > TOLERANCE) return;
    const difference = Math.round(there - (sent + received) / 2);
    const isNew = Math.abs(difference - ahead) > TOLERANCE;
    if (!isNew) return;
    ahead = Math.abs(difference) > TOLERANCE ? difference : 0;
    onNotice?.(
      `The clock of the database is ${
        (difference / 1_000).toFixed(1)
      } s ahead of this machine's. Recto uses the database's.`,
    );
  };
  await compare();
  const timer = setInterval(() => void compare().catch(() => {}), EVERY); // the next reading makes up for it
  Deno.unrefTimer(timer);
  return { now: () => local() + ahead, stop: () => clearInterval(timer) };
}
