import { createS3BlobStore } from "../../src/files/s3/blob_store.ts";
import { AppError } from "../../src/shared/errors.ts";
import type { Upload } from "../../src/content/values/uploads.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 12);

interface Bucket {
  /** The requests that it got: methods and addresses. */
  readonly asked: (readonly [method: string, url: string])[];
  status: number;
  readonly endpoint: string;
}

/** Runs work on a bucket that answers as it is told. */
async function withBucket(work: (bucket: Bucket) => Promise<void>): Promise<void> {
  const asked: (readonly [string, string])[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    asked.push([request.method, request.url]);
    return new Response(null, { status: bucket.status });
  });
  const bucket: Bucket = { asked, status: 200, endpoint: `http://127.0.0.1:${server.addr.port}` };
  try {
    await work(bucket);
  } finally {
    await server.shutdown();
  }
}

function shelfOf({ endpoint }: Pick<Bucket, "endpoint">, now = () => NOW) {
  return createS3BlobStore({
    endpoint,
    bucket: "files",
    region: "us-east-1",
    keyId: "key",
    secret: "secret",
    sessionToken: undefined,
    isVirtualHost: false,
    validity: 60 * MINUTE,
    now,
  });
}

/** Milliseconds since the epoch between which an address is valid. */
function spanOf(url: string): [from: number, to: number] {
  const { searchParams } = new URL(url);
  const date = (searchParams.get("X-Amz-Date") ?? "")
    .replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5");
  const from = Date.parse(date);
  return [from, from + Number(searchParams.get("X-Amz-Expires")) * 1_000];
}

const UPLOAD: Upload = {
  sourceUrl: null,
  failure: null,
  id: "u",
  status: "pending",
  parts: null,
  filename: null,
  contentType: null,
  contentLength: null,
  blob: null,
  hash: null,
  createdBy: "ann",
  createdTime: NOW,
  expiresTime: NOW + 60 * MINUTE,
  life: 60 * MINUTE,
};

Deno.test("requests to a bucket are valid for clocks that are half an hour off", () =>
  withBucket(async (bucket) => {
    await shelfOf(bucket).find("w", UPLOAD);
    const [from, to] = spanOf(bucket.asked[0]?.[1] ?? "");
    assertEquals([NOW - from, to - NOW], [30 * MINUTE, 30 * MINUTE]);
  }));

Deno.test("URLs of a bucket are valid from half an hour ago until their expiry", async () => {
  const blobs = shelfOf({ endpoint: "http://127.0.0.1:1" });
  const { url } = await blobs.uploadTarget("w", UPLOAD);
  assertEquals(spanOf(url), [NOW - 30 * MINUTE, NOW + 60 * MINUTE]);
  const file = { id: "u", filename: "a", contentType: "text/plain", blob: "b" };
  const read = await blobs.downloadUrl("w", file, NOW + 45 * MINUTE);
  assertEquals(spanOf(read), [NOW - 45 * MINUTE, NOW + 45 * MINUTE]);
});

Deno.test("no URL is signed for more than the week that S3 accepts", async () => {
  const blobs = shelfOf({ endpoint: "http://127.0.0.1:1" });
  const week = 7 * 24 * 60 * MINUTE;
  const { url } = await blobs.uploadTarget("w", { ...UPLOAD, life: week });
  assertEquals(spanOf(url), [NOW, NOW + week]);
});

Deno.test("ping() checks the bucket itself, and caches the result for some seconds", () =>
  withBucket(async (bucket) => {
    let now = NOW;
    const blobs = shelfOf(bucket, () => now);
    await blobs.ping();
    await blobs.ping();
    assertEquals(bucket.asked.map(([method, url]) => [method, new URL(url).pathname]), [
      ["HEAD", "/files/"],
    ]);
    for (const status of [403, 404, 500, 301]) {
      bucket.status = status;
      now += 5_000;
      const refused = await assertRejects(blobs.ping, AppError);
      assertEquals(refused.code, "service_unavailable");
      assertEquals(await assertRejects(blobs.ping, AppError), refused);
    }
    bucket.status = 200;
    now += 5_000;
    await blobs.ping();
    assertEquals(bucket.asked.length, 6);
  }));

Deno.test("ping() asks the bucket again after the clock was set back", () =>
  withBucket(async (bucket) => {
    let now = NOW;
    const blobs = shelfOf(bucket, () => now);
    await blobs.ping();
    bucket.status = 404;
    now -= 60 * MINUTE;
    assertEquals((await assertRejects(blobs.ping, AppError)).code, "service_unavailable");
    assertEquals(bucket.asked.length, 2);
  }));

Deno.test("ping() rejects if S3 is unreachable, and reveals no signature", async () => {
  const refused = await assertRejects(shelfOf({ endpoint: "http://127.0.0.1:1" }).ping, AppError);
  assert(!String(refused.cause).includes("X-Amz-Signature"), String(refused.cause));
});
