/**
 * A client of the API that a mirror reads: it keeps to a number of requests a second, and a response
 * that breaks off counts as none, so that it is asked for again.
 *
 * @module
 */
import {
  type ApiClient,
  type ApiClientOptions,
  createApiClient,
} from "../../transfer/api_client.ts";

export interface SourceClientOptions extends ApiClientOptions {
  /** Requests a second. */
  readonly rate: number;
}

/** Milliseconds until a response must be there as a whole. */
const RESPONSE_TIME = 60_000;

/** Creates a client; files are downloaded without the limit, because others serve them. */
export function createSourceClient({ rate, ...options }: SourceClientOptions): ApiClient {
  const send = options.fetch ?? fetch;
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  const pace = createPace(1_000 / rate, sleep);
  return createApiClient({
    ...options,
    fetch: async (request) => {
      if (!request.url.startsWith(`${options.server}/v1/`)) return await send(request);
      await pace();
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(RESPONSE_TIME)]);
      const { status, headers, ...response } = await whole(send(new Request(request, { signal })));
      return new Response(response.text, { status, headers });
    },
  });
}

async function whole(responding: Promise<Response>) {
  const response = await responding;
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns a function that resolves at most once in an interval of milliseconds. */
function createPace(
  interval: number,
  sleep: (time: number) => Promise<void>,
): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + interval;
    if (turn > now) await sleep(turn - now);
  };
}
