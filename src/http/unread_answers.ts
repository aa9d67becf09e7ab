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
  /** Monotonic milliseconds when a piece was last asked for. */
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
   * `service_unavailable`, and for an answer to a write that of an earlier one is broken off.
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

  /** Returns whether there is space for an answer beside these. */
  function makeSpace(added: SentAnswer, others: readonly SentAnswer[], limit: number): boolean {
    let size = others.reduce((sum, { body }) => sum + body.length, added.body.length);
    const byLastRead = others.toSorted((a, b) => a.body.lastRead - b.body.lastRead);
    for (const other of byLastRead) {
      if (size <= limit) return true;
      const isSilent = now() - other.body.lastRead >= limits.unreadTime;
      if (!isSilent && added.isRead) return false;
      breakOff(other);
      size -= other.body.length;
    }
    return true;
  }

  return {
    hold(answer) {
      const own = [...held].filter(({ caller }) => caller === answer.caller);
      if (!makeSpace(answer, own, limits.unreadBytes)) throw refuse(answer, "rate_limited");
      if (!makeSpace(answer, [...held], limits.unreadBytesInAll)) {
        throw refuse(answer, "service_unavailable");
      }
      held.add(answer);
      answer.completed.then(() => held.delete(answer));
    },
  };
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
