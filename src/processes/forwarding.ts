/**
 * Passes requests from the other processes to the primary, over a Unix socket that only the owner of
 * the data folder can open.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Connection } from "../http/client_address.ts";
import type { HttpRequest } from "../http/request.ts";
import { AppError } from "../shared/errors.ts";

/** Fields with a forwarded request, but for its body: proxies and clients would change the rest. */
const SENT = { url: "recto-url", fields: "recto-fields", address: "recto-address" } as const;

interface SentRequest extends Pick<HttpRequest, "url" | "headers"> {
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
        headers: request.headers,
        address: connection?.remoteAddr ?? null,
      };
      const response = await ask(PRIMARY_URL, {
        client,
        method: request.method,
        headers: writeSent(sent),
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
 * A server takes 64 KiB of fields. The longest URL has 24 KB in UTF-8, and the longest fields 17 KB in
 * Latin-1, whatever their characters; in base64, that is 55 KB.
 */
function writeSent({ url, headers, address }: SentRequest): Record<string, string> {
  const lines = [...headers].map(([name, value]) => `${name}:${value}`).join("\n");
  return {
    [SENT.url]: Buffer.from(url).toString("base64"),
    [SENT.fields]: Buffer.from(lines, "latin1").toString("base64"),
    [SENT.address]: JSON.stringify(address),
  };
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
    if (!request.headers.has(SENT.url)) {
      return new Response(await ownCalls(await request.bytes()));
    }
    const { address, ...sent } = parseSent(request.headers);
    const original: HttpRequest = { ...sent, method: request.method, body: request.body };
    const remoteAddr = address ?? { transport: "unix", path };
    return await requests(original, { remoteAddr, completed });
  });
  Deno.chmodSync(path, 0o600);
  return server;
}

/** Sound because only processes of this service can open the socket. */
function parseSent(headers: Headers): SentRequest {
  const read = (name: string) => Buffer.from(headers.get(name) ?? "", "base64");
  const lines = read(SENT.fields).toString("latin1").split("\n").filter((line) => line !== "");
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1)];
  });
  return {
    url: read(SENT.url).toString(),
    headers: new Headers(fields),
    address: JSON.parse(headers.get(SENT.address) ?? "null"),
  };
}

function removeSocket(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
