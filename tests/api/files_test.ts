import { assert, assertEquals, assertMatch } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { refusal, UNKNOWN } from "./driver.ts";
import {
  announce,
  answerOf,
  bytesOf,
  fetchOwn,
  filesIn,
  isOwn,
  PNG,
  post,
  put,
  upload,
} from "./file_driver.ts";

const BYTES = new Uint8Array(300_000).map((_, index) => index % 251);
const HASH = new Uint8Array(await crypto.subtle.digest("SHA-256", BYTES)).toHex();

Deno.test("creating an upload returns the URL, the method and the expiry for its bytes", () =>
  withApp(async ({ call, mint }) => {
    const now = Date.now();
    const token = await mint({ sub: "ann", name: "Ann" });
    const me = await call("GET /v2/users/me", { token });
    const { json } = await call("POST /v2/files/upload-url", {
      token,
      body: { filename: "ä b.png", content_type: PNG, content_length: 5, mode: "single_part" },
    });
    const { id, created_time, last_edited_time, expiry_time, upload_url, ...rest } = json;
    assertEquals(rest, {
      object: "file_upload",
      created_by: { id: me.json.id, type: "person" },
      archived: false,
      status: "pending",
      filename: "ä b.png",
      content_type: PNG,
      content_length: 5,
      upload_method: "PUT",
      upload_headers: { "content-type": PNG },
    });
    assertEquals(created_time, last_edited_time);
    assertEquals(Date.parse(expiry_time) - Date.parse(created_time), 3_600_000);
    assert(Date.parse(created_time) >= now - 1);
    assert(upload_url.startsWith(`${ORIGIN}/files/upload/`) && upload_url.includes(id));
  }));

Deno.test("uploaded bytes are read as an icon, at a URL that needs no token", () =>
  withApp(async (app) => {
    const id = await upload(app, BYTES, { filename: "ä b.png", content_type: PNG });
    const made = await app.call("POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } },
    });
    const { type, file } = made.json.icon;
    assertEquals(type, "file");
    assert(isOwn(file.url) && Date.parse(file.expiry_time) > Date.now() + 30 * 60_000);
    const read = await fetchOwn(app, file.url);
    assertEquals(read.status, 200);
    assertEquals(await bytesOf(read), BYTES);
    assertEquals(read.headers.get("content-type"), PNG);
    assertEquals(read.headers.get("etag"), `"${HASH}"`);
    assertEquals(read.headers.get("content-length"), "300000");
    assertEquals(
      read.headers.get("content-disposition"),
      `inline; filename="? b.png"; filename*=UTF-8''%C3%A4%20b.png`,
    );
    assertEquals(read.headers.get("x-content-type-options"), "nosniff");
    assertMatch(read.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
    assertMatch(read.headers.get("cache-control") ?? "", /^private, max-age=\d+, immutable$/);
    const again = await app.call(`GET /v2/pages/${made.json.id}`);
    assertEquals(again.json.icon.file, file);
  }));

Deno.test("a form with the field `file` works too, and names a file without a name", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    const file = new File([BYTES], "från.csv", { type: "text/csv" });
    const sent = await post(app, url, { file });
    assertEquals(sent.status, 200, sent.text);
    assertEquals(sent.json.status, "uploaded");
    assertEquals(sent.json.filename, "från.csv");
    assertEquals(sent.json.content_type, "text/csv");
    assertEquals(sent.json.content_length, BYTES.length);
    assertEquals(filesIn(app.folder).length, 1);
    assert(filesIn(app.folder)[0]?.includes(`/${HASH}-`), "under its hash");
  }));

/** Sends a form whose file has this media type, byte for byte. */
async function postTyped(app: Pick<TestApp, "app">, url: string, type: string) {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.txt"';
  const body = `--b\r\n${head}\r\nContent-Type: ${type}\r\n\r\nhello\r\n--b--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  return await answerOf(await fetchOwn(app, url, { method: "POST", body, headers }));
}

Deno.test("a type in a form that is no media type is not kept, so that no field has its characters", () =>
  withServer(async (wire) => {
    const bad = [1, 8, 11, 12, 31, 127].map((code) => `text/a${String.fromCharCode(code)}b`);
    for (const type of [...bad, "😀/😀", `text/${"a".repeat(10_000)}`, "text", ""]) {
      const { id, url } = await announce(wire, { filename: "a.txt" });
      const sent = await postTyped(wire, url, type);
      // A parser of forms takes a missing type for text (RFC 7578 section 4.4).
      const kept = type === "" ? "text/plain" : "application/octet-stream";
      assertEquals(sent.json.content_type, kept, `${escape(type.slice(0, 20))} ${sent.text}`);
      const { json } = await wire.call("POST /v2/pages", {
        body: { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } },
      });
      const { pathname, search } = new URL(json.icon.file.url);
      const request = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${wire.host}\r\n\r\n`;
      const read = await wire.firstAnswer(request);
      assertEquals([read.status, read.headers.get("content-type"), read.text], [
        200,
        kept,
        "hello",
      ]);
    }
  }));

Deno.test("of a media type with malformed parameters, the type is kept", () =>
  withApp(async (app) => {
    for (const parameters of ["", "; charset=utf-8", "; a=\x7f", ";", "; a=é"]) {
      const { url } = await announce(app, { filename: "a.txt" });
      const { json } = await put(app, url, "a", { type: `text/csv${parameters}` });
      const isKept = parameters.includes("utf");
      assertEquals(json.content_type, isKept ? "text/csv; charset=utf-8" : "text/csv");
    }
  }));

Deno.test("a multi-part upload becomes one file when completed, with parts in any order", () =>
  withApp(async (app) => {
    const { url, completeUrl = "" } = await announce(app, {
      mode: "multi_part",
      number_of_parts: 3,
      filename: "a.bin",
    });
    const part = (number: number) => BYTES.slice((number - 1) * 100_000, number * 100_000);
    await put(app, `${url}&part_number=3`, part(3));
    const early = await fetchOwn(app, completeUrl, { method: "POST" });
    assertEquals((await early.json()).message, "Parts are missing: 1, 2. Send them first.");
    await put(app, `${url}&part_number=1`, "another part, which the next one replaces");
    await put(app, `${url}&part_number=1`, part(1));
    const file = new File([part(2)], "part", { type: "application/octet-stream" });
    const second = await post(app, url, { file, part_number: "2" });
    assertEquals(second.json.number_of_parts, { total: 3, sent: 3 });
    assertEquals(second.json.status, "pending");
    assertEquals((await put(app, `${url}&part_number=4`, "x")).status, 400);
    const whole = await fetchOwn(app, completeUrl, { method: "POST" });
    const { status, content_length } = await whole.json();
    assertEquals([status, content_length], ["uploaded", BYTES.length]);
    assertEquals(filesIn(app.folder).map((name) => name.split("/").at(-1)?.slice(0, 64)), [HASH]);
  }));

Deno.test("the same file is stored once, however often it is uploaded", () =>
  withApp(async (app) => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => upload(app, BYTES)));
    assertEquals(filesIn(app.folder).length, 1);
    const children = ids.map((id) => ({ file: { file_upload: { id } } }));
    const page = await app.call("POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, children },
    });
    const list = await app.call(`GET /v2/blocks/${page.json.id}/children`);
    const urls = list.json.results.map((block: { file: { file: { url: string } } }) =>
      block.file.file.url
    );
    assertEquals(new Set(urls).size, 8);
    for (const url of urls) {
      assertEquals(await bytesOf(await fetchOwn(app, url)), BYTES);
    }
  }));

Deno.test("an invalid upload request is rejected with every issue", () =>
  withApp(async ({ call }) => {
    const bad = async (body: unknown) => {
      const answer = await call("POST /v2/files/upload-url", { body });
      assertEquals(refusal(answer), [400, "validation_error"]);
      return answer.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    for (const filename of ["../a", "a/b", "a\\b", "a\nb", "\u0085", "..", " ", "ä".repeat(451)]) {
      assertEquals(await bad({ filename }), ["/filename"], filename);
    }
    assertEquals(
      (await call("POST /v2/files/upload-url", { body: { filename: "ä".repeat(450) } })).status,
      200,
    );
    assertEquals(await bad({ content_type: "png" }), ["/content_type"]);
    assertEquals(await bad({ content_type: "text/html\r\nx: y" }), ["/content_type"]);
    assertEquals(await bad({ content_length: 6 * 1024 ** 3 }), ["/content_length"]);
    assertEquals(await bad({ number_of_parts: 2, filename: "/" }), [
      "/filename",
      "/number_of_parts",
    ]);
    assertEquals(await bad({ mode: "external_url" }), ["/mode"]);
    assertEquals(await bad({ mode: "multi_part" }), ["/number_of_parts"]);
    assertEquals(await bad({ number_of_parts: 2 }), ["/number_of_parts"]);
    assertEquals(await bad({ workspace_id: "x" }), ["/workspace_id"]);
  }));

Deno.test("an upload request with an idempotency key is executed once", () =>
  withApp(async ({ call }) => {
    const headers = { "idempotency-key": "k1" };
    const [first, again] = [
      await call("POST /v2/files/upload-url", { body: {}, headers }),
      await call("POST /v2/files/upload-url", { body: {}, headers }),
    ];
    assertEquals(again.json, first.json);
    assertEquals(again.headers.get("idempotency-replayed"), "true");
  }));

Deno.test("bytes that do not match the upload request are rejected and deleted", () =>
  withApp(async (app) => {
    const { url } = await announce(app, {
      content_type: PNG,
      content_length: 5,
      filename: "a.png",
    });
    const type = PNG;
    const codes = [
      await put(app, url, "12345", { type: "text/html" }),
      await put(app, url, "1234", { type }),
      await put(app, url, "123456", { type }),
      await put(app, url, stream("1234"), { type }),
      await put(app, url, "12345", { type, headers: { "content-encoding": "gzip" } }),
      await put(app, url, "12345", {
        type,
        headers: { "content-digest": `sha-256=:${"A".repeat(43)}=:` },
      }),
      await post(app, url, { file: new File(["12345"], "a.png", { type: "text/html" }) }),
      await post(app, url, { other: new File(["12345"], "a.png", { type }) }),
      await post(app, url, { file: new File(["123"], "a.png", { type }) }),
    ].map(({ status }) => status);
    assertEquals(codes, [415, 400, 400, 400, 415, 400, 415, 400, 400]);
    assertEquals(filesIn(app.folder), []);
    const digest = "WZRHGrsBESr8wYFZ9sx0tPURuZgG2lmzyvWpwXPKz8U=";
    const headers = { "content-digest": `sha-256=:${digest}:` };
    assertEquals((await put(app, url, "12345", { type, headers })).status, 200);
    assertEquals(refusal(await put(app, url, "12345", { type })), [409, "conflict_error"]);
    assertEquals(filesIn(app.folder).length, 1);
  }));

function stream(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream();
}

Deno.test("bytes over the limit are rejected and deleted, with or without Content-Length", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    const whole = await put(app, url, "x".repeat(1_001));
    assertEquals(refusal(whole), [413, "payload_too_large"]);
    assertEquals(refusal(await put(app, url, stream("x".repeat(1_001)))), [
      413,
      "payload_too_large",
    ]);
    const file = new File(["x".repeat(1_001)], "a");
    assertEquals(refusal(await post(app, url, { file })), [413, "payload_too_large"]);
    assertEquals(filesIn(app.folder), []);
    assertEquals((await put(app, url, "x".repeat(1_000))).status, 200);
  }, { environment: { RECTO_FILES_MAX_BYTES: "1000" } }));

Deno.test("a signed URL that was altered or has expired is rejected", () => {
  let now = Date.now();
  return withApp(async (app) => {
    const { url, id } = await announce(app);
    const other = await announce(app);
    const forbidden = [
      url.replace(/signature=.*/, "signature=AAAA"),
      url.replace(/.$/, (last) => last === "A" ? "B" : "A"),
      url.replace(/expires=\d+/, (text) => `${text}0`),
      url.replace("/upload/", "/complete/"),
      url.replace(id, other.id),
      url.replace(/upload\/\w+/, "upload/b3RoZXI"),
    ];
    for (const altered of forbidden) {
      const method = altered.includes("/complete/") ? "POST" : "PUT";
      const answer = await fetchOwn(app, altered, { method, body: "x" });
      assertEquals(answer.status, 403, altered);
      await answer.body?.cancel();
    }
    assertEquals((await put(app, `${url}&x=1`, "x")).status, 400);
    assertEquals((await put(app, url.replace(/[?].*/, ""), "x")).status, 400);
    assertEquals((await fetchOwn(app, url)).status, 405);
    assertEquals(filesIn(app.folder), []);
    now += 3_600_000;
    const late = await put(app, url, "x");
    assertEquals([late.status, late.json.detail], [403, "This URL has expired"]);
    assertEquals(filesIn(app.folder), []);
  }, { now: () => now });
});

Deno.test("content cannot refer to an unknown, foreign, incomplete or expired upload", () => {
  let now = Date.now();
  return withApp(async (app) => {
    const { call, mint } = app;
    const foreign = await announce(app, {}, await mint({ workspace: "other" }));
    const unsent = await announce(app);
    const expired = await upload(app);
    now += 3_600_000;
    const token = await mint({ ttlSeconds: 10_000 });
    const page = async (id: string) => {
      const answer = await call("POST /v2/pages", {
        token,
        body: {
          parent: { workspace: true },
          properties: {},
          cover: { file_upload: { id } },
          children: [{ image: { type: "file_upload", file_upload: { id } } }],
        },
      });
      return [
        answer.status,
        answer.json.errors?.map((issue: { pointer: string }) => issue.pointer),
      ];
    };
    const both = [400, ["/cover/file_upload/id", "/children/0/image/file_upload/id"]];
    for (const id of [UNKNOWN, foreign.id, unsent.id, expired]) {
      assertEquals(await page(id), both);
    }
  }, { now: () => now });
});

Deno.test("a body that arrives too slowly is aborted and leaves nothing", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    for (const slow of ["PUT", "POST"]) {
      const stalled = new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(10)) });
      const type = slow === "POST" ? "multipart/form-data; boundary=b" : "text/plain";
      const headers = { "content-type": type };
      const answer = await fetchOwn(app, url, { method: slow, body: stalled, headers });
      assertEquals((await answer.json()).message, "Body did not arrive in time");
    }
    assertEquals(filesIn(app.folder), []);
  }, { limits: { uploadPaceTime: 100 } }));

Deno.test("an upload may take longer than the time limit of other requests", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    let left = 4;
    const long = new ReadableStream({
      pull: async (it) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        it.enqueue(new Uint8Array(100_000));
        if (--left === 0) it.close();
      },
    });
    const sent = await put(app, url, long);
    assertEquals([sent.status, sent.json.content_length], [200, 400_000]);
  }, { limits: { requestTime: 100 } }));

/** Runs work in which another request comes before the first new file is opened. */
async function withRequestBefore(request: () => Promise<void>, work: () => Promise<void>) {
  const { open } = Deno;
  let hasCome = false;
  const openLater: typeof open = async (path, options) => {
    if (options?.createNew && !hasCome) {
      hasCome = true;
      await request();
    }
    return await open(path, options);
  };
  Object.assign(Deno, { open: openLater });
  try {
    await work();
  } finally {
    Object.assign(Deno, { open });
  }
  assert(hasCome);
}

Deno.test("a file that another request uploads meanwhile is a conflict", () =>
  withApp(async (app) => {
    const { url } = await announce(app, { filename: "a.png", content_type: PNG });
    await withRequestBefore(
      async () => assertEquals((await put(app, url, "first", { type: PNG })).status, 200),
      async () => {
        const { status, json } = await put(app, url, "second", { type: PNG });
        assertEquals([status, json.code], [409, "conflict_error"]);
      },
    );
  }));

Deno.test("the URL of a file with a long name has its beginning and its ending", () =>
  withApp(async (app) => {
    const filename = `${"あ".repeat(290)}.png`;
    const { id, url } = await announce(app, { filename, content_type: PNG });
    await put(app, url, new Uint8Array(9), { type: PNG });
    const body = { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } };
    const { json } = await app.call("POST /v2/pages", { body });
    const shown = new URL(json.icon.file.url);
    assertEquals(
      decodeURIComponent(shown.pathname.split("/").at(-1) ?? ""),
      `${"あ".repeat(32)}.png`,
    );
    const file = await fetchOwn(app, shown.href);
    assertEquals([file.status, (await file.bytes()).length], [200, 9]);
    const disposition = file.headers.get("content-disposition") ?? "";
    assert(disposition.includes(encodeURIComponent(filename)), disposition.slice(0, 80));
    shown.pathname = shown.pathname.replace(".png", ".jpg");
    assertEquals((await fetchOwn(app, shown.href)).status, 404);
  }));
