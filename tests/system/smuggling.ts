/**
 * Requests whose end two readers could see at two places, each with another request hidden where only one
 * of them would read it as one.
 *
 * @module
 */

/** The name that a hidden request gives itself; a proxy names those that it forwards. */
export const HIDDEN_NAME = "hidden";

export interface Smuggling {
  readonly what: string;
  readonly bytes: string;
}

/** The catalogue, for a server that is named so in `Host`. */
export function smugglings(host: string, authorization: string): readonly Smuggling[] {
  const hidden = [
    ...["GET /v2/users/me HTTP/1.1", `Host: ${host}`, `Authorization: ${authorization}`],
    ...[`X-Request-Id: ${HIDDEN_NAME}`, "Connection: close", "", ""],
  ].join("\r\n");
  const post = (fields: readonly string[], body: string, line = "POST /v2/pages HTTP/1.1") =>
    [line, `Host: ${host}`, `Authorization: ${authorization}`, ...fields, "", body].join("\r\n");
  const length = `Content-Length: ${hidden.length}`;
  const chunked = "Transfer-Encoding: chunked";
  const inChunks = `0\r\n\r\n${hidden}`;
  const asBody = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const from = (group: string, cases: Readonly<Record<string, string>>) =>
    Object.entries(cases).map(([name, bytes]) => ({ what: `${group}: ${name}`, bytes }));
  return [
    ...from("both lengths", {
      "length first": post([`Content-Length: ${inChunks.length}`, chunked], inChunks),
      "chunked first": post([chunked, `Content-Length: ${inChunks.length}`], inChunks),
      "a short length": post(["Content-Length: 4", chunked], asBody),
      "length zero": post(["Content-Length: 0", chunked], asBody),
    }),
    ...codings.map((coding) => ({
      what: `Transfer-Encoding: ${JSON.stringify(coding)}`,
      bytes: post([`Content-Length: ${inChunks.length}`, `Transfer-Encoding:${coding}`], inChunks),
    })),
    ...codings.map((coding) => ({
      what: `Transfer-Encoding alone: ${JSON.stringify(coding)}`,
      bytes: post([`Transfer-Encoding:${coding}`], inChunks),
    })),
    ...lengths.map((value) => ({
      what: `Content-Length: ${JSON.stringify(value)}`,
      bytes: post([`Content-Length:${value}`], hidden),
    })),
    ...from("two lengths", {
      "the first is zero": post(["Content-Length: 0", length], hidden),
      "the last is zero": post([length, "Content-Length: 0"], hidden),
      "in one field": post([`Content-Length: 0, ${hidden.length}`], hidden),
    }),
    ...from("fields that are none", {
      "a space before the colon": post(["Transfer-Encoding : chunked", length], inChunks),
      "a folded field": post(["X: a", " Transfer-Encoding: chunked", length], inChunks),
      "a folded length": post(["X: a", ` ${length}`], hidden),
      "a bare CR": post([`X: a\r${chunked}`, length], inChunks),
      "a bare LF": post([`X: a\n${chunked}`], inChunks),
      "a NUL": post(["X: a\0b", length], hidden),
      "another letter": post(["Tran\u017Ffer-Encoding: chunked", length], inChunks),
      "an underscore": post(["Transfer_Encoding: chunked", length], inChunks),
      "named in Connection": post([length, "Connection: close, Content-Length"], hidden),
      "chunked named in Connection": post([chunked, "Connection: Transfer-Encoding"], asBody),
    }),
    ...from("chunks", {
      "a size with 0x": post([chunked], `0x0\r\n\r\n${hidden}`),
      "a negative size": post([chunked], `-1\r\n\r\n${hidden}`),
      "a size beyond 64 bits": post([chunked], `10000000000000000\r\n\r\n${hidden}`),
      "a size with a space": post([chunked], ` 0\r\n\r\n${hidden}`),
      "an extension with a LF": post([chunked], `0;a\nb\r\n\r\n${hidden}`),
      "an extension": post([chunked], `1;a="\r\n\r\n"\r\nx\r\n0\r\n\r\n`),
      "bare LFs": post([chunked], `0\n\n${hidden}`),
      "data longer than its size": post([chunked], `1\r\nxx0\r\n\r\n${hidden}`),
      "a trailer that names a length": post([chunked], `0\r\n${length}\r\n\r\n`),
      "a trailer without an end": post([chunked], `0\r\nX: ${hidden}`),
    }),
    ...from("bodies that nobody asked for", {
      "GET": post([length], hidden, "GET /v2/openapi/meta HTTP/1.1"),
      "GET in chunks": post([chunked], asBody, "GET /v2/openapi/meta HTTP/1.1"),
      "OPTIONS": post([length], hidden, "OPTIONS /v2/pages HTTP/1.1"),
      "a refusal": post([length], hidden, "POST /nowhere HTTP/1.1"),
      "HEAD": post([length], hidden, "HEAD /v2/openapi/meta HTTP/1.1"),
      "Expect": post([length, "Expect: 100-continue"], hidden),
      "Upgrade to h2c": post([
        ...["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"],
        length,
      ], hidden),
      "Upgrade to websocket": post([
        ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
        ...["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", length],
      ], hidden),
    }),
    ...from("versions", {
      "1.0 in chunks": post([chunked], inChunks, "POST /v2/pages HTTP/1.0"),
      "1.0 that is kept open": post(
        [length, "Connection: keep-alive"],
        hidden,
        "POST /v2/pages HTTP/1.0",
      ),
      "0.9": `GET /v2/openapi/meta\r\n${hidden}`,
      "2.0": post([length], hidden, "POST /v2/pages HTTP/2.0"),
      "a line in the target": post(
        [length],
        hidden,
        `POST /v2/pages HTTP/1.1\r\nX-Request-Id: ${HIDDEN_NAME}\r\n\r\nGET / HTTP/1.1`,
      ),
    }),
  ];
}

const codings = [
  ...[" xchunked", " identity", " chunked, identity", " identity, chunked", ' "chunked"'],
  ...[
    " chunked;q=1",
    "\x0bchunked",
    "\tchunked",
    " Chunked",
    " chunked ",
    " chunk",
    " gzip, chunked",
  ],
  ...["", " chunked, chunked", " ,chunked"],
];

const lengths = [" +0", " -0", " 0x0", " 00", " 1e0", " 0,0", "", " 99999999999999999999", " 0 0"];
