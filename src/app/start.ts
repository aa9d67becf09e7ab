/**
 * Starts the service from the environment.
 *
 * @module
 */
import { boot } from "./boot.ts";
import { ConfigError, type Environment, readConfig } from "../config/config.ts";
import { createLog } from "../shared/log.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";
import { startupBanner } from "./startup_banner.ts";

export interface Streams {
  /** Writes whole log lines; only the shutdown waits for it, for one second. */
  readonly stdout: (text: string) => Promise<void>;
  /** Writes messages for people. */
  readonly stderr: (text: string) => Promise<void>;
}

export interface Service extends Server {
  /** Reloads policy, document and shadow policy, and logs the outcome; never rejects. */
  reload(): Promise<void>;
}

/** Starts the service; rejects with `ConfigError` if anything is wrong. */
export async function start(environment: Environment, streams: Streams): Promise<Service> {
  const config = readConfig(environment);
  const log = createLog({ level: config.logLevel, write: streams.stdout, now: Date.now });
  for (const warning of config.warnings) log.event("warn", warning);
  const { app, publicUrl, reload } = await boot(config, log);
  const { stop } = listen({ ...config, app, log });
  log.event("info", "Listening", { host: config.host, port: config.port, url: publicUrl });
  // Not awaited: nobody may be reading.
  streams.stderr(startupBanner(config, publicUrl)).catch(() => {});
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    log.event("error", `Unhandled rejection: ${event.reason}`);
  });
  return {
    stop: async () => {
      log.event("info", "Stopping: waiting for requests in flight");
      await stop();
      log.event("info", "Stopped");
      await log.close();
    },
    reload: async () => log.event("info", `SIGHUP: policy ${await reload()}`),
  };
}

function listen(options: ServerOptions): Server {
  try {
    return startServer(options);
  } catch (error) {
    const { host, port } = options;
    throw new ConfigError([`Cannot listen on HOST=${host} PORT=${port}: ${error}`]);
  }
}
