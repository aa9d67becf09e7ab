/**
 * One connection to the server, opened when it is needed and again when it broke.
 *
 * @module
 */
import postgres from "postgres";
import { driverOptions } from "./driver.ts";
import { isPrepared } from "./prepared.ts";
import type { Answer, Session, Value } from "./query.ts";

/** Statements by themselves, or all of them for one piece of work. */
export interface Client extends Session {
  /** Lends the connection to the work alone; once it is cut, all that is sent on it rejects. */
  hold<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Says that the connection broke while it was held. */
export class ConnectionCut extends Error {
  override name = "ConnectionCut";
}

/** Seconds that statements under way have at the end. */
const CLOSING_TIME = 5;

type Reserved = Awaited<ReturnType<postgres.Sql["reserve"]>>;

/**
 * INVARIANT: nothing is sent on a connection that is known to be closed. The driver would write it
 * to nothing, which throws where nobody can catch it, and its own transactions do so with their
 * ROLLBACK. It tells of a closed connection only by pool, so each is a pool of one, and a new one
 * after each cut: what was half written when the old one closed would be sent on it first.
 */
export function createClient(url: string): Client {
  const options = driverOptions(url);
  let current: postgres.Sql | undefined;
  let onCut: (() => void) | undefined;
  const open = (): postgres.Sql => {
    const onclose = (): void => {
      if (current !== sql) return;
      current = undefined;
      onCut?.();
      void sql.end({ timeout: CLOSING_TIME });
    };
    const sql = postgres(url, { ...options, max: 1, onclose });
    return sql;
  };
  return {
    send: (text, values) => send(current ??= open(), text, values),
    async hold(work) {
      const reserved = await (current ??= open()).reserve();
      const { session, cut, isCut } = createHeldSession(reserved);
      onCut = cut;
      try {
        return await work(session);
      } finally {
        onCut = undefined;
        if (!isCut()) reserved.release();
      }
    },
    close: async () => await current?.end({ timeout: CLOSING_TIME }),
  };
}

interface HeldSession {
  readonly session: Session;
  readonly isCut: () => boolean;
  /** Rejects what is under way and all that comes. */
  readonly cut: () => void;
}

function createHeldSession(reserved: Reserved): HeldSession {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => {});
  let isCut = false;
  let failure: unknown;
  const attempt = async (text: string, values: readonly Value[]): Promise<Answer> => {
    try {
      return await (isCut ? broken : Promise.race([send(reserved, text, values), broken]));
    } catch (error) {
      // What follows a failure is refused because of it.
      throw failure ??= error;
    }
  };
  return {
    session: {
      send: (text, values) => {
        const answer = attempt(text, values);
        // Who sends several statements at once looks at the first failure alone.
        answer.catch(() => {});
        return answer;
      },
    },
    isCut: () => isCut,
    cut: () => {
      isCut = true;
      reject(new ConnectionCut("The connection to the database was cut"));
    },
  };
}

/** Sends a statement; a text without values may be several. */
function send(sql: postgres.Sql, text: string, values: readonly Value[]): Promise<Answer> {
  // Sound because the driver writes each of these as the type that the server says it wants.
  const parameters = [...values] as postgres.ParameterOrJSON<never>[];
  const prepare = isPrepared(text);
  const sent: unknown = sql.unsafe(text, parameters, { prepare }).values().execute();
  return sent as Promise<Answer>; // rows as arrays, with the members that the driver adds to them
}
