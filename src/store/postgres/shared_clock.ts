/**
 * The clock of the database, which all processes on it go by: their own may differ.
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
  /** Told, as a sentence, that the clocks differ. */
  readonly onNotice?: (notice: string) => void;
  /** Default: the system's clock. */
  readonly local?: () => number;
}

/** Milliseconds between two looks at the database's clock. */
const EVERY = 60_000;
/** Milliseconds that are no difference: so long an answer may take. */
const TOLERANCE = 1_000;

const read = query<[number]>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8");

/** Reads the database's clock, now and from time to time. */
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
      } s ahead of this machine's: the database's counts`,
    );
  };
  await compare();
  const timer = setInterval(() => void compare().catch(() => {}), EVERY); // the next look does it
  Deno.unrefTimer(timer);
  return { now: () => local() + ahead, stop: () => clearInterval(timer) };
}
