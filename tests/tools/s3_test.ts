import { createS3BlobStore } from "../../src/files/s3/blob_store.ts";
import { sweep } from "../../src/files/sweeper.ts";
import { presign } from "../../src/files/s3/presign.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import type { Upload } from "../../src/content/values/uploads.ts";
import { announce } from "../api/file_driver.ts";
import { refusal } from "../api/driver.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { type RunningSwift, startSwift } from "./swift.ts";

const HOUR = 3_600_000;
const swift: RunningSwift = await startSwift();
Deno.test.afterAll(async () => await swift[Symbol.asyncDispose]());
const { endpoint, bucket, keyId, secret } = swift.bucket;

function withBucket(test: (app: TestApp) => Promise<void>): Promise<void> {
  return withApp(test, {
    environment: {
      RECTO_FILES: "s3",
      RECTO_S3_ENDPOINT: endpoint,
      RECTO_S3_BUCKET: bucket,
      RECTO_S3_KEY_ID: keyId,
      RECTO_S3_SECRET: secret,
    },
  });
}

async function send(url: string, body: BodyInit, type = "text/plain"): Promise<number> {
  const answer = await fetch(url, { method: "PUT", body, headers: { "content-type": type } });
  await answer.body?.cancel();
  return answer.status;
}

function withIcon(id: string): object {
  return { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } };
}

Deno.test("on S3 bytes go to the bucket and come from it, under addresses that it checks", () =>
  withBucket(async (app) => {
    const { id, url } = await announce(app, { filename: "ä b.html", content_type: "text/html" });
    assert(url.startsWith(`${endpoint}/${bucket}/`));
    const early = await app.call("POST /v2/pages", { body: withIcon(id) });
    assertEquals(refusal(early), [400, "validation_error"]);
    assertMatch(early.json.message, /was not uploaded yet/);
    assertEquals(await send(url, "<p>", "text/html"), 200);
    const page = await app.call("POST /v2/pages", { body: withIcon(id) });
    assertEquals(page.status, 200, page.text);
    const { file } = page.json.icon;
    assert(Date.parse(file.expiry_time) > Date.now());
    const read = await fetch(file.url);
    assertEquals([read.status, await read.text()], [200, "<p>"]);
    assertEquals(
      read.headers.get("content-disposition"),
      `attachment; filename="? b.html"; filename*=UTF-8''%C3%A4%20b.html`,
    );
    const again = await app.call(`GET /v2/pages/${page.json.id}`);
    assertEquals(again.json.icon.file, file);
    const copy = await app.call("POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, icon: page.json.icon },
    });
    assertEquals(copy.json.icon.file, file);
    const range = await fetch(file.url, { headers: { range: "bytes=1-1" } });
    assertEquals([range.status, await range.text()], [206, "p"]);
  }));

Deno.test("the bucket refuses an address that was altered, has ended, or is for something else", () =>
  withBucket(async (app) => {
    const { url } = await announce(app, { content_type: "text/plain", content_length: 3 });
    const other = await announce(app);
    const id = (of: string) => of.split("/").at(-2) ?? "";
    assertEquals(await send(url.replace(/.$/, (end) => end === "0" ? "1" : "0"), "abc"), 403);
    assertEquals(await send(url.replace(id(url), id(other.url)), "abc"), 403);
    assertEquals(await send(url.replace(/Expires=\d+/, "Expires=604800"), "abc"), 403);
    assertEquals(await send(url, "abc", "text/html"), 403);
    assertEquals(await send(url, "abcd"), 403, "longer than it was announced");
    const read = await fetch(url);
    await read.body?.cancel();
    assertEquals(read.status, 403);
    const stale = await presign(swift.bucket, {
      method: "PUT",
      key: "x",
      headers: { "content-type": "text/plain" },
      from: Date.now() - HOUR,
      seconds: 60,
    });
    assertEquals(await send(stale, "abc"), 403);
    assertEquals(await send(url, "abc"), 200);
  }));

Deno.test("on S3 a client sends a file to the bucket in one piece", () =>
  withBucket(async ({ call }) => {
    const answer = await call("POST /v2/files/upload-url", {
      body: { mode: "multi_part", number_of_parts: 2 },
    });
    assertEquals(refusal(answer), [400, "validation_error"]);
    assertEquals(answer.json.errors[0].pointer, "/mode");
  }));

Deno.test("on S3 a file in parts passes through the service, and comes from the bucket whole", () =>
  withBucket(async (app) => {
    const headers = { "notion-version": "2022-06-28" };
    const { json: { id } } = await app.call("POST /v1/file_uploads", {
      headers,
      body: { mode: "multi_part", filename: "a.txt", number_of_parts: 2 },
    });
    for (const [part_number, content] of [["2", "second"], ["1", "first, "]]) {
      const form = new FormData();
      form.set("file", new File([content ?? ""], "part"));
      form.set("part_number", part_number ?? "");
      const sent = await app.app.handler(
        new Request(`http://recto.test/v1/file_uploads/${id}/send`, {
          method: "POST",
          headers: { ...headers, authorization: `Bearer ${await app.mint()}` },
          body: form,
        }),
      );
      assertEquals(sent.status, 200, await sent.text());
    }
    const done = await app.call(`POST /v1/file_uploads/${id}/complete`, { headers });
    assertEquals([done.status, done.json.content_length], [200, 13]);
    const page = await app.call("POST /v2/pages", { body: withIcon(id) });
    const read = await fetch(page.json.icon.file.url);
    assertEquals(await read.text(), "first, second");
  }));

Deno.test("sweep() removes from the bucket what nothing refers to, told of or not", () =>
  withBucket(async (app) => {
    const [kept, untold] = [await announce(app), await announce(app)];
    for (const { url } of [kept, untold]) {
      assertEquals(await send(url, "x", "application/octet-stream"), 200);
    }
    const page = await app.call("POST /v2/pages", { body: withIcon(kept.id) });
    const now = Date.now;
    const blobs = createS3BlobStore({ ...swift.bucket, validity: HOUR, now });
    const state = async (id: string) => {
      const [upload] = await app.store.uploads("default", [id]);
      return upload && await blobs.find("default", upload);
    };
    assert(await state(untold.id), "it is there");
    const [before] = await app.store.uploads("default", [untold.id]);
    await sweep({ store: app.store, blobs }, now() + 2 * HOUR);
    assertEquals(before && await blobs.find("default", before), undefined);
    const read = await fetch(page.json.icon.file.url);
    assertEquals([read.status, await read.text()], [200, "x"]);
  }));

for (const minutes of [-20, 20]) {
  Deno.test(`a process whose clock is ${minutes} minutes off uses the bucket`, async () => {
    const now = () => Date.now() + minutes * 60_000;
    const blobs = createS3BlobStore({ ...swift.bucket, validity: HOUR, now });
    const upload: Upload = {
      sourceUrl: null,
      failure: null,
      id: crypto.randomUUID(),
      status: "pending",
      parts: null,
      filename: "a",
      contentType: "text/plain",
      contentLength: null,
      blob: null,
      hash: null,
      createdTime: now(),
      createdBy: "ann",
      expiresTime: now() + HOUR,
      life: HOUR,
    };
    assertEquals(await blobs.find("w", upload), undefined);
    assertEquals(await send((await blobs.uploadTarget("w", upload)).url, "abc"), 200);
    assertEquals((await blobs.find("w", upload))?.contentLength, 3);
    await blobs.ping();
  });
}

Deno.test("a bucket that is out of reach is no fault of the request, and no secret is logged", () =>
  withApp(async (app) => {
    const { id } = await announce(app);
    const answer = await app.call("POST /v2/pages", { body: withIcon(id) });
    assertEquals(refusal(answer), [503, "service_unavailable"]);
    app.log.flush();
    const lines = app.lines.map((line) => JSON.stringify(line)).join("\n");
    assert(!lines.includes("X-Amz"), lines);
  }, {
    environment: {
      RECTO_FILES: "s3",
      RECTO_S3_ENDPOINT: "http://127.0.0.1:1",
      RECTO_S3_BUCKET: bucket,
      RECTO_S3_KEY_ID: keyId,
      RECTO_S3_SECRET: secret,
    },
  }));
