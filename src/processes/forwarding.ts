/**
 * Passes requests from the other processes to the primary, over a Unix socket that only the owner of
 * the data folder can open.
 *
 * @module
 */
import type { Connection } from "../http/client_address.ts";
import type { HttpRequest } from "../http/request.ts";
import { AppError } from "../shared/errors.ts";

/** Field with a forwarded request, but for its body: proxies and clients would change the rest. */
const REQUEST_FIELD = "recto-request";

interface SentRequest {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly address: Deno.Addr | null;
}

/** Connects to the socket at `path`, which need not exist yet. */
export interface PrimaryClient {
  /** Passes a request on, and returns the response. */
  forward(request: HttpRequest, connection: Connection | undefined): Promise<Response>;
  /** Sends bytes to be handled by `ownCalls` of the primary, and returns the answer. */
  send(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
}

/** An address, because Deno looks up names even if it connects to a socket. */
const PRIMARY_URL = "http://127.0.0.1/";

export function createPrimaryClient(path: string): PrimaryClient {
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
  return {
    forward: async (request, connection) => {
      const sent: SentRequest = {
        url: request.url,
        headers: [...request.headers],
        address: connection?.remoteAddr ?? null,
      };
      const response = await ask(PRIMARY_URL, {
        client,
        method: request.method,
        headers: { [REQUEST_FIELD]: writeSent(sent) },
        body: request.body,
        redirect: "manual",
      });
      return response;
    },
    send: async (body) => {
      const response = await ask(PRIMARY_URL, { client, method: "POST", body });
      return await response.bytes();
    },
    close: () => client.close(),
  };
}

async function ask(
  url: string,
  init: RequestInit & { readonly client: Deno.HttpClient },
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw notReached(cause);
  }
}

/** The error for a request to which the primary does not respond: it may have been handled. */
export function notReached(cause: unknown): AppError {
  return new AppError(
    "service_unavailable",
    "Process that writes does not respond: try again, with an Idempotency-Key if it is a write",
    { headers: { "retry-after": "1" }, cause },
  );
}

/**
 * Fields are ASCII, and a server takes 64 KiB of them. In base64, a request with the longest URL and
 * fields has up to 57 KB, whatever their characters.
 */
function writeSent(sent: SentRequest): string {
  return new TextEncoder().encode(JSON.stringify(sent)).toBase64();
}

export interface PrimaryHandlers {
  readonly requests: (request: HttpRequest, connection: Connection) => Promise<Response>;
  readonly ownCalls: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Listens on the socket at `path`, in place of a primary that has ended. */
export function startPrimaryServer(
  path: string,
  { requests, ownCalls }: PrimaryHandlers,
): Deno.HttpServer {
  removeSocket(path);
  const server = Deno.serve({ path, automaticCompression: false, onListen: () => {} }, async (
    request,
    { completed },
  ) => {
    const sent = request.headers.get(REQUEST_FIELD);
    if (sent === null) return new Response(await ownCalls(await request.bytes()));
    const { url, headers, address } = parseSent(sent);
    const original: HttpRequest = {
      method: request.method,
      url,
      headers: new Headers(headers.map(([name, value]) => [name, value])),
      body: request.body,
    };
    const remoteAddr = address ?? { transport: "unix", path };
    return await requests(original, { remoteAddr, completed });
  });
  Deno.chmodSync(path, 0o600);
  return server;
}

/** Sound because only processes of this service can open the socket. */
function parseSent(field: string): SentRequest {
  return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(field)));
}

function removeSocket(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
