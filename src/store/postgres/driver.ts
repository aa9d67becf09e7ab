/**
 * Options of the PostgreSQL driver.
 *
 * @module
 */
import type { Socket } from "node:net";
import type postgres from "postgres";

export type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * Settings of each connection. The time limits keep a lock or a stopped process from blocking
 * others.
 */
const SETTINGS = {
  application_name: "recto",
  statement_timeout: 25_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // Statements are written for their indexes. The planner overestimates how many children a row
  // has, and would scan the whole table for them.
  enable_seqscan: "off",
  // Reuses one plan for all values: a statement with a list would otherwise be planned at each
  // call.
  plan_cache_mode: "force_generic_plan",
  // Compiling a statement takes longer than running it.
  jit: "off",
};

// Explicit values for everything that the driver would otherwise read from environment variables.
const EXPLICIT = {
  sslnegotiation: null,
  idle_timeout: 0,
  connect_timeout: 4,
  max_lifetime: null,
  max_pipeline: 100,
  backoff: () => 0,
  keep_alive: 30,
  prepare: true,
  debug: false,
  // Needed even without custom types: the driver never reserves a new connection otherwise.
  fetch_types: true,
  publications: "",
  target_session_attrs: undefined,
};

// The driver reads the catalog on every new connection, and callers cannot catch errors of that
// query. Without this handler, destroying the connection meanwhile would end the process.
globalThis.addEventListener("unhandledrejection", (event) => {
  const { query }: { readonly query?: unknown } = Object(event.reason);
  if (typeof query === "string" && query.includes("b.typarray")) event.preventDefault();
});

/**
 * Returns the options of connections to this server; `sslmode` is `prefer` unless the URL sets it.
 */
export function driverOptions(url: string): DriverOptions {
  const { password, searchParams } = new URL(url);
  const sslmode = searchParams.get("sslmode") ?? "prefer";
  return {
    ...EXPLICIT,
    // A function, because the driver replaces an empty string by an environment variable.
    password: () => decodeURIComponent(password),
    // Sound because the configuration only accepts the driver's modes.
    ssl: sslmode === "disable" ? false : sslmode as "prefer",
    connection: SETTINGS,
    types: {
      // Times and counts: far below 2^53.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      bytea: {
        to: 17,
        from: [17],
        serialize: (bytes: Uint8Array) => `\\x${bytes.toHex()}`,
        parse: (text: string) => Uint8Array.fromHex(text.slice("\\x".length)),
      },
    },
    onnotice: () => {},
  };
}

/**
 * Returns options for a single connection over our own socket, an option that the driver's types
 * lack.
 */
export function overSocket(options: DriverOptions, socket: () => Promise<Socket>): DriverOptions {
  const single = { ...options, max: 1, socket };
  return single;
}
