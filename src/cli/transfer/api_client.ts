/**
 * A client of the API: token, pages of lists, retries, idempotency keys and files.
 *
 * Every method rejects with {@linkcode ApiError} if the API refuses, after all attempts, and with
 * {@linkcode OperatorError} if the server cannot be reached. Methods may be called any number of
 * times in parallel: at most `parallel` requests are under way, and a `Retry-After` holds all of
 * them. Use `forEachParallel()` to bound what waits.
 *
 * ```ts
 * const api = createApiClient({ server: "http://127.0.0.1:8000", token });
 * const page = await api.post("/v2/pages", body, { key: "page 7" });
 * for await (const block of api.list(`/v2/blocks/${page.id}/children`)) …
 * ```
 *
 * @module
 */
import { type Channel, createChannel } from "./channel.ts";
import { isObject, type Json, type JsonObject, objectsAt, textAt } from "./json.ts";

export interface ApiClientOptions {
  /** Origin of the server. */
  readonly server: string;
  readonly token: string;
  /** Requests under way at a time (default: 8). */
  readonly parallel?: number;
  /** Sends a request; tests replace it. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits for milliseconds; tests replace it. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export interface WriteOptions {
  /**
   * Names the write: a second one with the same key, path and body changes nothing and gets the
   * first reply, for 24 hours. Without a key, only the retries of this call are safe.
   */
  readonly key?: string;
}

/** A file to upload. The bytes may be read several times. */
export interface FileSource {
  readonly name: string;
  /** Media type; `application/octet-stream` if unknown. */
  readonly contentType: string;
  readonly size: number;
  readonly open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

export interface ApiClient {
  readonly server: string;
  /** `parallel` of the options. */
  readonly parallel: number;
  /** Requests that were sent, with retries. */
  readonly requests: () => number;
  get(path: string): Promise<JsonObject>;
  /** POSTs a query that changes nothing. */
  ask(path: string, body: JsonObject): Promise<JsonObject>;
  post(path: string, body: JsonObject, options?: WriteOptions): Promise<JsonObject>;
  /** POSTs JSON Lines: the server does what all of them ask for, or nothing. */
  postLines(path: string, lines: readonly JsonObject[], options?: WriteOptions): Promise<void>;
  patch(path: string, body: JsonObject, options?: WriteOptions): Promise<JsonObject>;
  delete(path: string): Promise<JsonObject>;
  /** The items of a list, over all its pages; with a `body`, the list is POSTed for. */
  list(path: string, body?: JsonObject): AsyncGenerator<JsonObject>;
  /** Uploads a file; resolves to the ID that a `file_upload` names. */
  upload(file: FileSource, options?: WriteOptions): Promise<string>;
  /** Opens a file of this server by a URL of a response; the body is the caller's to read. */
  download(url: string): Promise<Response>;
}

/** The version of `/v1` that is in the form of `/v2`. */
const NOTION_VERSION = "2022-06-28";
const PARALLEL = 8;
/** Milliseconds until a response is there as a whole, and of a file, until its first byte is. */
const READ_TIME = 60_000;
/** The same for a write: it may change all rows of a database. */
const WRITE_TIME = 5 * 60_000;

/** A call of the API, whose body is small enough to be in memory. */
interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly type: string; readonly text: string } | undefined;
  readonly key: string | undefined;
}

/** Creates a client of the API. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { server, token, parallel = PARALLEL, fetch, sleep } = options;
  const channel = createChannel({ parallel, fetch, sleep });
  const authorization = { authorization: `Bearer ${token}` };
  const send = ({ method, path, body, key }: ApiCall) =>
    channel.send({
      method,
      url: server + path,
      headers: {
        ...authorization,
        ...(path.startsWith("/v1/") && { "notion-version": NOTION_VERSION }),
        ...(body !== undefined && { "content-type": body.type }),
        ...(key !== undefined && { "idempotency-key": quoted(key) }),
      },
      ...(body !== undefined && { body: () => Promise.resolve(body.text) }),
      timeLimit: key === undefined ? READ_TIME : WRITE_TIME,
      read: (response) => response.text(),
    });
  const json = async (method: string, path: string, value?: JsonObject, key?: string) => {
    const body = value && { type: "application/json", text: JSON.stringify(value) };
    return readObject(await send({ method, path, body, key }), `${method} ${path}`);
  };
  const write = (method: string) => (path: string, body: JsonObject, { key }: WriteOptions = {}) =>
    json(method, path, body, key ?? crypto.randomUUID());
  const client = {
    server,
    parallel,
    requests: channel.requests,
    get: (path: string) => json("GET", path),
    ask: (path: string, body: JsonObject) => json("POST", path, body),
    post: write("POST"),
    postLines: async (
      path: string,
      lines: readonly JsonObject[],
      { key = crypto.randomUUID() }: WriteOptions = {},
    ) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      await send({ method: "POST", path, body: { type: "application/jsonl", text }, key });
    },
    patch: write("PATCH"),
    delete: (path: string) => json("DELETE", path),
    download: (url: string) =>
      channel.send({
        method: "GET",
        url: fileUrl(url, server),
        headers: {},
        timeLimit: READ_TIME,
        read: (response) => Promise.resolve(response),
      }),
  };
  return {
    ...client,
    list: (path, body) => listItems(client, path, body),
    upload: (file, options) => uploadFile({ ...client, send: channel.send }, file, options),
  };
}

async function* listItems(
  { get, ask }: Pick<ApiClient, "get" | "ask">,
  path: string,
  body: JsonObject | undefined,
): AsyncGenerator<JsonObject> {
  let cursor: Json | undefined;
  do {
    const page = body === undefined
      ? await get(typeof cursor === "string" ? withCursor(path, cursor) : path)
      : await ask(path, { ...body, ...(cursor !== undefined && { start_cursor: cursor }) });
    yield* objectsAt(page, "results");
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
}

function withCursor(path: string, cursor: string): string {
  const separator = path.includes("?") ? "&" : "?";
  return `${path}${separator}start_cursor=${encodeURIComponent(cursor)}`;
}

/** Files up to this size are sent from memory. */
const SMALL_FILE = 8 * 1024 ** 2;

async function uploadFile(
  { post, server, send }: Pick<ApiClient, "post" | "server"> & Pick<Channel, "send">,
  { name, contentType, size, open }: FileSource,
  options: WriteOptions = {},
): Promise<string> {
  const announced = { filename: name, content_type: contentType, content_length: size };
  const upload = await post("/v2/files/upload-url", announced, options);
  const url = fileUrl(textAt(upload, "upload_url"), server);
  // Another store than the server's own does not take chunks of an unknown length.
  const isInMemory = size <= SMALL_FILE || !url.startsWith(`${server}/`);
  await send({
    method: "PUT",
    url,
    headers: { "content-type": contentType },
    body: async () => isInMemory ? await new Response(await open()).bytes() : await open(),
    // An earlier attempt has sent the bytes already.
    alsoGood: 409,
    timeLimit: undefined,
    read: (response) => response.text(),
  });
  return textAt(upload, "id");
}

/**
 * The server may be called under another origin than it has in its URLs, but its paths are the same.
 * All other URLs are of a store of files apart from the server.
 */
function fileUrl(url: string, server: string): string {
  const { pathname, search } = new URL(url);
  return /^\/files\/(?:content|upload)\//.test(pathname) ? server + pathname + search : url;
}

/** An `Idempotency-Key` is a string of structured fields: printable ASCII without quotes. */
function quoted(key: string): string {
  return `"${encodeURIComponent(key)}"`;
}

function readObject(text: string, route: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`${route}: the response is no JSON object`);
  return value;
}
