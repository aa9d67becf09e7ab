/**
 * Another judge of the contract: with `PRISM_PROXY` set, calls go through that checking proxy to the
 * app of the test, which then listens where the proxy looks for it.
 *
 * @module
 */
import type { Handler } from "../../src/http/pipeline.ts";

export interface Proxied extends AsyncDisposable {
  /** Calls by way of the proxy. */
  call(request: Request): Promise<Response>;
}

/** What the proxy found, as a line of `PRISM_FOUND`. */
export interface Finding {
  readonly route: string;
  readonly status: number;
  readonly violations: readonly { readonly location: readonly string[] }[];
}

const proxy = read("PRISM_PROXY");

function read(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

/** Names the app that a call is meant for: several share the one place where the proxy looks. */
const APP = "x-app";
const handlers = new Map<string, Handler>();
let server: Deno.HttpServer | undefined;

/** The way through the proxy to a handler; undefined where no proxy is set. */
export function openProxied(handler: Handler): Proxied | undefined {
  if (proxy === undefined) return undefined;
  const name = crypto.randomUUID();
  handlers.set(name, handler);
  const port = Number(read("PRISM_UPSTREAM_PORT"));
  server ??= Deno.serve(
    { hostname: "127.0.0.1", port, automaticCompression: false, onListen: () => {} },
    dispatch,
  );
  return {
    call: async (request) =>
      isDocumented(request) ? await callThrough(proxy, request, name) : await handler(request),
    [Symbol.asyncDispose]: async () => {
      handlers.delete(name);
      if (handlers.size > 0) return;
      const idle = server;
      server = undefined;
      await idle?.shutdown();
    },
  };
}

function dispatch(request: Request): Response | Promise<Response> {
  const headers = new Headers(request.headers);
  const handler = handlers.get(headers.get(APP) ?? "");
  headers.delete(APP);
  return handler?.(new Request(request, { headers })) ?? new Response(null, { status: 502 });
}

/** Routes for operators are not in the document, and of HEAD OpenAPI says nothing of its own. */
function isDocumented({ method, url }: Request): boolean {
  return method !== "HEAD" && new URL(url).pathname.startsWith("/v2/");
}

async function callThrough(proxy: string, request: Request, name: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  // It cannot decode zstd, and would weaken what it decodes.
  headers.set("accept-encoding", "identity");
  headers.set(APP, name);
  const body = request.body === null ? null : await request.arrayBuffer();
  const response = await fetch(`${proxy}${pathname}${search}`, {
    method: request.method,
    headers,
    body,
    redirect: "manual",
  });
  const violations = JSON.parse(response.headers.get("sl-violations") ?? "[]");
  const route = `${request.method} ${pathname}`;
  const finding: Finding = { route, status: response.status, violations };
  const line = `${JSON.stringify(finding)}\n`;
  await Deno.writeTextFile(read("PRISM_FOUND") ?? "", line, { append: true });
  return response;
}
