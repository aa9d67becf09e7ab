/**
 * Slots for large bodies: a few of each caller arrive at a time, so that bodies which never come to
 * their end fill no memory, however many are begun.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { LIMITS } from "./request.ts";

/** The slot of one body. */
export interface BodySlot {
  /**
   * Resolves when the body has its slot, or when that was given up; returns undefined if it has it at
   * once. Throws `rate_limited` if too many bodies of the caller wait, and `service_unavailable` if too
   * many of all callers arrive.
   */
  take(): Promise<void> | undefined;
  readonly isWaiting: boolean;
  /** Gives up the slot, or waiting for it. */
  end(): void;
}

/** Creates the slot of a body that a caller sends; it has to be ended. */
export type BodySlots = (caller: string) => BodySlot;

export type BodySlotLimits = Pick<
  { [K in keyof typeof LIMITS]: number },
  "largeBodies" | "largeBodiesWaiting" | "largeBodiesInAll"
>;

interface Caller {
  arriving: number;
  /** In the order in which they continue. */
  readonly waiting: Set<() => void>;
}

/** Creates the slots of one process. */
export function createBodySlots(limits: BodySlotLimits = LIMITS): BodySlots {
  const callers = new Map<string, Caller>();
  let inAll = 0;

  function enter(name: string, caller: Caller): void {
    if (inAll >= limits.largeBodiesInAll) throw tooManyInAll();
    inAll++;
    caller.arriving++;
    callers.set(name, caller);
  }

  function leave(name: string, caller: Caller): void {
    const [next] = caller.waiting;
    // A body that ends hands its slot to the next one.
    if (next !== undefined) return next();
    inAll--;
    if (--caller.arriving === 0) callers.delete(name);
  }

  return (name) => {
    let isWaiting = false;
    let giveUp = () => {};

    function wait(caller: Caller): Promise<void> {
      const { waiting } = caller;
      if (waiting.size >= limits.largeBodiesWaiting) throw tooManyOfCaller();
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = () => {
        waiting.delete(start);
        isWaiting = false;
        resolve();
      };
      const start = () => {
        stop();
        giveUp = () => leave(name, caller);
      };
      waiting.add(start);
      isWaiting = true;
      giveUp = stop;
      return promise;
    }

    return {
      take() {
        const caller = callers.get(name) ?? { arriving: 0, waiting: new Set() };
        if (caller.arriving >= limits.largeBodies) return wait(caller);
        enter(name, caller);
        giveUp = () => leave(name, caller);
        return undefined;
      },
      get isWaiting() {
        return isWaiting;
      },
      end() {
        giveUp();
        giveUp = () => {};
      },
    };
  };
}

/** Returns the error for a body that had no slot in time. */
export function tooManyOfCaller(): AppError {
  return tooMany("rate_limited", "of yours");
}

function tooManyInAll(): AppError {
  return tooMany("service_unavailable", "of all callers");
}

function tooMany(code: "rate_limited" | "service_unavailable", whose: string): AppError {
  return new AppError(code, `Too many large bodies ${whose} are arriving: retry after 1 s`, {
    headers: { "retry-after": "1", connection: "close" },
  });
}
