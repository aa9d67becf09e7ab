/**
 * The service under test, and a client for it.
 *
 * @module
 */
import { baseUrl, mint, rectoArgs, rectoEnv, startProcess } from "../processes.ts";
import { freePort } from "../../support/ports.ts";
import { ALL_SCOPES } from "../../support/app.ts";

export interface Service extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** Sends `METHOD /path`. */
  ask(route: string, body?: unknown, contentType?: string): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  /** Bytes of the body. */
  readonly size: number;
  // deno-lint-ignore no-explicit-any -- a benchmark reads into answers freely
  readonly json: () => any;
}

/** Starts the service on this data folder. */
export async function startService(dataDir: string): Promise<Service> {
  const port = freePort();
  const child = await startProcess(rectoArgs(dataDir), { port, env: rectoEnv(port, dataDir) });
  const token = await mint(dataDir, ALL_SCOPES);
  const authorization = `Bearer ${token}`;
  return {
    port,
    pid: child.pid,
    ask: async (route, body, contentType = "application/json") => {
      const [method = "", path = ""] = route.split(" ");
      const response = await fetch(`${baseUrl(port)}${path}`, {
        method,
        headers: { authorization, "content-type": contentType },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        size: bytes.length,
        json: () => JSON.parse(new TextDecoder().decode(bytes)),
      };
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
