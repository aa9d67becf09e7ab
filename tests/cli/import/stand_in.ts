/**
 * A stand-in for the vendor: the `/v1` of an app, behind a proxy that fails at chosen requests and
 * lets the URLs of files expire.
 *
 * @module
 */
import { ORIGIN, type TestApp } from "../../support/app.ts";

/** Origin of the stand-in. */
export const VENDOR = "http://vendor.test";

/** As if the process had ended: nothing is tried again. */
class Killed extends Error {}

export interface StandIn {
  /** Sends requests to the stand-in, and all others to the target. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Returns the number of requests to the stand-in so far. */
  requests(): number;
  /** Returns how often a file was refused because its URL had expired. */
  expired(): number;
  /** From now on, every so many requests get 429, 500, no answer, or half of one. */
  disturb(): void;
  /** After so many requests to either side, nothing is answered any more; 0 ends that. */
  killAfter(requests: number): void;
  /** Replaces a text in all replies, as if the vendor had answered so. */
  rewrite(text: string, replacement: string): void;
  /** URLs of files expire after so many requests. */
  expireAfter(requests: number): void;
}

/** Creates a stand-in that serves a source. */
export function createStandIn(source: TestApp, target: TestApp): StandIn {
  let requests = 0;
  let expired = 0;
  let disturbed = false;
  let life = Infinity;
  let left = Infinity;
  const rewritten = new Map<string, string>();
  const answer = async (request: Request): Promise<Response> => {
    requests++;
    const url = new URL(request.url);
    if (url.pathname.startsWith("/files/")) return await sendFile(url);
    const fault = disturbed ? faultOf(requests) : undefined;
    if (fault !== undefined) return await fault();
    const body = request.body === null ? {} : { body: await request.text() };
    const { method, headers } = request;
    const init = { method, headers, ...body };
    const response = await source.send(new Request(ORIGIN + url.pathname + url.search, init));
    let text = await response.text();
    for (const [from, to] of rewritten) text = text.replaceAll(from, to);
    return new Response(text.replaceAll(FILE_URL, (file) => `${file}&issued=${requests}`), {
      status: response.status,
    });
  };
  const sendFile = (url: URL): Promise<Response> => {
    const issued = Number(url.searchParams.get("issued"));
    url.searchParams.delete("issued");
    if (requests - issued <= life) {
      return source.send(new Request(ORIGIN + url.pathname + url.search));
    }
    expired++;
    return Promise.resolve(new Response("expired", { status: 403 }));
  };
  return {
    async fetch(request) {
      if (left-- <= 0) throw new Killed();
      const isSource = request.url.startsWith(VENDOR);
      return await (isSource ? answer(request) : target.send(request));
    },
    requests: () => requests,
    expired: () => expired,
    disturb: () => void (disturbed = true),
    killAfter: (count) => void (left = count === 0 ? Infinity : count),
    rewrite: (text, replacement) => void rewritten.set(text, replacement),
    expireAfter: (count) => void (life = count),
  };
}

const FILE_URL = new RegExp(`${ORIGIN}/files/content/[^"]*(?=")`, "g");

/** Returns the fault of a request, by its number. */
function faultOf(number: number): (() => Promise<Response>) | undefined {
  if (number % 7 === 0) return () => Promise.resolve(reply(429, { "retry-after": "2" }));
  if (number % 11 === 0) return () => Promise.resolve(reply(500));
  if (number % 13 === 0) return () => Promise.reject(new DOMException("late", "TimeoutError"));
  if (number % 17 === 0) return () => Promise.resolve(broken());
  return undefined;
}

function reply(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ code: "x", message: "x" }), { status, headers });
}

/** A response that breaks off. */
function broken(): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"object":'));
      controller.error(new TypeError("connection reset"));
    },
  });
  return new Response(body);
}
