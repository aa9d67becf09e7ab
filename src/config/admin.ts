/**
 * The port for operators.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

export interface AdminConfig {
  readonly host: string;
  readonly port: number;
}

/** Returns where operators are served; undefined if that is on the port of all others. */
export function adminOf(settings: Settings, issues: string[]): AdminConfig | undefined {
  const { RECTO_ADMIN_PORT: port, RECTO_ADMIN_HOST: host } = settings;
  if (port === undefined) {
    if (host !== undefined) issues.push("RECTO_ADMIN_PORT must be set if RECTO_ADMIN_HOST is");
    return undefined;
  }
  if (port === (settings.PORT ?? 8000)) {
    issues.push(`RECTO_ADMIN_PORT must be another port than PORT: "${port}"`);
  }
  return { host: host ?? "127.0.0.1", port };
}
