import { assert, assertEquals } from "../assert.ts";
import { latin1, type Wire, type WireOptions, withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, NEW_PAGE, outcome } from "./support.ts";

const BODY = JSON.stringify(NEW_PAGE);
const SIZE = `Content-Length: ${BODY.length}`;
const CHUNKED = "Transfer-Encoding: chunked";

interface Writer extends Wire {
  /** The start of a POST of a page: its fields, then what stands behind them. */
  post(fields: readonly string[], body: string): string;
  /** A request behind it, answered 200, after which the connection closes. */
  readonly next: string;
  /** How many pages were written. */
  written(): number;
}

/** Runs a test against a server whose writes are counted. */
async function withWriter(
  test: (writer: Writer) => Promise<void>,
  options: WireOptions = {},
): Promise<void> {
  const { store, calls } = watchStore();
  await withServer(async (wire) => {
    const host = `Host: ${wire.host}`;
    const authorization = `Authorization: Bearer ${await wire.mint()}`;
    const start = [host, authorization, "Content-Type: application/json"];
    await test({
      ...wire,
      post: (fields, body) =>
        ["POST /v2/pages HTTP/1.1", ...start, ...fields, "", body].join("\r\n"),
      next: lastRequest("GET /healthz HTTP/1.1", [host]),
      written: () => calls.filter((name) => name === "commit").length,
    });
  }, { ...options, store });
}

function chunk(data: string): string {
  return `${data.length.toString(16)}\r\n${data}\r\n`;
}

Deno.test("a body by length and one in chunks are each read to their end and no further", () =>
  withWriter(async ({ exchange, post, next, written }) => {
    const wholes = [
      post([SIZE], BODY),
      post([CHUNKED], `${chunk(BODY.slice(0, 7))}${chunk(BODY.slice(7))}0\r\n\r\n`),
      post([CHUNKED], `${chunk(BODY)}0\r\nContent-Length: 5\r\nAuthorization: x\r\n\r\n`),
      post([CHUNKED], `${chunk(BODY).replace("\r\n", ";ext=1\r\n")}0\r\n\r\n`),
    ];
    for (const [index, whole] of wholes.entries()) {
      assertEquals((await exchange(whole + next)).map(outcome), ["200", "200"], whole);
      assertEquals(written(), index + 1);
    }
  }));

Deno.test("a body whose end two readers could see at two places is refused and writes nothing", () =>
  withWriter(async ({ exchange, post, next, written }) => {
    const fields = [
      [CHUNKED, "Content-Length: 3"],
      [SIZE, "Content-Length: 3"],
      [CHUNKED, CHUNKED],
      [`Content-Length: ${BODY.length}, ${BODY.length}`],
      ...["+45", "-1", "0x2d", "1e1", "", "99999999999999999999"].map((
        n,
      ) => [`Content-Length: ${n}`]),
      ...["xchunked", "identity", "chunked, identity", '"chunked"', "chunked;q=1", "\x0bchunked"]
        .map((coding) => [`Transfer-Encoding: ${coding}`]),
      ["Transfer-Encoding : chunked"],
      ["X: a", " Transfer-Encoding: chunked"],
      ["X: a\rTransfer-Encoding: chunked"],
      ["X: a\0b", SIZE],
    ];
    for (const some of fields) {
      const answers = await exchange(post(some, `${chunk(BODY)}0\r\n\r\n`) + next);
      assertEquals(answers.map(outcome), ["400"], some.join("|"));
    }
    assertEquals(written(), 0);
  }));

Deno.test("a body in a coding that is not taken apart is refused", () =>
  withWriter(async ({ exchange, post, written }) => {
    const coded = post(
      ["Transfer-Encoding: gzip, chunked", "Connection: close"],
      `${chunk(BODY)}0\r\n\r\n`,
    );
    assertEquals((await exchange(coded)).map(outcome), ["501 not_implemented"]);
    assertEquals(written(), 0);
  }));

Deno.test("a chunk that is malformed ends the connection and writes nothing", () =>
  withWriter(async ({ exchange, post, next, written, logged }) => {
    const size = BODY.length.toString(16);
    const broken = [
      `0x${size}\r\n${BODY}\r\n0\r\n\r\n`,
      `-1\r\n${BODY}\r\n0\r\n\r\n`,
      `zz\r\n${BODY}\r\n0\r\n\r\n`,
      `fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`,
      `${size}\n${BODY}\n0\n\n`,
      `${size}\r\n${BODY}XX0\r\n\r\n`,
    ];
    for (const chunks of broken) {
      const answers = await exchange(post([CHUNKED], chunks) + next);
      assert(answers.every(({ status }) => status === 400), chunks);
    }
    assertEquals(written(), 0);
    assert(logged().every(({ status, code }) => status === 400 && code === "invalid_request"));
  }));

Deno.test("a body under a request that takes none is never read as another request", () =>
  withWriter(async ({ exchange, host, next, logged }) => {
    const hidden = "GET /v2/openapi.json HTTP/1.1\r\nHost: h\r\n\r\n";
    const size = `Content-Length: ${hidden.length}`;
    const carriers = [
      ["GET /healthz HTTP/1.1", size, hidden],
      ["GET /healthz HTTP/1.1", CHUNKED, `${chunk(hidden)}0\r\n\r\n`],
      ["GET /nowhere HTTP/1.1", size, hidden],
      ["POST /v2/pages HTTP/1.1", size, hidden],
      ["OPTIONS /healthz HTTP/1.1", size, hidden],
    ];
    for (const [line = "", field = "", body = ""] of carriers) {
      const raw = [line, `Host: ${host}`, field, "", body].join("\r\n");
      const answers = await exchange(raw + next);
      assert(answers.length <= 2, `${answers.length} answers to ${line}`);
    }
    assert(logged().every(({ route }) => route !== "/v2/openapi.json"));
  }));

Deno.test("a body over the limit is a 413 whatever its length claims", () =>
  withWriter(async ({ firstAnswer, post, written }) => {
    const large = `{"x":"${"x".repeat(2_000)}"}`;
    const bodies = [
      post(["Content-Length: 1001"], large.slice(0, 1_001)),
      post(["Content-Length: 1073741824"], ""),
      post([CHUNKED], `${chunk(large)}0\r\n\r\n`),
      post([CHUNKED], chunk("x".repeat(1_000)) + chunk("x")),
    ];
    for (const body of bodies) {
      const answer = await firstAnswer(body);
      assertEquals(outcome(answer), "413 payload_too_large");
      assert(answer.headers.get("connection")?.includes("close"));
    }
    const exact = await firstAnswer(post(["Content-Length: 1000"], BODY.padEnd(1_000)));
    assertEquals(exact.status, 200);
    assertEquals(written(), 1);
  }, { limits: { bodyBytes: 1_000 } }));

Deno.test("chunks without an end are answered with 413 at the limit", () =>
  withWriter(async ({ connect, post, written }) => {
    const connection = await connect();
    await connection.write(post([CHUNKED], ""));
    const part = latin1(chunk("x".repeat(60_000)));
    let isAnswered = false;
    const writing = (async () => {
      while (!isAnswered) await connection.write(part);
    })().catch(() => {});
    const answer = await connection.readOne();
    isAnswered = true;
    connection.close();
    await writing;
    assertEquals(outcome(answer), "413 payload_too_large");
    assertEquals(written(), 0);
  }));

Deno.test("a body that stops half way is a 400 once its time is over, even if it is whole JSON", () =>
  withWriter(async ({ firstAnswer, post, written }) => {
    const stalls = [
      post(["Content-Length: 1000"], BODY.slice(0, 10)),
      post(["Content-Length: 1000"], BODY),
      post([CHUNKED], chunk(BODY)),
      post([CHUNKED], "5\r\n{"),
    ];
    for (const stalled of stalls) {
      const answer = await firstAnswer(stalled);
      assertEquals(outcome(answer), "400 invalid_request");
      assertEquals(JSON.parse(answer.text).message, "Body did not arrive in time");
      assertEquals(answer.headers.get("connection"), "close");
    }
    assertEquals(written(), 0);
  }, { limits: { bodyTime: 50 } }));

Deno.test("a client that leaves in the middle of a body has written nothing", () =>
  withWriter(async ({ connect, post, stop, written, logged }) => {
    for (const half of [post(["Content-Length: 1000"], BODY), post([CHUNKED], chunk(BODY))]) {
      const connection = await connect();
      await connection.write(half);
      connection.close();
    }
    await stop();
    assertEquals(written(), 0);
    assert(logged().every(({ status }) => status === 400), JSON.stringify(logged()));
  }));

Deno.test("Expect: 100-continue is answered, and another expectation refused", () =>
  withWriter(async ({ exchange, post, written }) => {
    const asked = post(["Expect: 100-continue", SIZE, "Connection: close"], BODY);
    assertEquals((await exchange(asked)).map(outcome), ["100", "200"]);
    const other = post(["Expect: 200-ok", SIZE, "Connection: close"], BODY);
    assertEquals((await exchange(other)).map(outcome), ["417 expectation_failed"]);
    assertEquals(written(), 1);
  }));
