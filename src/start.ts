/**
 * From the environment to a service that listens.
 *
 * @module
 */
import { boot } from "./boot.ts";
import { ConfigError, type Environment, readConfig } from "./config.ts";
import { createLog } from "./observe.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";
import { welcome } from "./welcome.ts";

export interface Streams {
  /** Takes whole lines of the log. */
  readonly log: (text: string) => void;
  /** Takes what a person reads. */
  readonly person: (text: string) => void;
}

export interface Service extends Server {
  /** Reads policy, document and candidate again, and logs what came of it; never rejects. */
  reload(): Promise<void>;
}

/** Starts the service; rejects with sentences for the operator where anything is amiss. */
export async function start(environment: Environment, streams: Streams): Promise<Service> {
  const config = readConfig(environment);
  const log = createLog({ level: config.logLevel, write: streams.log, now: Date.now });
  const { app, publicUrl, reload } = await boot(config, log);
  const { stop } = listen({ ...config, app, log });
  streams.person(welcome(config, publicUrl));
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    log.event("error", `Unhandled rejection: ${event.reason}`);
  });
  return { stop, reload: async () => log.event("info", `SIGHUP: policy ${await reload()}`) };
}

function listen(options: ServerOptions): Server {
  try {
    return startServer(options);
  } catch (error) {
    const { host, port } = options;
    throw new ConfigError([`HOST=${host} PORT=${port} cannot be listened on: ${error}`]);
  }
}
