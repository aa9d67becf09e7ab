/**
 * Writes of processes that only read the database, such as noting a new user: the primary makes them.
 *
 * @module
 */
import { deserialize, serialize } from "node:v8";
import type { WriteRequest } from "../store/writing.ts";
import { fromErrorData, toErrorData } from "../shared/error_data.ts";

/** Executes one write. */
export type Write = (request: WriteRequest) => Promise<unknown>;

type Bytes = Uint8Array<ArrayBuffer>;

/** Makes writes in another process: `send` passes bytes to its {@linkcode createWriteHandler}. */
export function createRemoteWrite(send: (bytes: Bytes) => Promise<Bytes>): Write {
  return async (request) => {
    const outcome = deserialize(await send(toBytes(request)));
    if ("thrown" in outcome) throw fromErrorData(outcome.thrown);
    return outcome.value;
  };
}

/** Handles the bytes of a write; what the write throws is part of the answer. */
export function createWriteHandler(write: Write): (bytes: Bytes) => Promise<Bytes> {
  return async (bytes) => {
    try {
      return toBytes({ value: await write(deserialize(bytes)) });
    } catch (error) {
      return toBytes({ thrown: toErrorData(error) });
    }
  };
}

function toBytes(value: unknown): Bytes {
  return new Uint8Array(serialize(value));
}
