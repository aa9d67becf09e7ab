/**
 * What tests of the PostgreSQL adapter share.
 *
 * @module
 */
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { makeSchema } from "../support/stores.ts";

/** Runs work on connections to an empty schema. */
export async function withSchema(
  work: (connection: Connection, url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.env.get("TEST_DATABASE_URL");
  if (server === undefined) throw new Error("TEST_DATABASE_URL names no server");
  const url = await makeSchema(server, `s${crypto.randomUUID().replaceAll("-", "")}`);
  const connection = openConnection({ url, size: 4 });
  try {
    await work(connection, url);
  } finally {
    await connection.close();
  }
}
