import {
  copyResponse,
  createCachedResponse,
  createEmptyResponse,
  createResponse,
  isStreamed,
} from "../../src/http/response_writer.ts";
import { assert, assertEquals } from "../assert.ts";

function respond(body: string, method = "GET"): Response {
  return createResponse({ status: 200, contentType: "text/plain", body, fields: [] }, method);
}

Deno.test("a long text is sent in pieces with the length in bytes, whatever its characters", async () => {
  for (const character of ["x", "é", "…", "😀"]) {
    for (const start of ["", "-"]) {
      const text = start + character.repeat(600_000);
      const response = respond(text);
      assert(isStreamed(response));
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body ?? []) pieces.push(piece);
      assert(pieces.length > 1);
      const bytes = await new Blob(pieces.map((piece) => piece.slice())).bytes();
      assertEquals(response.headers.get("content-length"), String(bytes.length));
      assert(new TextDecoder("utf-8", { fatal: true }).decode(bytes) === text);
      const head = respond(text, "HEAD");
      assertEquals(head.headers.get("content-length"), String(bytes.length));
    }
  }
});

Deno.test("no field gets a character that Deno cannot send", () => {
  const codes = Array.from({ length: 0x180 }, (_, code) => code);
  const isSendable = (code: number) => code === 9 || code >= 32 && code !== 127 && code < 256;
  const every = String.fromCharCode(...codes);
  const sendable = String.fromCharCode(...codes.filter(isSendable));
  const value = `a${every}b`;
  const output = {
    status: 200,
    contentType: value,
    body: "",
    fields: [["x-field", value]] as const,
    ownFields: { "x-own": value },
  };
  const cached = createCachedResponse(output);
  const responses = [
    ...["GET", "HEAD"].map((method) => createResponse(output, method)),
    ...[cached, copyResponse(cached, [["x-copy", value]]), createEmptyResponse(304, output)],
  ];
  for (const { headers } of responses) {
    for (const name of ["content-type", "x-field", "x-own", "x-copy"]) {
      if (headers.has(name)) assertEquals(headers.get(name), `a${sendable}b`, name);
    }
  }
});
