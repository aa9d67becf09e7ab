/**
 * Long answers on their way: clients that read nothing of them must not fill the memory.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { LIMITS } from "./request.ts";

/** A body that is sent piece by piece, as the client receives it. */
export interface SentBody {
  /** Bytes or UTF-16 code units that it holds in memory. */
  readonly length: number;
  /** Monotonic milliseconds when the client last waited for a piece. */
  readonly lastRead: number;
  /** Breaks the answer off, and frees its memory. */
  breakOff(): void;
}

export interface SentAnswer {
  readonly caller: string;
  readonly body: SentBody;
  /** True if the answer may be refused, because nothing was changed. */
  readonly isRead: boolean;
  /** Settles once the client has received the answer or is gone; never rejects. */
  readonly completed: Promise<void>;
}

export interface UnreadAnswers {
  /**
   * Counts an answer until it is completed. If there are too many unread ones, those that clients have
   * stopped reading are broken off. If that is not enough, a read is refused with `rate_limited` or
   * `service_unavailable`, and nothing is broken off. A write has been done, so its answer is never
   * refused: other answers of the same caller are broken off for it. Those that other callers are
   * reading never are, so that writes may exceed the limit of all, but not that of their caller.
   */
  hold(answer: SentAnswer): void;
}

export type UnreadLimits = Pick<
  { [K in keyof typeof LIMITS]: number },
  "unreadBytes" | "unreadBytesInAll" | "unreadTime"
>;

/** Creates the count of one process; `now` returns monotonic milliseconds. */
export function createUnreadAnswers(
  limits: UnreadLimits = LIMITS,
  now: () => number = () => performance.now(),
): UnreadAnswers {
  const held = new Set<SentAnswer>();

  function breakOff(answer: SentAnswer): void {
    held.delete(answer);
    answer.body.breakOff();
  }

  function givesWay(other: SentAnswer, { caller, isRead }: SentAnswer): boolean {
    const isSilent = now() - other.body.lastRead >= limits.unreadTime;
    return isSilent || (!isRead && other.caller === caller);
  }

  /** Finds answers whose end makes space for another; nothing is broken off yet. */
  function findSpace(added: SentAnswer, others: readonly SentAnswer[], limit: number): Space {
    let size = others.reduce((sum, { body }) => sum + body.length, added.body.length);
    const ended: SentAnswer[] = [];
    const giving = others.filter((other) => givesWay(other, added));
    for (const other of giving.toSorted((a, b) => a.body.lastRead - b.body.lastRead)) {
      if (size <= limit) break;
      ended.push(other);
      size -= other.body.length;
    }
    return { ended, isEnough: size <= limit || ended.length === others.length };
  }

  return {
    hold(answer) {
      const own = [...held].filter(({ caller }) => caller === answer.caller);
      const ofCaller = findSpace(answer, own, limits.unreadBytes);
      if (answer.isRead && !ofCaller.isEnough) throw refuse(answer, "rate_limited");
      const others = [...held.difference(new Set(ofCaller.ended))];
      const inAll = findSpace(answer, others, limits.unreadBytesInAll);
      if (answer.isRead && !inAll.isEnough) throw refuse(answer, "service_unavailable");
      for (const ended of [...ofCaller.ended, ...inAll.ended]) breakOff(ended);
      held.add(answer);
      answer.completed.then(() => held.delete(answer));
    },
  };
}

interface Space {
  readonly ended: readonly SentAnswer[];
  /** True if the limit is kept without these, or no others are left. */
  readonly isEnough: boolean;
}

function refuse(
  { body }: SentAnswer,
  code: "rate_limited" | "service_unavailable",
): AppError {
  body.breakOff();
  const whose = code === "rate_limited" ? "of yours" : "of all callers";
  return new AppError(code, `Too many long answers ${whose} are not read yet: retry after 1 s`, {
    headers: { "retry-after": "1" },
  });
}
