/**
 * Files on other servers, which the service fetches for a client.
 *
 * @module
 */

/** A file that is being fetched. */
export interface OpenedSource {
  readonly contentType: string | undefined;
  /** Each chunk may be kept. Throws {@linkcode SourceError} if the server breaks off. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface FileSources {
  /** Returns what is wrong with a URL, to complete "should be"; undefined if it may be fetched. */
  expectationOf(url: string): string | undefined;
  /** Opens a file. Rejects with {@linkcode SourceError}. */
  open(url: string, signal: AbortSignal): Promise<OpenedSource>;
}

/** Why a file could not be fetched, in words for the client. They do not tell of private networks. */
export class SourceError extends Error {
  override readonly name = "SourceError";

  constructor(
    message: string,
    /** Status of the response, if there was one. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Fetches a URL after checking the addresses of its host; follows no redirect. */
export type GuardedFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface FileSourceOptions {
  readonly fetch: GuardedFetch;
  /** Returns what is wrong with a URL whose host need not be resolved. */
  readonly expectationOf: FileSources["expectationOf"];
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Creates the access to other servers. Every redirect is checked like the first URL. */
export function createFileSources({ fetch, expectationOf }: FileSourceOptions): FileSources {
  return {
    expectationOf,
    async open(first, signal) {
      let url = first;
      for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
        const response = await request(fetch, url, signal);
        const next = locationOf(response, url);
        if (next === undefined) return opened(response);
        await response.body?.cancel();
        const expected = expectationOf(next);
        if (expected !== undefined) {
          throw new SourceError("The URL redirects to one that is refused");
        }
        url = next;
      }
      throw new SourceError("The URL redirects too often");
    },
  };
}

async function request(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", signal });
  } catch (cause) {
    throw new SourceError("The URL cannot be fetched", null, { cause });
  }
}

function locationOf({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get("location");
  if (!REDIRECTS.has(status) || location === null) return undefined;
  return URL.parse(location, url)?.href ?? location;
}

async function opened(response: Response): Promise<OpenedSource> {
  const { ok, status, body, headers } = response;
  if (!ok) {
    await body?.cancel();
    throw new SourceError(`The server of the URL responded with status ${status}`, status);
  }
  return { contentType: headers.get("content-type") ?? undefined, chunks: chunksOf(body) };
}

async function* chunksOf(body: Response["body"]): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk;
  } catch (cause) {
    throw new SourceError("The server of the URL broke off", null, { cause });
  }
}
