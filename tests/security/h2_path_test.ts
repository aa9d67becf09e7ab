import { assertEquals } from "../assert.ts";
import { withServer } from "../support/socket.ts";

const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const [HEADERS, SETTINGS] = [1, 4];
/** END_STREAM and END_HEADERS. */
const WHOLE = 5;
/** Entries of HPACK's static table (RFC 7541 appendix A). */
const [AUTHORITY, METHOD_GET, PATH, SCHEME_HTTP] = [1, 0x82, 4, 0x86];

function frame(type: number, flags: number, stream: number, payload: readonly number[]): number[] {
  return [0, payload.length >> 8, payload.length & 255, type, flags, 0, 0, 0, stream, ...payload];
}

function literal(name: number, value: string): number[] {
  return [name, value.length, ...new TextEncoder().encode(value)];
}

/** A connection that begins with HTTP/2 and asks for one path. */
function askFor(path: string, host: string): Uint8Array {
  const fields = [METHOD_GET, SCHEME_HTTP, ...literal(PATH, path), ...literal(AUTHORITY, host)];
  return new Uint8Array([
    ...PREFACE,
    ...frame(SETTINGS, 0, 0, []),
    ...frame(HEADERS, WHOLE, 1, fields),
  ]);
}

// Deno 2.9.6 puts the slash in front before anybody can see that it was not there: `request.url`, the
// only sign of the path, is the same. So the path cannot be refused; it must not be judged otherwise.
Deno.test("a path of HTTP/2 without its slash is judged as the one that has it", () =>
  withServer(async ({ connect, host, logged }) => {
    const seen = [];
    for (
      const path of ["/v2/users/me", "v2/users/me", "/v2/pages/..", "v2/pages/..", "v2//pages"]
    ) {
      const before = logged().length;
      const connection = await connect();
      await connection.write(askFor(path, host));
      await connection.readSome(10);
      while (logged().length === before) await new Promise((resolve) => setTimeout(resolve, 5));
      const { route, status } = logged().at(-1) ?? {};
      seen.push([route, status]);
      connection.close();
    }
    assertEquals(seen, [
      ["/v2/users/:user_id", 401],
      ["/v2/users/:user_id", 401],
      [null, 404],
      [null, 404],
      [null, 404],
    ]);
  }));
