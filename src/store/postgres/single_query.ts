/**
 * A question on a connection of its own, which lasts no longer than its answer.
 *
 * @module
 */
import type { Socket } from "node:net";
import postgres from "postgres";
import { ConnectionCut } from "./connection_cut.ts";
import { type DriverOptions, overSocket } from "./driver.ts";
import type { QueryResult, Value } from "./query.ts";
import type { Servers } from "./servers.ts";

export interface SingleQuery {
  readonly server: Servers;
  readonly driver: DriverOptions;
  readonly text: string;
  readonly values?: readonly Value[];
  /** Milliseconds that the server has to answer it. */
  readonly limit: number;
}

/** Sends one query; rejects if no answer comes in time. */
export async function runSingleQuery(
  { server, driver, text, values = [], limit }: SingleQuery,
): Promise<QueryResult> {
  let socket: Socket | undefined;
  const connect = async (): Promise<Socket> => socket = await server.connect();
  const sql = postgres(server.url, overSocket({ ...driver, fetch_types: false }, connect));
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ConnectionCut("The database did not answer in time")),
    limit,
  );
  try {
    // Sound because the driver writes each of these as the type that the server says it wants.
    const parameters = [...values] as postgres.ParameterOrJSON<never>[];
    const answer: unknown = sql.unsafe(text, parameters).values().execute();
    return await Promise.race([answer as Promise<QueryResult>, late]); // rows as arrays
  } finally {
    clearTimeout(timer);
    await sql.end({ timeout: 0 });
    socket?.destroy();
  }
}
