/**
 * A client of the API that a mirror reads: it keeps to a number of requests a second.
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

/** Creates a client; files are downloaded without the limit, because others serve them. */
export function createSourceClient({ rate, ...options }: SourceClientOptions): ApiClient {
  const send = options.fetch ?? fetch;
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  const pace = createPace(1_000 / rate, sleep);
  return createApiClient({
    ...options,
    fetch: async (request) => {
      if (request.url.startsWith(`${options.server}/v1/`)) await pace();
      return await send(request);
    },
  });
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
