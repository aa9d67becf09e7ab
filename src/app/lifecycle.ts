/**
 * Lines of the log that tell of the service: that it starts, is ready, drains and has stopped.
 *
 * @module
 */
import { authorityOf, type Config } from "../config/config.ts";
import type { Log } from "../shared/log.ts";
import { VERSION } from "./version.ts";

export interface Lifecycle {
  starting(): void;
  ready(publicUrl: string): void;
  draining(): void;
  stopped(): void;
}

const SECOND = 1_000;

/** Each line has the version and the digest of the settings, so that it can be read by itself. */
export function createLifecycle(config: Config, log: Log): Lifecycle {
  const { host, port, admin, database, processes, digest } = config;
  const began = performance.now();
  const same = { version: VERSION, config: digest };
  const since = () => Number(((performance.now() - began) / SECOND).toFixed(3));
  return {
    starting: () => {
      const files = config.files.s3 === undefined ? "disk" : "s3";
      const { deno } = Deno.version;
      log.event("info", "Starting", { ...same, deno, database: database.kind, files, processes });
    },
    ready: (url) =>
      log.event("info", "Ready", {
        ...same,
        address: authorityOf(host, port),
        url,
        ...(admin && { admin: authorityOf(admin.host, admin.port) }),
        seconds: since(),
      }),
    draining: () => log.event("info", "Draining: waiting for requests in flight", same),
    stopped: () => log.event("info", "Stopped", { ...same, seconds: since() }),
  };
}
