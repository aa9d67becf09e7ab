import { presign, type S3Bucket } from "../../src/files/s3/presign.ts";
import { assertEquals } from "../assert.ts";

/** The example that the vendor publishes for presigned addresses. */
const EXAMPLE: S3Bucket = {
  endpoint: "https://s3.amazonaws.com",
  bucket: "examplebucket",
  region: "us-east-1",
  keyId: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  sessionToken: undefined,
  isVirtualHost: true,
};
const GET = {
  method: "GET",
  key: "test.txt",
  from: Date.UTC(2013, 4, 24),
  seconds: 86_400,
} as const;

Deno.test("presign() signs the published example as published", async () => {
  const url = new URL(await presign(EXAMPLE, GET));
  assertEquals(url.origin + url.pathname, "https://examplebucket.s3.amazonaws.com/test.txt");
  assertEquals(Object.fromEntries(url.searchParams), {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
    "X-Amz-Date": "20130524T000000Z",
    "X-Amz-Expires": "86400",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  });
});

Deno.test("presign() puts the bucket into the path or the host, and adds a session token if there is one", async () => {
  const endpoint = "http://127.0.0.1:9000";
  const path = new URL(await presign({ ...EXAMPLE, endpoint, isVirtualHost: false }, GET));
  assertEquals(path.href.split("?")[0], "http://127.0.0.1:9000/examplebucket/test.txt");
  const session = new URL(await presign({ ...EXAMPLE, sessionToken: "a+b/c=" }, GET));
  assertEquals(session.searchParams.get("X-Amz-Security-Token"), "a+b/c=");
  assertEquals(session.searchParams.get("X-Amz-SignedHeaders"), "host");
});

Deno.test("presign() is deterministic, and depends on the time", async () => {
  const first = await presign(EXAMPLE, GET);
  assertEquals(await presign(EXAMPLE, GET), first);
  assertEquals(await presign(EXAMPLE, { ...GET, from: GET.from + 1_000 }) === first, false);
});
