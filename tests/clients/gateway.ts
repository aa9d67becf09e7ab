/**
 * A proxy between the clients and the server: it writes down each request and its answer.
 *
 * @module
 */

export interface Recorded {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** `Notion-Version` as it was sent. */
  readonly version: string | null;
  readonly status: number;
  /** The body, if it is JSON. */
  readonly answer?: unknown;
}

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly exchanges: readonly Recorded[];
}

/** Members of a request that belong to one connection. */
const HOPS = ["host", "connection", "keep-alive", "transfer-encoding", "content-length", "expect"];

/** Serves on a port of its own, and passes everything on to `target`. */
export function openGateway(target: string): Gateway {
  const exchanges: Recorded[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = Deno.serve(options, async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of HOPS) headers.delete(name);
    headers.set("accept-encoding", "identity");
    // The clients' URLs lead back to this proxy.
    headers.set("x-forwarded-host", request.headers.get("host") ?? "");
    const response = await fetch(`${target}${pathname}${search}`, {
      method: request.method,
      headers,
      redirect: "manual",
      ...(request.body && { body: await request.bytes() }),
    });
    const bytes = await response.bytes();
    exchanges.push({
      method: request.method,
      path: `${pathname}${search}`,
      version: request.headers.get("notion-version"),
      status: response.status,
      ...readJson(response, bytes),
    });
    const { status } = response;
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: response.headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    exchanges,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function readJson({ headers }: Response, bytes: Uint8Array): Pick<Recorded, "answer"> {
  if (!headers.get("content-type")?.includes("json")) return {};
  return { answer: JSON.parse(new TextDecoder().decode(bytes)) };
}
