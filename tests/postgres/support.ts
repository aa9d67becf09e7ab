/**
 * Shared helpers of the PostgreSQL tests.
 *
 * @module
 */
import { type Connection, openConnection } from "../../src/store/postgres/connection.ts";
import { makeSchema } from "../support/stores.ts";

/** Runs work on connections to an empty schema. */
export async function withSchema(
  work: (connection: Connection, url: string) => Promise<void>,
): Promise<void> {
  const url = await makeSchema(serverUrl(), `s${crypto.randomUUID().replaceAll("-", "")}`);
  await connected(url, (connection) => work(connection, url));
}

/** Runs work on connections to an empty database created with these options. */
export async function withDatabase(
  options: string,
  work: (connection: Connection, url: string) => Promise<void>,
): Promise<void> {
  const name = `d${crypto.randomUUID().replaceAll("-", "")}`;
  const url = new URL(serverUrl());
  url.pathname = name;
  await connected(serverUrl(), async ({ session }) => {
    await session.send(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`, []);
    await connected(url.href, (connection) => work(connection, url.href));
    await session.send(`DROP DATABASE ${name}`, []);
  });
}

async function connected(
  url: string,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = openConnection({ url, size: 4 });
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

function serverUrl(): string {
  const server = Deno.env.get("TEST_DATABASE_URL");
  if (server === undefined) throw new Error("TEST_DATABASE_URL names no server");
  return server;
}
