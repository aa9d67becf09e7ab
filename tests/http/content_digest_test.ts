import fc from "fast-check";
import { createHash } from "node:crypto";
import { readContentDigest } from "../../src/http/content_digest.ts";
import { AppError } from "../../src/shared/errors.ts";
import { announce, put } from "../api/file_driver.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { outcome } from "../security/support.ts";
import { withApp } from "../support/app.ts";

const BYTES = new TextEncoder().encode("Bring water.");
const RIGHT = createHash("sha256").update(BYTES).digest("base64");

const MALFORMED = [
  ...["", "sha-256", "sha-256=", "sha-256=1", 'sha-256="a"', "sha-256=:zz:", "sha-256=:AA==:"],
  ...[`SHA-256=:${RIGHT}:`, `sha-256=${RIGHT}`, `sha-256=:${RIGHT}`, `sha-256=:${RIGHT}:,`],
  ...[`sha-256=:${RIGHT}: x`, `sha-256=(:${RIGHT}:)`, `sha-256=:${RIGHT}:, sha-256=:AA==:`],
  ...[`sha-256=:${RIGHT}AAAA:`, `sha_256=:${RIGHT}:`, "<>"],
];
const FOREIGN = ["sha-512=:AA==:", "md5=:AA==:, crc32c=:AA==:", "unixsum=:AA==:;a=1"];
const GOOD = [
  ...[`sha-256=:${RIGHT}:`, `md5=:AA==:, sha-256=:${RIGHT}:`, `sha-256=:${RIGHT}:;a="b", z=?0`],
  `sha-256=:AA==:, sha-256=:${RIGHT}:`,
];

Deno.test("an upload with a malformed Content-Digest or one without sha-256 is a 400, and not stored", () =>
  withApp(async (app) => {
    const { url } = await announce(app);
    for (const field of [...MALFORMED, ...FOREIGN]) {
      const refused = await put(app, url, BYTES, { headers: { "content-digest": field } });
      assertEquals(outcome(refused), "400 invalid_request", field);
      assertEquals(refused.headers.get("want-content-digest"), "sha-256=10");
    }
    // Nothing was kept, so that the address still takes the file.
    const headers = { "content-digest": GOOD[0] ?? "" };
    assertEquals((await put(app, url, BYTES, { headers })).status, 200);
  }));

Deno.test("an upload with a correct Content-Digest is stored, whatever other digests it has", () =>
  withApp(async (app) => {
    for (const field of GOOD) {
      const { url } = await announce(app);
      const kept = await put(app, url, BYTES, { headers: { "content-digest": field } });
      assertEquals(kept.status, 200, field);
    }
    const { url } = await announce(app);
    const wrong = { "content-digest": `sha-256=:${"A".repeat(43)}=:` };
    const refused = await put(app, url, BYTES, { headers: wrong });
    assertEquals(outcome(refused), "400 validation_error");
  }));

Deno.test("readContentDigest() reads every valid hash, and throws only AppErrors for others", () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
    assertEquals(readContentDigest(`sha-256=:${hash.toBase64()}:`), hash.toHex());
  }));
  fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (field) => {
    assertThrows(() => readContentDigest(field), AppError);
  }));
});
