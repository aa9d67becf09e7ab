/**
 * Files that pass through the service to a bucket: whole, in parts, and broken off.
 *
 * @module
 */
import { createRelay } from "../../src/files/s3/relay.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const MIB = 1024 ** 2;

/** A bucket that keeps what it is sent, and the uploads in parts that are under way. */
async function withBucket(
  test: (bucket: {
    readonly endpoint: string;
    readonly objects: Map<string, Uint8Array>;
    readonly open: Map<string, Map<number, Uint8Array>>;
    readonly types: Map<string, string>;
  }) => Promise<void>,
  { failures = 0 }: { readonly failures?: number } = {},
): Promise<void> {
  let left = failures;
  const objects = new Map<string, Uint8Array>();
  const types = new Map<string, string>();
  const open = new Map<string, Map<number, Uint8Array>>();
  const respond = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const body = await request.bytes();
    const id = searchParams.get("uploadId");
    if (searchParams.has("uploads")) {
      types.set(pathname, request.headers.get("content-type") ?? "");
      open.set("u&1", new Map());
      return new Response("<Result><UploadId>u&amp;1</UploadId></Result>");
    }
    if (id === null) {
      types.set(pathname, request.headers.get("content-type") ?? "");
      objects.set(pathname, body);
      return new Response();
    }
    const parts = open.get(id);
    if (parts === undefined) return new Response(null, { status: 404 });
    if (request.method === "PUT") {
      if (left-- > 0) return new Response(null, { status: 503 });
      parts.set(Number(searchParams.get("partNumber")), body);
      return new Response(null, { headers: { etag: `"e${searchParams.get("partNumber")}"` } });
    }
    open.delete(id);
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    const listed = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)/g)];
    const all = listed.map(([, number]) => parts.get(Number(number)) ?? new Uint8Array());
    objects.set(pathname, new Uint8Array(await new Blob(all as BlobPart[]).arrayBuffer()));
    return new Response("<Done/>");
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, respond);
  try {
    const endpoint = `http://127.0.0.1:${server.addr.port}`;
    await test({ endpoint, objects, open, types });
  } finally {
    await server.shutdown();
  }
}

function relayTo(endpoint: string) {
  return createRelay({
    endpoint,
    bucket: "b",
    region: "us-east-1",
    keyId: "k",
    secret: "s",
    sessionToken: undefined,
    isVirtualHost: false,
  }, Date.now);
}

/** Chunks of uneven lengths, with `size` bytes in all. */
async function* chunks(size: number, failAt = Infinity): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += 700_001) {
    if (at > failAt) throw new Error("The client broke off");
    const length = Math.min(700_001, size - at);
    yield Uint8Array.from({ length }, (_, index) => (at + index) % 251);
  }
}

for (const size of [0, 5, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 17 * MIB]) {
  Deno.test(`a file of ${size} bytes is stored whole`, () =>
    withBucket(async ({ endpoint, objects, open, types }) => {
      const object = { key: "w/u/content", contentType: "text/plain", chunks: chunks(size) };
      assertEquals(await relayTo(endpoint)(object), size);
      const stored = objects.get("/b/w/u/content");
      assertEquals(stored?.length, size);
      assertEquals(stored?.every((byte, index) => byte === index % 251), true);
      assertEquals([open.size, types.get("/b/w/u/content")], [0, "text/plain"]);
    }));
}

Deno.test("a part that the bucket refuses is sent again", () =>
  withBucket(async ({ endpoint, objects, open }) => {
    const object = { key: "w/u/content", contentType: "a/b", chunks: chunks(17 * MIB) };
    assertEquals(await relayTo(endpoint)(object), 17 * MIB);
    const stored = objects.get("/b/w/u/content");
    assertEquals(stored?.every((byte, index) => byte === index % 251), true);
    assertEquals([stored?.length, open.size], [17 * MIB, 0]);
  }, { failures: 2 }));

Deno.test("of a file that breaks off nothing stays in the bucket", () =>
  withBucket(async ({ endpoint, objects, open }) => {
    const broken = chunks(20 * MIB, 10 * MIB);
    const object = { key: "w/u/content", contentType: "a/b", chunks: broken };
    await assertRejects(() => relayTo(endpoint)(object), Error, "The client broke off");
    assertEquals([objects.size, open.size], [0, 0]);
  }));

Deno.test("a bucket that is out of reach is an error of the service without secrets", async () => {
  const object = { key: "k", contentType: "a/b", chunks: chunks(5) };
  const error = await assertRejects(() => relayTo("http://127.0.0.1:1")(object), AppError);
  assertEquals([error.code, error.message], [
    ...["service_unavailable", "File storage is unreachable: try again"],
  ]);
  assertEquals(String(error.cause).includes("Signature"), false);
});
