/**
 * Answers that wait until what they show is on the disk.
 *
 * @module
 */
import { AppError } from "./errors.ts";

/** The state that this process sees although it is not on the disk yet. */
export interface VisibleState {
  /**
   * Resolves when all that is visible is on the disk or undone; undefined if it is. Never rejects.
   */
  pending(): Promise<void> | undefined;
  /** How often something that was visible has been undone. */
  undone(): number;
}

/** The state of a database that shows nothing before it is on the disk. */
export const ALWAYS_DURABLE: VisibleState = { pending: () => undefined, undone: () => 0 };

/** How often work is done again because something that it may have seen was undone. */
const ATTEMPTS = 3;

/**
 * Does work that only reads, and settles like it once all that it saw is on the disk. Does it again
 * if some of that was undone; after a few times it rejects with `service_unavailable`.
 */
export async function readDurably<T>(
  state: VisibleState,
  read: () => T | Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const since = state.undone();
    try {
      const value = await read();
      await state.pending();
      if (state.undone() === since) return value;
    } catch (error) {
      await state.pending();
      if (state.undone() === since) throw error;
    }
  }
  throw undoneError();
}

/**
 * Does work that waits by itself until what it wrote is on the disk. If it rejects for what it saw
 * and some of that was undone, this rejects with `service_unavailable` instead.
 */
export async function writeDurably<T>(
  state: VisibleState,
  write: () => T | Promise<T>,
): Promise<T> {
  const since = state.undone();
  try {
    return await write();
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500;
    if (isRefused) await confirmDurable(state, since);
    throw error;
  }
}

/**
 * Resolves when all that was visible is on the disk; rejects if any was undone since that count.
 */
export async function confirmDurable(state: VisibleState, since: number): Promise<void> {
  await state.pending();
  if (state.undone() !== since) throw undoneError();
}

function undoneError(): AppError {
  return new AppError(
    "service_unavailable",
    "The database undid what it could not store: try again",
    {
      headers: { "retry-after": "1" },
    },
  );
}
