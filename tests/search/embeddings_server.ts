/**
 * A service of embeddings as they are, on a real socket, with what can go wrong at it.
 *
 * @module
 */

/** The faults that the next requests meet instead of an answer, each once and in order. */
export type Issue =
  | "429"
  | "429 date"
  | "429 late"
  | "400"
  | "401"
  | "413"
  | "422"
  | "500"
  | "503"
  | "slow"
  | "cut"
  | "garbage"
  | "endless"
  | "redirect"
  | "shuffled"
  | "no data"
  | "text for numbers"
  | "large numbers"
  | "one missing"
  | "too many dimensions"
  | "too many vectors"
  | "wrong dimensions"
  | "unequal dimensions";

export interface EmbeddingsRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface EmbeddingsServer {
  /** The base URL for clients, with `/v1`. */
  readonly url: string;
  readonly requests: readonly EmbeddingsRequest[];
  fail(...issues: readonly Issue[]): void;
  /** From now on refuses with 400 what has such a text in it. */
  refuse(isRefused: (text: string) => boolean): void;
  /** From now on answers with vectors of so many dimensions. */
  resize(dimensions: number): void;
}

const DIMENSIONS = 8;

/** Returns the vector of a text: a letter adds to the dimension of its code. */
export function vectorFor(text: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array(dimensions).fill(0.1);
  for (const letter of text) vector[(letter.codePointAt(0) ?? 0) % dimensions] += 1;
  return vector;
}

/** Runs a test beside such a service. */
export async function withEmbeddings(
  test: (server: EmbeddingsServer) => Promise<void>,
): Promise<void> {
  const requests: EmbeddingsRequest[] = [];
  const issues: Issue[] = [];
  const stalled = new AbortController();
  let dimensions = DIMENSIONS;
  let isRefused: (text: string) => boolean = () => false;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.json();
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, body });
      if (body.input.some(isRefused)) return new Response(null, { status: 400 });
      const issue = issues.shift();
      if (issue === undefined) return answering(entriesOf(body.input, dimensions));
      return await ANSWERS[issue](body.input, stalled.signal);
    },
  );
  try {
    const url = `http://127.0.0.1:${server.addr.port}/v1`;
    await test({
      url,
      requests,
      fail: (...more) => void issues.push(...more),
      refuse: (wanted) => isRefused = wanted,
      resize: (wanted) => dimensions = wanted,
    });
  } finally {
    stalled.abort();
    await server.shutdown();
  }
}

type Answer = (input: readonly string[], stalled: AbortSignal) => Response | Promise<Response>;

function answering(entries: readonly unknown[]): Response {
  return Response.json({ object: "list", data: entries, model: "small" });
}

function entriesOf(input: readonly string[], dimensions = DIMENSIONS): EmbeddingEntry[] {
  return input.map((text, index) => {
    return { object: "embedding", index, embedding: vectorFor(text, dimensions) };
  });
}

interface EmbeddingEntry {
  readonly object: "embedding";
  readonly index: number;
  readonly embedding: readonly number[];
}

function refusing(status: number, retryAfter?: string): Answer {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return () => Response.json({ error: { message: "no" } }, { status, headers });
}

const ANSWERS: Readonly<Record<Issue, Answer>> = {
  "429": refusing(429, "7"),
  "429 date": refusing(429, "Sat, 21 Nov 2026 12:00:42 GMT"),
  "429 late": refusing(429, "86400"),
  "400": refusing(400),
  "401": refusing(401),
  "413": refusing(413),
  "422": refusing(422),
  "500": refusing(500),
  "503": refusing(503),
  slow: (_, stalled) => {
    return new Promise((resolve) => {
      stalled.addEventListener("abort", () => resolve(new Response()), { once: true });
    });
  },
  cut: () => new Response(cutBody(), { headers: { "content-type": "application/json" } }),
  garbage: () => new Response('{"data": [', { headers: { "content-type": "application/json" } }),
  endless: () => new Response(endlessBody(), { headers: { "content-type": "application/json" } }),
  redirect: () => Response.redirect("http://127.0.0.1/elsewhere", 307),
  shuffled: (input) => answering(entriesOf(input).toReversed()),
  "no data": () => Response.json({ object: "list" }),
  "text for numbers": (input) => {
    return answering(input.map((_, index) => ({ index, embedding: ["1"] })));
  },
  "large numbers": (input) => {
    return answering(input.map((_, index) => ({ index, embedding: [1, 1e39] })));
  },
  "one missing": (input) => answering(entriesOf(input).slice(1)),
  "too many dimensions": (input) => answering(entriesOf(input, 10_000)),
  "too many vectors": (input) => answering(Array(33).fill(entriesOf(input)[0])),
  "wrong dimensions": (input) => answering(entriesOf(input, DIMENSIONS - 1)),
  "unequal dimensions": (input) => {
    return answering([...entriesOf(input).slice(0, -1), ...entriesOf(input, 3).slice(-1)]);
  },
};

/** Half an answer, then the connection breaks. */
function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"object": "list", "data": ['));
    },
    pull(controller) {
      controller.error(new Error("cut"));
    },
  });
}

/** White space, which a JSON text may begin with. */
function endlessBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
}
