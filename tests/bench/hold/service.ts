/**
 * The service under test, and a client for it.
 *
 * @module
 */
import { baseUrl, mint, rectoEnv, startProcess } from "../processes.ts";
import { freePort } from "../../support/ports.ts";
import { ALL_SCOPES } from "../../support/app.ts";
import { DENO_FLAGS } from "../../../src/config/processes.ts";
import { LOGGING, takeLongestTurn, TURN_LOG } from "./turns.ts";

export interface Service extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** Sends `METHOD /path`. */
  ask(route: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** The same, with a token of another workspace. */
  askElsewhere(route: string, body?: unknown): Promise<Answered>;
  /** Milliseconds of processor time of the longest turn of its event loop since the last call. */
  takeLongestTurn(): Promise<number>;
}

export interface Answered {
  readonly status: number;
  /** Bytes of the body. */
  readonly size: number;
  // deno-lint-ignore no-explicit-any -- a benchmark reads into answers freely
  readonly json: () => any;
}

/** Starts the service on this data folder. */
export async function startService(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Service> {
  const port = freePort();
  const log = `${dataDir}/turns.log`;
  const env = { ...rectoEnv(port, dataDir), ...settings, [TURN_LOG]: log };
  const child = await startProcess(["run", ...DENO_FLAGS, ...LOGGING, "main.ts"], { port, env });
  const asker = (token: string): Service["ask"] => async (route, body, headers) => {
    const [method = "", path = ""] = route.split(" ");
    const authorization = `Bearer ${token}`;
    const response = await fetch(`${baseUrl(port)}${path}`, {
      method,
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      status: response.status,
      size: bytes.length,
      json: () => JSON.parse(new TextDecoder().decode(bytes)),
    };
  };
  return {
    port,
    pid: child.pid,
    ask: asker(await mint(dataDir, ALL_SCOPES)),
    askElsewhere: asker(await mint(dataDir, ALL_SCOPES, "elsewhere")),
    takeLongestTurn: () => takeLongestTurn(log),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
