/**
 * A server like S3: it takes objects whole and in parts, copies and lists them, and checks nothing.
 *
 * @module
 */
import { createHash } from "node:crypto";

export interface TestBucket extends AsyncDisposable {
  readonly endpoint: string;
  /** By path: `/bucket/key`. */
  readonly objects: Map<string, Uint8Array>;
  /** Parts of uploads under way, by upload ID. */
  readonly open: Map<string, Map<number, Uint8Array>>;
  /** Refuses requests from now on. */
  refuse(isRefused: (request: Request) => boolean): void;
}

/** Objects of a page of a list. */
const PAGE = 2;

export function startBucket(): TestBucket {
  const objects = new Map<string, Uint8Array>();
  const open = new Map<string, Map<number, Uint8Array>>();
  let isRefused: (request: Request) => boolean = () => false;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.bytes();
      if (isRefused(request)) {
        return new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
      }
      return respond(request, body, { objects, open });
    },
  );
  return {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    objects,
    open,
    refuse: (next) => void (isRefused = next),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Runs a test with a server of its own. */
export async function withBucket(test: (bucket: TestBucket) => Promise<void>): Promise<void> {
  await using bucket = startBucket();
  await test(bucket);
}

type State = Pick<TestBucket, "objects" | "open">;

function respond(request: Request, body: Uint8Array, state: State): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (searchParams.has("list-type")) return list(pathname, searchParams, state);
  if (searchParams.has("uploads")) {
    const id = crypto.randomUUID();
    state.open.set(id, new Map());
    return new Response(`<Result><UploadId>${id}</UploadId></Result>`);
  }
  const source = request.headers.get("x-amz-copy-source");
  if (source !== null) {
    const copied = state.objects.get(source);
    if (copied === undefined) return new Response("<Error><Code>NoSuchKey</Code></Error>");
    state.objects.set(pathname, copied);
    return new Response("<CopyObjectResult/>");
  }
  const id = searchParams.get("uploadId");
  return id === null
    ? onObject(request.method, pathname, body, state)
    : onUpload(request, id, body, state);
}

function onObject(
  method: string,
  path: string,
  body: Uint8Array,
  { objects }: State,
): Response {
  if (method === "PUT") {
    objects.set(path, body);
    return new Response();
  }
  const object = objects.get(path);
  if (method === "DELETE") objects.delete(path);
  if (object === undefined) return new Response(null, { status: method === "DELETE" ? 204 : 404 });
  return method === "GET"
    ? new Response(new Uint8Array(object))
    : new Response(null, { headers: { "content-length": String(object.length) } });
}

function onUpload(
  request: Request,
  id: string,
  body: Uint8Array,
  { objects, open }: State,
): Response {
  const { pathname, searchParams } = new URL(request.url);
  const parts = open.get(id);
  if (parts === undefined) return new Response(null, { status: 404 });
  if (request.method === "PUT") {
    parts.set(Number(searchParams.get("partNumber")), body);
    return new Response(null, { headers: { etag: `"e${searchParams.get("partNumber")}"` } });
  }
  open.delete(id);
  if (request.method === "DELETE") return new Response(null, { status: 204 });
  const listed = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)/g)];
  const all = listed.map(([, number]) => parts.get(Number(number)) ?? new Uint8Array());
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  objects.set(pathname, whole);
  return new Response("<Done/>");
}

/** Lists the objects of a bucket by key, a few at a time. */
function list(path: string, query: URLSearchParams, { objects }: State): Response {
  const start = `${path}${query.get("prefix") ?? ""}`;
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(start) && key > after).sort();
  const contents = keys.slice(0, PAGE).map((key) => {
    const bytes = objects.get(key) ?? new Uint8Array();
    const tag = createHash("md5").update(bytes).digest("hex");
    return `<Contents><Key>${key.slice(path.length)}</Key><Size>${bytes.length}</Size>` +
      `<ETag>&quot;${tag}&quot;</ETag></Contents>`;
  });
  const next = keys.length > PAGE
    ? `<NextContinuationToken>${keys[PAGE - 1]}</NextContinuationToken>`
    : "";
  return new Response(`<ListBucketResult>${contents.join("")}${next}</ListBucketResult>`);
}
