import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { createPage, NEW_PAGE, outcome } from "./support.ts";

Deno.test("a body of another type than JSON in UTF-8 is a 415 that names what is taken", () =>
  withApp(async ({ call }) => {
    const types = [
      ...["application/json\t;x", "application/json, text/plain", "text/json", "text/plain", ""],
      ...[
        "application/json;charset=latin1",
        "application/json; charset=utf-8; x=y",
        "application/jsonp",
      ],
      ...[
        "application/merge-patch+json",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
      ],
      ...["application/json;", "application/json text/plain", "application/problem+json"],
    ];
    for (const type of types) {
      const answer = await call("POST /v2/pages", {
        body: NEW_PAGE,
        headers: { "content-type": type },
      });
      assertEquals(outcome(answer), "415 unsupported_media_type", type);
      assertEquals(
        answer.headers.get("accept-post"),
        "application/json, application/jsonl, text/markdown",
      );
    }
  }));

Deno.test("a body without a type is a 415, and no body needs none", () =>
  withApp(async (app) => {
    const token = await app.mint();
    const request = (body: Uint8Array | null) =>
      new Request("http://recto.test/v2/pages", {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: body as BodyInit | null,
      });
    const typeless = await app.app.handler(request(new TextEncoder().encode("{}")));
    assertEquals([typeless.status, (await typeless.json()).code], [415, "unsupported_media_type"]);
    const empty = await app.app.handler(request(null));
    assertEquals([empty.status, (await empty.json()).code], [400, "validation_error"]);
  }));

Deno.test("JSON in UTF-8 is taken however its type is written, and its schema applies", () =>
  withApp(async (app) => {
    for (
      const type of [
        "application/json",
        "APPLICATION/JSON; charset=UTF-8",
        'application/json;charset="utf-8"',
      ]
    ) {
      const headers = { "content-type": type };
      assertEquals(
        (await app.call("POST /v2/pages", { body: NEW_PAGE, headers })).status,
        200,
        type,
      );
      const bad = await app.call("POST /v2/pages", { body: { x: 1 }, headers });
      assertEquals(outcome(bad), "400 validation_error", type);
    }
    const id = await createPage(app);
    const headers = { "content-type": "application/merge-patch+json" };
    const patched = await app.call(`PATCH /v2/pages/${id}`, { body: { icon: null }, headers });
    assertEquals(patched.status, 200);
    const post = await app.call("PATCH /v2/blocks/x", {
      body: {},
      headers: { "content-type": "a/b" },
    });
    assertEquals(
      post.headers.get("accept-patch"),
      "application/json, application/merge-patch+json",
    );
  }));

Deno.test("a body in a coding is a 415, so that none is ever unpacked", () =>
  withApp(async ({ call }) => {
    const bomb = await new Response(
      new Response(new Uint8Array(1_000_000)).body?.pipeThrough(new CompressionStream("gzip")),
    ).bytes();
    for (const coding of ["gzip", "br", "deflate", "zstd", "identity, gzip", "x"]) {
      const answer = await call("POST /v2/pages", {
        body: bomb,
        headers: { "content-encoding": coding },
      });
      assertEquals(outcome(answer), "415 unsupported_media_type", coding);
      assertEquals(answer.headers.get("accept-encoding"), "identity");
    }
    const plain = await call("POST /v2/pages", {
      body: NEW_PAGE,
      headers: { "content-encoding": "identity" },
    });
    assertEquals(plain.status, 200);
  }));

Deno.test("a body over the limit is refused by its stream as well as by its length", () =>
  withApp(async ({ call }) => {
    let pulled = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(100).fill(0x20));
        },
      });
    const answer = await call("POST /v2/pages", { body: endless() });
    assertEquals(outcome(answer), "413 payload_too_large");
    assertEquals(pulled < 20, true, `${pulled} chunks were taken`);
    const announced = await call("POST /v2/pages", {
      body: endless(),
      headers: { "content-length": "1001" },
    });
    assertEquals(outcome(announced), "413 payload_too_large");
  }, { limits: { bodyBytes: 1_000 } }));

Deno.test("a body under GET, HEAD or DELETE is ignored", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const answer = await app.call(`DELETE /v2/pages/${id}`, {
      body: "not JSON",
      headers: { "content-type": "text/plain" },
    });
    assertEquals([answer.status, answer.json.in_trash], [200, true]);
  }));
