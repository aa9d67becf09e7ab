/**
 * Where everything is kept.
 *
 * @module
 */
import type { Reader } from "./reader.ts";

export interface SqliteConfig {
  readonly kind: "sqlite";
  readonly path: string;
}

export interface PostgresConfig {
  readonly kind: "postgres";
  readonly url: string;
  /** Connections of this process. */
  readonly size: number;
}

const SSL_MODES = ["disable", "prefer", "require", "verify-full"];
const CONNECTIONS = { pattern: /^(?:[2-9]|[1-9]\d{1,2})$/, form: "a number from 2 to 999" };
const DATABASES = "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with " +
  `?sslmode= one of ${SSL_MODES.join(", ")}`;

/** Reads it; tells what is wrong with it. */
export function databaseOf(read: Reader, faults: string[]): SqliteConfig | PostgresConfig {
  const url = read.text("DATABASE_URL");
  const size = read.matching("DATABASE_CONNECTIONS", CONNECTIONS, Number) ?? 10;
  if (url !== undefined && isPostgresUrl(url)) return { kind: "postgres", url, size };
  const path = /^sqlite:(.+)$/.exec(url ?? "")?.[1];
  // Not shown, because it may hold a password.
  if (url !== undefined && path === undefined) faults.push(`DATABASE_URL must be ${DATABASES}`);
  return { kind: "sqlite", path: path ?? `${read.text("DATA_DIR") ?? ".data"}/recto.db` };
}

function isPostgresUrl(url: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^:@/?#]+(?::[^@/?#]*)?@[^@/?#]+\/[^/?#]+(?:\?[^#]*)?$/.test(url)) {
    return false;
  }
  const sslmode = URL.parse(url)?.searchParams.get("sslmode");
  return sslmode === null || SSL_MODES.some((mode) => mode === sslmode);
}
