/**
 * File uploads through `/v1`: in one piece, in parts, from other servers, and hostile input.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type AnyJson, type NotionApp, V, withNotion } from "./driver.ts";

const HEADERS = { "notion-version": V };
const MISSING = "00000000-0000-4000-8000-000000000000";
const PRIVATE = { environment: { RECTO_FILES_PRIVATE_NETWORK: "true" } };

function formOf(content: string | Uint8Array<ArrayBuffer>, type: string, part?: number): FormData {
  const form = new FormData();
  form.set("file", new File([content], "a.txt", { type }));
  if (part !== undefined) form.set("part_number", String(part));
  return form;
}

/** Sends a form as an SDK does. */
async function send(
  { app, mint }: Pick<NotionApp, "app" | "mint">,
  url: string,
  body: FormData,
  token?: string,
): Promise<{ readonly status: number; readonly json: AnyJson }> {
  const headers = { authorization: `Bearer ${token ?? await mint()}`, ...HEADERS };
  const response = await app.handler(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, json: await response.json() };
}

async function bytesOf({ app }: Pick<NotionApp, "app">, url: string): Promise<string> {
  return await (await app.handler(new Request(url))).text();
}

function text(content: string): AnyJson[] {
  return [{ text: { content } }];
}

/** A page whose icon, cover, block and files are this upload. */
async function useEverywhere({ notion }: Pick<NotionApp, "notion">, id: string): Promise<AnyJson> {
  const file = { type: "file_upload", file_upload: { id } };
  const page = await notion("POST /pages", {
    parent: { workspace: true },
    properties: { title: text("With files") },
    icon: file,
    cover: file,
    children: [{ image: file }, { file }],
  });
  const { results } = await notion(`GET /blocks/${page.id}/children`);
  return [page.icon, page.cover, results[0].image, results[1].file];
}

Deno.test("a file is announced, sent with a token, and used in content", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const me = await notion("GET /users/me");
    const created = await notion("POST /file_uploads", {
      filename: "a.txt",
      content_type: "text/plain",
    });
    const { id, created_time, expiry_time, upload_url, ...rest } = created;
    assertEquals(upload_url, `http://recto.test/v1/file_uploads/${id}/send`);
    assert(Date.parse(expiry_time) > Date.parse(created_time));
    assertEquals(rest, {
      object: "file_upload",
      last_edited_time: created_time,
      created_by: { id: me.id, type: "person" },
      archived: false,
      in_trash: false,
      status: "pending",
      filename: "a.txt",
      content_type: "text/plain",
      content_length: null,
    });
    assertEquals(await notion(`GET /file_uploads/${id}`), created);
    const sent = await send(app, upload_url, formOf("hello", "text/plain"));
    assertEquals([sent.status, sent.json.status, sent.json.content_length], [200, "uploaded", 5]);
    const again = await send(app, upload_url, formOf("hello", "text/plain"));
    assertEquals([again.status, again.json.code], [400, "validation_error"]);
    for (const { type, file } of await useEverywhere(app, id)) {
      assertEquals(type, "file");
      assertEquals(await bytesOf(app, file.url), "hello");
      assert(Date.parse(file.expiry_time) > Date.now());
    }
    assertEquals((await notion(`GET /file_uploads/${id}`)).expiry_time, null, "it is in use");
    assertEquals((await refused(`POST /file_uploads/${id}/complete`)).code, "validation_error");
  }));

Deno.test("a file is sent in parts, in any order, and joined", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const { id, upload_url, complete_url, number_of_parts } = await notion("POST /file_uploads", {
      mode: "multi_part",
      filename: "a.txt",
      content_type: "text/plain",
      number_of_parts: 3,
    });
    assertEquals(number_of_parts, { total: 3, sent: 0 });
    assertEquals(complete_url, `http://recto.test/v1/file_uploads/${id}/complete`);
    const part = (number: number, content: string) =>
      send(app, upload_url, formOf(content, "text/plain", number));
    assertEquals((await part(3, "c")).json.number_of_parts, { total: 3, sent: 1 });
    const early = await refused(`POST /file_uploads/${id}/complete`);
    assertMatch(early.message, /Parts are missing: 1, 2/);
    await Promise.all([part(1, "x"), part(2, "b")]);
    await part(1, "a");
    for (const number of [0, 4, -1, 1.5]) {
      assertEquals((await part(number, "z")).json.code, "validation_error");
    }
    assertEquals(
      (await send(app, upload_url, formOf("z", "text/plain"))).json.code,
      "validation_error",
    );
    const done = await notion(`POST /file_uploads/${id}/complete`);
    assertEquals([done.status, done.content_length], ["uploaded", 3]);
    const [icon] = await useEverywhere(app, id);
    assertEquals(await bytesOf(app, icon.file.url), "abc");
  }));

Deno.test("uploads are listed for their creator, the latest first, by status and page", () =>
  withNotion(async (app) => {
    const { notion, call, mint, refused } = app;
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { id, upload_url } = await notion("POST /file_uploads", { filename: `${index}.txt` });
      ids.unshift(id);
      if (index % 2 === 0) await send(app, upload_url, formOf("x", "text/plain"));
    }
    const list = async (query: string) => await notion(`GET /file_uploads${query}`);
    const idsIn = (found: AnyJson) => found.results.map(({ id }: AnyJson) => id);
    const all = await list("");
    assertEquals([all.type, all.has_more, idsIn(all)], ["file_upload", false, ids]);
    assertEquals(idsIn(await list("?status=uploaded")), [ids[1], ids[3]]);
    assertEquals(idsIn(await list("?status=pending")), [ids[0], ids[2]]);
    assertEquals(idsIn(await list("?status=failed")), []);
    const first = await list("?page_size=3");
    const rest = await list(`?page_size=3&start_cursor=${first.next_cursor}`);
    assertEquals([...idsIn(first), ...idsIn(rest)], ids);
    assertEquals((await refused("GET /file_uploads?status=lost")).code, "validation_error");
    const token = await mint({ sub: "bob" });
    const others = await call("GET /v1/file_uploads", { token, headers: HEADERS });
    assertEquals(others.json.results, []);
  }));

Deno.test("faults in an announcement are named, and nothing is stored", () =>
  withNotion(async ({ notion, refused }) => {
    const bad: AnyJson[] = [
      { filename: "a/b" },
      { mode: "multi_part", number_of_parts: 2 },
      { mode: "multi_part", filename: "a" },
      { mode: "multi_part", filename: "a", number_of_parts: 10_001 },
      { number_of_parts: 2 },
      { external_url: "https://files.example/a" },
      { mode: "external_url", filename: "a" },
      { mode: "external_url", external_url: "https://files.example/a" },
      { mode: "sideways" },
      { content_type: "text" },
      { content_length: 6_000_000_000 },
    ];
    for (const body of bad) {
      const { code } = await refused("POST /file_uploads", body);
      assertEquals(code, "validation_error", JSON.stringify(body));
    }
    assertEquals((await notion("GET /file_uploads")).results, []);
    assertEquals((await refused(`GET /file_uploads/${MISSING}`)).code, "object_not_found");
    assertEquals((await refused("GET /file_uploads/x")).code, "validation_error");
  }));

Deno.test("a file of another type, size or form is refused, and nothing of it stays", () =>
  withNotion(async (app) => {
    const { notion } = app;
    const { id, upload_url } = await notion("POST /file_uploads", {
      filename: "a.txt",
      content_type: "text/plain",
      content_length: 3,
    });
    const twice = formOf("abc", "text/plain");
    twice.append("file", new File(["abc"], "b.txt", { type: "text/plain" }));
    for (
      const form of [
        formOf("abcd", "text/plain"),
        formOf("abc", "image/png"),
        twice,
        new FormData(),
      ]
    ) {
      const { status } = await send(app, upload_url, form);
      assertEquals(status, 400);
    }
    assertEquals((await notion(`GET /file_uploads/${id}`)).status, "pending");
    // What a Blob without a type is sent as.
    const { status, json } = await send(app, upload_url, formOf("abc", ""));
    assertEquals([status, json.content_type], [200, "text/plain"]);
  }));

Deno.test("no workspace sees, sends or uses the uploads of another", () =>
  withNotion(async (app) => {
    const { notion, call, mint } = app;
    const { id, upload_url } = await notion("POST /file_uploads", { filename: "a.txt" });
    const token = await mint({ workspace: "other", sub: "eve" });
    const options = { token, headers: HEADERS };
    const got = await call(`GET /v1/file_uploads/${id}`, options);
    const completed = await call(`POST /v1/file_uploads/${id}/complete`, options);
    assertEquals([got.status, completed.status], [404, 404]);
    assertEquals((await send(app, upload_url, formOf("x", "text/plain"), token)).status, 404);
    const used = await call("POST /v1/pages", {
      ...options,
      body: {
        parent: { workspace: true },
        properties: {},
        icon: { type: "file_upload", file_upload: { id } },
      },
    });
    assertEquals([used.status, used.json.code], [400, "validation_error"]);
    const weak = await mint({ scope: "pages.read" });
    assertEquals((await send(app, upload_url, formOf("x", "text/plain"), weak)).status, 403);
    const none = await app.app.handler(
      new Request(upload_url, {
        method: "POST",
        headers: HEADERS,
        body: formOf("x", "text/plain"),
      }),
    );
    assertEquals(none.status, 401);
    await none.body?.cancel();
  }));

/** Runs a test beside another server, on a port of its own. */
async function withServer(
  handler: (request: Request) => Response | Promise<Response>,
  test: (origin: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  try {
    await test(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Has a file fetched; returns its upload once that is over. */
async function fetched({ notion }: NotionApp, external_url: string): Promise<AnyJson> {
  const { id, status, upload_url } = await notion("POST /file_uploads", {
    mode: "external_url",
    filename: "a.txt",
    external_url,
  });
  assertEquals([status, upload_url], ["pending", undefined]);
  for (;;) {
    const upload = await notion(`GET /file_uploads/${id}`);
    if (upload.status !== "pending") return upload;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

Deno.test("a file is fetched from another server, through redirects", () =>
  withServer(
    (request) =>
      new URL(request.url).pathname === "/file"
        ? new Response("fetched", { headers: { "content-type": "text/plain" } })
        : Response.redirect(new URL("/file", request.url)),
    (origin) =>
      withNotion(async (app) => {
        const upload = await fetched(app, `${origin}/start`);
        assertEquals([upload.status, upload.content_length], ["uploaded", 7]);
        assertEquals([upload.filename, upload.content_type], ["a.txt", "text/plain"]);
        const [icon] = await useEverywhere(app, upload.id);
        assertEquals(await bytesOf(app, icon.file.url), "fetched");
      }, PRIVATE),
  ));

Deno.test("a file that cannot be fetched says why, and cannot be used or sent", () =>
  withServer((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/loop") return Response.redirect(request.url);
    if (pathname === "/large") return new Response("x".repeat(2_000));
    return new Response("no", { status: 404 });
  }, (origin) =>
    withNotion(async (app) => {
      const missing = await fetched(app, `${origin}/missing`);
      assertEquals(missing.status, "failed");
      const { imported_time, ...result } = missing.file_import_result;
      assertMatch(imported_time, /^\d{4}-/);
      assertEquals(result, {
        type: "error",
        error: {
          type: "download_error",
          code: "download_failed",
          parameter: null,
          message: "The server of the URL responded with status 404",
          status_code: 404,
        },
      });
      const loop = await fetched(app, `${origin}/loop`);
      assertEquals(loop.file_import_result.error.message, "The URL redirects too often");
      const large = await fetched(app, `${origin}/large`);
      assertMatch(large.file_import_result.error.message, /larger than 1000 bytes/);
      const gone = await fetched(app, "http://127.0.0.1:1/");
      assertEquals(gone.file_import_result.error.message, "The URL cannot be fetched");
      const sent = await send(
        app,
        `http://recto.test/v1/file_uploads/${gone.id}/send`,
        formOf("x", "text/plain"),
      );
      assertEquals(sent.status, 400);
      const used = await app.refused("POST /pages", {
        parent: { workspace: true },
        properties: {},
        icon: { type: "file_upload", file_upload: { id: gone.id } },
      });
      assertEquals(used.code, "validation_error");
    }, { environment: { ...PRIVATE.environment, RECTO_FILES_MAX_BYTES: "1000" } })));

Deno.test("files are fetched from public servers alone, whatever the URL looks like", () =>
  withServer(() => new Response("secret"), (origin) =>
    withNotion(async (app) => {
      const { port } = new URL(origin);
      const urls = [
        origin,
        origin.replace("http:", "https:"),
        `https://127.1:${port}/`,
        `https://2130706433:${port}/`,
        `https://[::1]:${port}/`,
        `https://[::ffff:127.0.0.1]:${port}/`,
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/",
        "https://user:secret@files.example/",
        "http://files.example/",
        "file:///etc/passwd",
        "ftp://files.example/",
        "nonsense",
      ];
      for (const external_url of urls) {
        const { code } = await app.refused("POST /file_uploads", {
          mode: "external_url",
          filename: "a.txt",
          external_url,
        });
        assertEquals(code, "validation_error", external_url);
      }
    })));

Deno.test("a redirect to what may not be fetched is refused", () =>
  withServer(
    () => Response.redirect("ftp://files.example/a"),
    (origin) =>
      withNotion(async (app) => {
        const upload = await fetched(app, origin);
        assertEquals(
          upload.file_import_result.error.message,
          "The URL redirects to one that is refused",
        );
      }, PRIVATE),
  ));
