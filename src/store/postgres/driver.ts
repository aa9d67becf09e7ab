/**
 * How the driver is set up.
 *
 * @module
 */
import type { Socket } from "node:net";
import type postgres from "postgres";

export type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** What the server is told of each connection: no lock and no stopped process may hold others up. */
const SETTINGS = {
  application_name: "recto",
  statement_timeout: 25_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // Statements are written for their indexes. The planner thinks that every row has as many children
  // as the average node that has any, and would look for those of one in the whole table.
  enable_seqscan: "off",
  // Once for all values, then: a statement with a list would else be planned each time that it is run.
  plan_cache_mode: "force_generic_plan",
  // Compiling a statement takes longer than running it.
  jit: "off",
};

// Everything that the driver would else take from its own environment variables.
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
  // Not only for types: without this look at the catalogue the driver never lends a new connection.
  fetch_types: true,
  publications: "",
  target_session_attrs: undefined,
};

// On every new connection the driver reads the catalogue by itself, and no caller can catch errors of
// that. A connection that is destroyed in the meantime would end the process.
globalThis.addEventListener("unhandledrejection", (event) => {
  const { query }: { readonly query?: unknown } = Object(event.reason);
  if (typeof query === "string" && query.includes("b.typarray")) event.preventDefault();
});

/** Options of connections to this server; `sslmode` is `prefer` unless the URL sets it. */
export function driverOptions(url: string): DriverOptions {
  const { password, searchParams } = new URL(url);
  const sslmode = searchParams.get("sslmode") ?? "prefer";
  return {
    ...EXPLICIT,
    // A function, because an empty password would be looked for elsewhere.
    password: () => decodeURIComponent(password),
    // Sound because the configuration takes no other modes than the driver.
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

/** One connection, over a socket of ours; the driver takes one, though its types do not say so. */
export function overSocket(options: DriverOptions, socket: () => Promise<Socket>): DriverOptions {
  const single = { ...options, max: 1, socket };
  return single;
}
