/**
 * The database connection.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

export interface SqliteConfig {
  readonly kind: "sqlite";
  readonly path: string;
}

export interface PostgresConfig {
  readonly kind: "postgres";
  readonly url: string;
  /** Maximum number of connections of this process. */
  readonly size: number;
}

/** URL parameters with a fixed set of values. */
const CHOICES = {
  sslmode: ["disable", "prefer", "require", "verify-full"],
  target_session_attrs: ["any", "read-write"],
};
const DATABASES = "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, several HOST:PORT " +
  "with commas between, and with " +
  Object.entries(CHOICES).map(([name, words]) => `?${name}= one of ${words.join(", ")}`)
    .join(" and ");

/** Reads these settings, and adds what is wrong with them to `issues`. */
export function databaseOf(settings: Settings, issues: string[]): SqliteConfig | PostgresConfig {
  const url = settings.DATABASE_URL;
  const size = settings.RECTO_DATABASE_CONNECTIONS ?? 10;
  if (url !== undefined && isPostgresUrl(url)) return { kind: "postgres", url, size };
  const path = /^sqlite:(.+)$/.exec(url ?? "")?.[1];
  // The message does not quote the URL, because it may hold a password.
  if (url !== undefined && path === undefined) issues.push(`DATABASE_URL must be ${DATABASES}`);
  return { kind: "sqlite", path: path ?? `${settings.RECTO_DATA_DIR ?? ".data"}/recto.db` };
}

function isPostgresUrl(url: string): boolean {
  const [, start, hosts, end] =
    /^(postgres(?:ql)?:\/\/[^:@/?#]+(?::[^@/?#]*)?@)([^@/?#]+)(\/[^/?#]+(?:\?[^#]*)?)$/.exec(url) ??
      [];
  // `URL` does not support a list of hosts, so each host is checked in a URL of its own.
  return hosts !== undefined &&
    hosts.split(",").every((host) => host !== "" && hasChoices(`${start}${host}${end}`));
}

function hasChoices(url: string): boolean {
  const { searchParams } = URL.parse(url) ?? {};
  return searchParams !== undefined && Object.entries(CHOICES).every(([name, words]) => {
    const word = searchParams.get(name);
    return word === null || words.includes(word);
  });
}
