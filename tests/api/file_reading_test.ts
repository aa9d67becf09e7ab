import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { fetchOwn, upload } from "./file_driver.ts";

const TEXT = "0123456789";

/** The headers of a 304 that a browser applies to its cached file. */
const GUARDS = [
  "content-security-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
];

/** The URL of a file that is shown as an icon. */
async function addressOf(
  app: TestApp,
  content: BodyInit = TEXT,
  { filename = "a.txt", content_type = "text/plain" } = {},
): Promise<string> {
  const id = await upload(app, content, { filename, content_type });
  const { json } = await app.call("POST /v2/pages", {
    body: { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } },
  });
  return json.icon.file.url;
}

Deno.test("a byte range is returned as requested, or the whole file", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    const etag = (await fetchOwn(app, url, { method: "HEAD" })).headers.get("etag") ?? "";
    const cases: [Record<string, string>, number, string | null, string][] = [
      [{ range: "bytes=0-3" }, 206, "bytes 0-3/10", "0123"],
      [{ range: "bytes=7-" }, 206, "bytes 7-9/10", "789"],
      [{ range: "bytes=-2" }, 206, "bytes 8-9/10", "89"],
      [{ range: "bytes=5-100" }, 206, "bytes 5-9/10", "56789"],
      [{ range: "bytes=0-1,4-5" }, 200, null, TEXT],
      [{ range: "lines=0-1" }, 200, null, TEXT],
      [{ range: "bytes=x" }, 200, null, TEXT],
      [{ range: "bytes=0-3", "if-range": etag }, 206, "bytes 0-3/10", "0123"],
      [{ range: "bytes=0-3", "if-range": '"other"' }, 200, null, TEXT],
      [{ range: "bytes=0-3", "if-range": `W/${etag}` }, 200, null, TEXT],
    ];
    for (const [headers, status, range, body] of cases) {
      const answer = await fetchOwn(app, url, { headers });
      const text = await answer.text();
      const length = answer.headers.get("content-length");
      assertEquals(
        [answer.status, answer.headers.get("content-range"), text, length],
        [status, range, body, String(body.length)],
        JSON.stringify(headers),
      );
      assertEquals(answer.headers.get("accept-ranges"), "bytes");
    }
    const none = await fetchOwn(app, url, { headers: { range: "bytes=10-" } });
    assertEquals([none.status, none.headers.get("content-range")], [416, "bytes */10"]);
    assertEquals((await none.json()).code, "range_not_satisfiable");
  }));

Deno.test("HEAD answers as GET does, without the bytes", () => {
  // How long an answer may be kept goes by the second.
  const now = Date.now();
  return withApp(async (app) => {
    const url = await addressOf(app);
    const [get, head] = [await fetchOwn(app, url), await fetchOwn(app, url, { method: "HEAD" })];
    await get.body?.cancel();
    const fields = (response: Response) => {
      const { "x-request-id": _, ...rest } = Object.fromEntries(response.headers);
      return rest;
    };
    assertEquals([head.status, fields(head), head.body], [get.status, fields(get), null]);
  }, { now: () => now });
});

Deno.test("HEAD ignores ranges, satisfiable or not", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    for (const range of ["bytes=0-1", "bytes=10-"]) {
      const { status, headers } = await fetchOwn(app, url, { method: "HEAD", headers: { range } });
      assertEquals([status, headers.get("content-range")], [200, null]);
      assertEquals(headers.get("content-length"), String(TEXT.length));
    }
  }));

Deno.test("a client that has the current file gets a 304", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    const etag = (await fetchOwn(app, url, { method: "HEAD" })).headers.get("etag") ?? "";
    const held = await fetchOwn(app, url, {
      headers: { "if-none-match": etag, range: "bytes=0-1" },
    });
    assertEquals([held.status, held.headers.get("etag"), held.body], [304, etag, null]);
    const whole = await fetchOwn(app, url);
    await whole.body?.cancel();
    for (const name of GUARDS) assertEquals(held.headers.get(name), whole.headers.get(name), name);
    const changed = await fetchOwn(app, url, { headers: { "if-match": '"other"' } });
    assertEquals(changed.status, 412);
  }));

Deno.test("an empty file can be uploaded and read", () =>
  withApp(async (app) => {
    const url = await addressOf(app, "");
    const answer = await fetchOwn(app, url);
    assertEquals([answer.status, answer.headers.get("content-length")], [200, "0"]);
    assertEquals(await answer.text(), "");
  }));

Deno.test("content that could run in a browser is downloaded, never shown, whatever its name", () =>
  withApp(async (app) => {
    const types = [
      "text/html",
      "image/svg+xml",
      "application/xhtml+xml",
      "text/xml",
      "application/javascript",
      "text/html;charset=utf-8",
      "TEXT/HTML",
      "application/octet-stream",
    ];
    for (const content_type of types) {
      const url = await addressOf(app, "<script>", { filename: "a.png", content_type });
      const { headers, body } = await fetchOwn(app, url);
      await body?.cancel();
      assertMatch(headers.get("content-disposition") ?? "", /^attachment;/, content_type);
      assertMatch(headers.get("content-security-policy") ?? "", /^sandbox;/);
      assertEquals(headers.get("x-content-type-options"), "nosniff");
    }
  }));

Deno.test("a name with any characters reaches the client intact and cannot break a header", () =>
  withApp(async (app) => {
    for (
      const filename of [
        `"; x="y`,
        "日本語.txt",
        "a%2Fb",
        "100%.txt",
        "a;b",
        "'",
        "CON",
        ".hidden",
        "a..b",
        "…".repeat(300),
      ]
    ) {
      const url = await addressOf(app, TEXT, { filename, content_type: "text/plain" });
      const answer = await fetchOwn(app, url);
      assertEquals(answer.status, 200, filename);
      const field = answer.headers.get("content-disposition") ?? "";
      const [, extended] = /filename\*=UTF-8''([^;]*)/.exec(field) ?? [];
      const plain = /filename="((?:[^"\\]|\\.)*)"/.exec(field)?.[1]?.replaceAll(/\\(.)/g, "$1") ??
        /filename=([^;"]+)/.exec(field)?.[1];
      assertEquals(extended === undefined ? plain : decodeURIComponent(extended), filename);
      await answer.body?.cancel();
    }
  }));

Deno.test("an address is of one file, one workspace, one name and one purpose", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    const other = await addressOf(app, "other");
    const id = (of: string) => of.split("/").at(-2) ?? "";
    for (
      const [altered, status] of [
        [url.replace(id(url), id(other)), 403],
        [url.replace(/content\/\w+/, "content/b3RoZXI"), 403],
        [url.replace(/content\/(\w+)/, "content/$1%3D"), 403],
        [url.replace("/a.txt", "/b.txt"), 404],
        [url.replace("/content/", "/upload/").replace("/a.txt", ""), 405],
        [url.replace(/signature=/, "signature=A"), 403],
        [url.replace(/&signature=.*/, ""), 400],
        [`${url}&signature=x`, 400],
      ] as const
    ) {
      const answer = await fetchOwn(app, altered);
      await answer.body?.cancel();
      assertEquals(answer.status, status, altered);
    }
  }));

Deno.test("a link in the place of a file leads nowhere", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    const [blob = ""] = [...walk(`${app.folder}/files`)];
    await Deno.remove(blob);
    await Deno.symlink("/etc/hostname", blob);
    const answer = await fetchOwn(app, url);
    assertEquals([answer.status, (await answer.json()).code], [500, "data_corrupted"]);
  }));

function* walk(path: string): Generator<string> {
  for (const entry of Deno.readDirSync(path)) {
    if (entry.isDirectory) yield* walk(`${path}/${entry.name}`);
    else yield `${path}/${entry.name}`;
  }
}

Deno.test("the log contains neither signed URLs nor their signatures", () =>
  withApp(async (app) => {
    const url = await addressOf(app);
    await (await fetchOwn(app, url)).text();
    await (await fetchOwn(app, `${url}x`)).text();
    app.log.flush();
    const signature = new URL(url).searchParams.get("signature") ?? "?";
    const lines = app.lines.map((line) => JSON.stringify(line));
    assert(lines.some((line) => line.includes("/files/content/:workspace")), "it was logged");
    assertEquals(
      lines.filter((line) => line.includes(signature) || line.includes("signature")),
      [],
    );
  }));
