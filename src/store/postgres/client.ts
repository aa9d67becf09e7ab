/**
 * One connection to the server, opened on demand and again after it broke.
 *
 * @module
 */
import { ConnectionCut } from "./connection_cut.ts";
import type { DriverOptions } from "./driver.ts";
import { isReadOnly } from "./failures.ts";
import { openLine, type PhysicalConnection } from "./physical_connection.ts";
import type { QueryResult, Session, Value } from "./query.ts";
import type { Servers } from "./servers.ts";
import type { Clock } from "./pending_replies.ts";

export interface ClientOptions {
  readonly servers: Servers;
  readonly driver: DriverOptions;
  readonly clock: Clock;
}

/** A session for single statements, or for one piece of work alone. */
export interface Client extends Session {
  /** Lends the connection to the work alone; once it is cut, all that is sent on it rejects. */
  hold<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** The connection; undefined unless it is open. */
  readonly line: PhysicalConnection | undefined;
  /** Closes the connection if nothing is under way on it. */
  renew(): void;
  close(): Promise<void>;
}

/**
 * INVARIANT: nothing is sent on a connection that is known to be closed. The driver would write it
 * to nothing, which throws where nobody can catch it, and its own transactions do so with their
 * ROLLBACK. It tells of a closed connection only by pool, so each is a pool of one, and a new one
 * after each cut: what was half written when the old one closed would be sent on it first.
 */
export function createClient({ servers, driver, clock }: ClientOptions): Client {
  let current: PhysicalConnection | undefined;
  let isHeld = false;
  const forget = (line: PhysicalConnection): void => {
    if (current === line) current = undefined;
  };
  const open = (): PhysicalConnection => openLine({ servers, driver, clock, onEnd: forget });
  return {
    send: (text, values) => (current ??= open()).send(text, values),
    async hold(work) {
      isHeld = true;
      const line = current ??= open();
      try {
        return await lend(line, work);
      } catch (error) {
        // A database that may be written again is still read-only for who came before. A connection
        // that is new would be told the same.
        if (isReadOnly(error) && clock.now > line.born) line.cut(error);
        throw error;
      } finally {
        isHeld = false;
      }
    },
    get line() {
      return current;
    },
    renew() {
      if (isHeld || current?.since !== undefined) return;
      current?.cut(new ConnectionCut("Another connection to the database is silent"));
    },
    close: async () => await current?.end(),
  };
}

async function lend<T>(
  line: PhysicalConnection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const reserved = await line.reserve();
  try {
    return await work(createHeldSession((text, values) => line.send(text, values, reserved)));
  } finally {
    if (!line.isCut) reserved.release();
  }
}

function createHeldSession(send: Session["send"]): Session {
  let failure: unknown;
  const attempt = async (text: string, values: readonly Value[]): Promise<QueryResult> => {
    try {
      return await send(text, values);
    } catch (error) {
      // Statements after a failed one are refused because of it.
      throw failure ??= error;
    }
  };
  return {
    send: (text, values) => {
      const answer = attempt(text, values);
      // A caller that sends several statements at once looks only at the first failure.
      answer.catch(() => {});
      return answer;
    },
  };
}
