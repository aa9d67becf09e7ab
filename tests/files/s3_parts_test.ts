/**
 * Files that are sent through the service to a bucket in parts.
 *
 * @module
 */
import type { BlobStore } from "../../src/files/blob_store.ts";
import { createS3BlobStore } from "../../src/files/s3/blob_store.ts";
import { sweep } from "../../src/files/sweeper.ts";
import { assertEquals, assertMatch } from "../assert.ts";
import { type AnyJson, type NotionApp, V, withNotion } from "../notion/driver.ts";
import { type TestBucket, withBucket } from "../support/bucket.ts";

const HOUR = 3_600_000;
const KEYS = { bucket: "files", keyId: "key", secret: "secret" };

function withApp(test: (app: NotionApp, bucket: TestBucket) => Promise<void>): Promise<void> {
  return withBucket((bucket) =>
    withNotion((app) => test(app, bucket), {
      environment: {
        RECTO_FILES: "s3",
        RECTO_S3_ENDPOINT: bucket.endpoint,
        RECTO_S3_BUCKET: KEYS.bucket,
        RECTO_S3_KEY_ID: KEYS.keyId,
        RECTO_S3_SECRET: KEYS.secret,
      },
    })
  );
}

function bucketStore({ endpoint }: TestBucket): BlobStore {
  return createS3BlobStore({
    ...KEYS,
    endpoint,
    region: "us-east-1",
    sessionToken: undefined,
    isVirtualHost: false,
    validity: HOUR,
    now: Date.now,
  });
}

function announce({ notion }: NotionApp, number_of_parts: number): Promise<AnyJson> {
  const announced = { mode: "multi_part", filename: "a.txt", content_type: "text/plain" };
  return notion("POST /file_uploads", { ...announced, number_of_parts });
}

/** Sends a part as the vendor's SDK does: its number comes behind its bytes. */
async function send(
  { app, mint }: NotionApp,
  id: string,
  part: { readonly number: number; readonly content: string },
): Promise<{ readonly status: number; readonly json: AnyJson }> {
  const form = new FormData();
  form.set("file", new File([part.content], "part", { type: "text/plain" }));
  form.set("part_number", String(part.number));
  const response = await app.handler(
    new Request(`http://recto.test/v1/file_uploads/${id}/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${await mint()}`, "notion-version": V },
      body: form,
    }),
  );
  return { status: response.status, json: await response.json() };
}

const withIcon = (id: string) => ({
  parent: { workspace: true },
  properties: {},
  icon: { type: "file_upload", file_upload: { id } },
});

function endings({ objects }: TestBucket): string[] {
  return [...objects.keys()].map((path) => path.split("/").slice(4).join("/")).sort();
}

/** The ending without the name that bytes get which pass through the service. */
const withoutName = (ending: string) => ending.replace(/^content-[\w-]+$/, "content");

Deno.test("parts of any size are sent to a bucket in any order, and joined to one object", () =>
  withApp(async (app, bucket) => {
    const { notion } = app;
    const { id } = await announce(app, 3);
    const last = await send(app, id, { number: 3, content: "c" });
    assertEquals([last.status, last.json.number_of_parts], [200, { total: 3, sent: 1 }]);
    assertMatch(
      (await app.refused(`POST /file_uploads/${id}/complete`)).message,
      /Parts are missing: 1, 2/,
    );
    await Promise.all([
      send(app, id, { number: 1, content: "a wrong one" }),
      send(app, id, { number: 2, content: "b" }),
    ]);
    await send(app, id, { number: 1, content: "a" });
    assertEquals((await send(app, id, { number: 4, content: "d" })).status, 400);
    assertEquals(endings(bucket), ["parts/1", "parts/2", "parts/3"]);
    const done = await notion(`POST /file_uploads/${id}/complete`);
    assertEquals([done.status, done.content_length], ["uploaded", 3]);
    assertEquals(endings(bucket).map(withoutName), ["content"]);
    const page = await notion("POST /pages", withIcon(id));
    const read = await fetch(page.icon.file.url);
    assertEquals(await read.text(), "abc");
  }));

Deno.test("parts that are never joined leave the bucket when their upload expires", () =>
  withApp(async (app, bucket) => {
    const { id } = await announce(app, 2);
    await send(app, id, { number: 1, content: "a" });
    await sweep({ store: app.store, blobs: bucketStore(bucket) }, Date.now() + 2 * HOUR);
    assertEquals(endings(bucket), []);
  }));

Deno.test("a bucket that fails while parts are joined leaves them there, and is asked again", () =>
  withApp(async (app, bucket) => {
    const { id } = await announce(app, 1);
    await send(app, id, { number: 1, content: "a" });
    bucket.refuse(({ method, url }) => method === "GET" && url.includes("/parts/1"));
    const failed = await app.refused(`POST /file_uploads/${id}/complete`);
    assertEquals([failed.status, failed.code], [503, "service_unavailable"]);
    bucket.refuse(() => false);
    assertEquals((await app.notion(`POST /file_uploads/${id}/complete`)).status, "uploaded");
  }));

Deno.test("a copy that fails behind a status of 200 is no stored part", () =>
  withApp(async (app, bucket) => {
    const { id } = await announce(app, 1);
    const { set } = bucket.objects;
    // What is to be copied is gone by then.
    bucket.objects.set = (key, value) =>
      key.includes("/received/") ? bucket.objects : set.call(bucket.objects, key, value);
    const lost = await send(app, id, { number: 1, content: "a" });
    assertEquals([lost.status, lost.json.code], [503, "service_unavailable"]);
  }));

Deno.test("of several files that are sent to one upload at once, the one that is refused is gone", () =>
  withApp(async (app, bucket) => {
    const announced = { mode: "single_part", filename: "a.txt", content_type: "text/plain" };
    const { id } = await app.notion("POST /file_uploads", announced);
    const contents = ["first", "second", "a third one"];
    const sent = await Promise.all(
      contents.map((content, index) => send(app, id, { number: index + 1, content })),
    );
    const stored = contents.filter((_, index) => sent[index]?.status === 200);
    assertEquals(stored.length, 1);
    const [bytes = new Uint8Array(), ...others] = bucket.objects.values();
    assertEquals([new TextDecoder().decode(bytes), others.length], [stored[0], 0]);
    const page = await app.notion("POST /pages", withIcon(id));
    assertEquals(await (await fetch(page.icon.file.url)).text(), stored[0]);
  }));

Deno.test("a file that is not as announced leaves the bucket at once", () =>
  withApp(async (app, bucket) => {
    const announced = { mode: "single_part", filename: "a.txt", content_type: "text/plain" };
    const { id } = await app.notion("POST /file_uploads", announced);
    const form = new FormData();
    form.set("file", new File(["a"], "a.txt", { type: "text/plain" }));
    const response = await app.app.handler(
      new Request(`http://recto.test/v1/file_uploads/${id}/send`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await app.mint()}`,
          "notion-version": V,
          "content-digest": `sha-256=:${"A".repeat(43)}=:`,
        },
        body: form,
      }),
    );
    const { message } = await response.json();
    assertEquals([response.status, endings(bucket)], [400, []]);
    assertMatch(message, /Content-Digest/);
  }));

Deno.test("a file that no upload names leaves the bucket when its upload expires", () =>
  withApp(async (app, bucket) => {
    const { id } = await announce(app, 1);
    await send(app, id, { number: 1, content: "a" });
    const [part = ""] = bucket.objects.keys();
    // A process that ends before it has told the database leaves this.
    const left = part.replace("parts/1", `content-${crypto.randomUUID()}`);
    bucket.objects.set(left, new Uint8Array(1));
    await sweep({ store: app.store, blobs: bucketStore(bucket) }, Date.now() + 2 * HOUR);
    assertEquals(endings(bucket), []);
  }));
