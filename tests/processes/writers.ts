/**
 * Clients that write through all processes, whatever becomes of one of them.
 *
 * @module
 */
import { assert } from "../assert.ts";
import { paragraph } from "../api/driver.ts";
import { callOnce, type GroupProcess } from "./service.ts";

const WRITERS = 12;

/** A caller for the helpers of the API's tests. */
export function callerOf(service: GroupProcess) {
  return {
    call: async (route: string, { body }: { readonly body?: unknown } = {}) => {
      const answer = await callOnce(service, route, body ? { body: Object(body) } : {});
      return { ...answer, json: JSON.parse(answer.text) };
    },
  };
}

export interface Writers {
  /** Resolves once so many more writes are acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<readonly string[]>;
}

/** Lets clients append blocks; each repeats a write under its key until it is acknowledged. */
export function startWriters(service: GroupProcess, page: string): Writers {
  const written: string[] = [];
  let isStopped = false;
  const append = async (name: string) => {
    try {
      const response = await fetch(`${service.origin}/v2/blocks/${page}/children`, {
        method: "PATCH",
        headers: { ...service.headers, "idempotency-key": name },
        body: JSON.stringify({ children: [paragraph(name)] }),
      });
      await response.body?.cancel();
      assert(response.status === 200 || response.status === 503, `${response.status}`);
      return response.status === 200;
    } catch {
      // The process that had the connection has ended.
      return false;
    }
  };
  const writer = async (_: unknown, index: number) => {
    for (let number = 0; !isStopped; number++) {
      const name = `${index}-${number}`;
      while (!await append(name)) await rest(10);
      written.push(name);
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    more: async (count) => {
      const enough = written.length + count;
      while (written.length < enough) await rest(5);
    },
    stop: async () => {
      isStopped = true;
      await writers;
      return written;
    },
  };
}

/** Waits so many milliseconds. */
export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
