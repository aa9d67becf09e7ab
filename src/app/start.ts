/**
 * From the environment to a service that listens.
 *
 * @module
 */
import { boot } from "./boot.ts";
import { ConfigError, type Environment, readConfig } from "../config/config.ts";
import { createLog } from "../shared/log.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";
import { startupBanner } from "./startup_banner.ts";

export interface Streams {
  /** Takes whole lines of the log; nothing waits for it but the end, and that for a second. */
  readonly stdout: (text: string) => Promise<void>;
  /** Takes what a person reads. */
  readonly stderr: (text: string) => Promise<void>;
}

export interface Service extends Server {
  /** Reads policy, document and candidate again, and logs what came of it; never rejects. */
  reload(): Promise<void>;
}

/** Starts the service; rejects with sentences for the operator where anything is amiss. */
export async function start(environment: Environment, streams: Streams): Promise<Service> {
  const config = readConfig(environment);
  const log = createLog({ level: config.logLevel, write: streams.stdout, now: Date.now });
  for (const warning of config.warnings) log.event("warn", warning);
  const { app, publicUrl, reload } = await boot(config, log);
  const { stop } = listen({ ...config, app, log });
  log.event("info", "Listening", { host: config.host, port: config.port, url: publicUrl });
  // A person who reads nothing holds up nobody.
  streams.stderr(startupBanner(config, publicUrl)).catch(() => {});
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    log.event("error", `Unhandled rejection: ${event.reason}`);
  });
  return {
    stop: async () => {
      log.event("info", "Stopping: requests in flight finish");
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
    throw new ConfigError([`HOST=${host} PORT=${port} cannot be listened on: ${error}`]);
  }
}
