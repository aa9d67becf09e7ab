import { assert, assertEquals } from "../assert.ts";
import { latin1, withServer } from "../support/socket.ts";
import { withFolder } from "../support/folders.ts";
import { lastRequest } from "../security/support.ts";
import { PROXIES } from "./proxies.ts";
import { HIDDEN_NAME, smugglings } from "./smuggling.ts";

/** Milliseconds without a byte until a proxy that waits for more of a request is left, and any other. */
const WAITING = 300;
const PATIENCE = 20_000;

/** Sends bytes, and answers what came back until the other side closed or said no more for a while. */
async function exchange(port: number, bytes: string, patience = PATIENCE): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const decoder = new TextDecoder();
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.close(), patience);
  };
  try {
    leave();
    await connection.write(latin1(bytes));
    const chunk = new Uint8Array(65_536);
    for (let count; (count = await connection.read(chunk)) !== null;) {
      text += decoder.decode(chunk.subarray(0, count));
      leave();
    }
    connection.close();
  } catch {
    // Closed by us, or reset by who would read no more.
  } finally {
    clearTimeout(timer);
  }
  return text;
}

for (const [name, startProxy] of Object.entries(PROXIES)) {
  Deno.test(`Case 65: behind ${name} no request is served that it did not see as one`, () =>
    withServer(({ host, port: behind, mint, logged }) =>
      withFolder(async (folder) => {
        await using proxy = await startProxy({ folder, behind });
        const authorization = `Bearer ${await mint()}`;
        const fields = [`Host: ${host}`, `Authorization: ${authorization}`];
        const probe = lastRequest("GET /v2/users/me HTTP/1.1", [
          ...fields,
          `X-Request-Id: ${HIDDEN_NAME}`,
        ]);
        assert((await exchange(behind, probe)).startsWith("HTTP/1.1 200"));
        // Without a proxy the id is the client's: so a request that slips past one would be seen.
        assertEquals(logged().map(({ request_id }) => request_id), [HIDDEN_NAME]);
        const catalogue = smugglings(host, authorization);
        assert(catalogue.length >= 60, `${catalogue.length} ways are tried`);
        for (const { what, bytes } of catalogue) {
          const before = logged().length;
          await exchange(proxy.port, bytes, WAITING);
          const after = await exchange(proxy.port, probe);
          assert(after.startsWith("HTTP/1.1 200"), `After ${what} came ${after}`);
          const seen = logged().slice(before).map(({ request_id }) => request_id);
          assert(!seen.includes(HIDDEN_NAME), `${what}: the hidden request was served`);
        }
        const ids = logged().slice(1).map(({ request_id }) => request_id);
        assertEquals(new Set(ids).size, ids.length, "each has its own id");
        assert(ids.length >= catalogue.length, "the probes went through the proxy");
      })
    ));
}
