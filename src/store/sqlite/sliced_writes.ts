/**
 * When the slices of long commits are made: in turns with each other and with all other writes.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import { busy, stopping } from "./refusals.ts";
import type { SliceOutcome } from "./sliced_commits.ts";

/**
 * Ends a hold: resolves once all readers see the workspace as it is, to a promise that resolves once
 * none reads what it was.
 */
export type Release = () => Promise<{ readonly ended: Promise<void> }>;

export interface FinishOptions {
  /** Called with a sentence about what was finished. */
  readonly onNotice?: (notice: string) => void;
  /** Called if a commit that was interrupted is not finished, each time that it fails. */
  readonly onUnfinished?: (workspace: string, reason: unknown) => void;
}

export interface SlicedWrites {
  /** Makes a commit in slices. */
  commit(workspace: string, begin: () => Promise<SliceOutcome>): Promise<SliceOutcome>;
  /**
   * Finishes a commit that was interrupted, before anybody reads what it has written so far. Never
   * rejects: if that is impossible, the workspace stays refused.
   */
  finish(workspace: string): Promise<void>;
  /** Returns whether the next slice is to be made now, with or without other writes that wait. */
  isDue(othersWait: boolean): boolean;
  /** Calls `wake()` when the next slice is due, if there is one. */
  wakeLater(): void;
  /** Makes a slice of some other work when it is due. */
  inTurn<T>(make: () => Promise<T>): Promise<T>;
  /** Makes the next slice. */
  next(): Promise<void>;
  /** Another write was made. */
  noteWrite(): void;
  /** The other thread made another write that took so many milliseconds: those that wait go first. */
  noteLongWrite(took: number): void;
  close(): void;
}

export interface SlicedWriteParts extends FinishOptions {
  /** Makes the next slice of a workspace; `isAlone` if nobody else has written for a while. */
  readonly goOn: (workspace: string, isAlone: boolean) => Promise<SliceOutcome>;
  /** Keeps what readers of a workspace see as it is. */
  readonly hold: (workspace: string) => Promise<Release>;
  /** Refuses readers of a workspace: at once here, and elsewhere when this resolves. */
  readonly refuse: (workspace: string) => Promise<Release>;
  /** Lets others write to a workspace again: they wait from the time that its commit is given. */
  readonly free: (workspace: string) => void;
  /** Called when a slice may be due. */
  readonly wake: () => void;
  /** Milliseconds that a commit waits for others that are made in slices. */
  readonly patience: number;
}

/** Commits that are made at the same time: each takes a connection and its cache. */
const MOST = 4;
/** Milliseconds in which a client that was answered sends its next write. */
const GAP = 2;
/** Milliseconds without another write after which none is expected. */
const QUIET = 1_000;
/** Milliseconds until a slice that failed is tried again. */
const RETRY = 1_000;
/** Failures that may end without a restart. */
const PASSING: ReadonlySet<string> = new Set([
  "service_unavailable",
  "storage_full",
  "storage_read_only",
]);

/** Creates the order of slices. */
export function createSlicedWrites(
  { goOn, hold, refuse, free, wake, patience, onNotice, onUnfinished }: SlicedWriteParts,
): SlicedWrites {
  const order = createSliceOrder(wake);
  const places = createPlaces(MOST, patience);

  async function nextSlice(
    workspace: string,
    onFailure: (reason: unknown) => void = () => {},
  ): Promise<SliceOutcome> {
    for (;;) {
      try {
        return await order.inTurn(() => goOn(workspace, order.isQuiet()));
      } catch (error) {
        const mayPass = error instanceof AppError && PASSING.has(error.code);
        if (order.isClosed() || !mayPass) throw error;
        onFailure(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
  }

  function leave(error: unknown): never {
    places.leave();
    throw error;
  }

  return {
    ...order,
    async commit(workspace, begin) {
      // If a slice fails for good, nobody may write to the workspace, and readers keep what they see. If
      // it is the first, that may be on the disk nevertheless: the next one finds out.
      let isUnfinished = false;
      try {
        if (!await places.take()) throw busy();
        const release = await hold(workspace).catch(leave);
        try {
          isUnfinished = true;
          const first = await settled(order.inTurn(begin));
          let outcome = "value" in first ? first.value : "unfinished";
          while (outcome === "unfinished") outcome = await nextSlice(workspace);
          isUnfinished = false;
          if ("error" in first) throw first.error;
          return outcome;
        } finally {
          places.leave();
          if (!isUnfinished) await release();
        }
      } finally {
        if (!isUnfinished) free(workspace);
      }
    },
    async finish(workspace) {
      const onFailure = (reason: unknown) => onUnfinished?.(workspace, reason);
      try {
        const release = await refuse(workspace);
        while (await nextSlice(workspace, onFailure) === "unfinished");
        await release();
        free(workspace);
        onNotice?.(`Finished a change of workspace ${workspace} that was interrupted`);
      } catch (error) {
        // The next start goes on.
        if (!order.isClosed()) onFailure(error);
      }
    },
  };
}

/** The outcome of a slice, as data. */
async function settled(
  slice: Promise<SliceOutcome>,
): Promise<{ readonly value: SliceOutcome } | { readonly error: unknown }> {
  try {
    return { value: await slice };
  } catch (error) {
    return { error };
  }
}

interface Slice {
  /** Never rejects. Returns what settles it: whoever waits may ask for the next one at once. */
  readonly make: () => Promise<() => void>;
  readonly refuse: (reason: unknown) => void;
}

interface SliceOrder extends Omit<SlicedWrites, "commit" | "finish"> {
  /** Returns whether no other write was made for a while. */
  isQuiet(): boolean;
  isClosed(): boolean;
}

function createSliceOrder(wake: () => void): SliceOrder {
  const slices: Slice[] = [];
  let isClosed = false;
  // After a slice others write for as long as it took, or until none of them has for a moment. One long
  // write among them makes that longer, so that nobody waits for it and for a slice.
  let pauseEnd = 0;
  let mayBeLonger = true;
  let lastWrite = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const due = (): number => Math.min(pauseEnd, lastWrite + GAP);
  return {
    inTurn<T>(make: () => Promise<T>) {
      if (isClosed) return Promise.reject(stopping());
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      slices.push({
        make: () => make().then((value) => () => resolve(value), (error) => () => reject(error)),
        refuse: reject,
      });
      wake();
      return promise;
    },
    isDue: (othersWait) =>
      slices.length > 0 && performance.now() >= (othersWait ? pauseEnd : due()),
    wakeLater() {
      clearTimeout(timer);
      if (slices.length > 0) timer = setTimeout(wake, Math.max(0, due() - performance.now()));
    },
    async next() {
      const slice = slices.shift();
      if (slice === undefined) return;
      const began = performance.now();
      const settle = await slice.make();
      pauseEnd = 2 * performance.now() - began;
      mayBeLonger = true;
      settle();
    },
    noteWrite() {
      lastWrite = performance.now();
    },
    noteLongWrite(took) {
      if (mayBeLonger) pauseEnd = performance.now() + took;
      mayBeLonger = false;
    },
    isQuiet: () => performance.now() - lastWrite > QUIET,
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { refuse } of slices.splice(0)) refuse(stopping());
    },
  };
}

interface Places {
  /** False if there is none within the patience. */
  take(): Promise<boolean>;
  leave(): void;
}

function createPlaces(most: number, patience: number): Places {
  const waiting = new Set<(isFree: boolean) => void>();
  let free = most;
  return {
    take() {
      if (free > 0) {
        free--;
        return Promise.resolve(true);
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => give(false), patience);
      const give = (isFree: boolean): void => {
        clearTimeout(timer);
        waiting.delete(give);
        resolve(isFree);
      };
      waiting.add(give);
      return promise;
    },
    leave() {
      const [next] = waiting;
      if (next === undefined) free++;
      else next(true);
    },
  };
}
