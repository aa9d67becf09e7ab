import { ApiError } from "../../../src/cli/transfer/api_error.ts";
import { createApiClient } from "../../../src/cli/transfer/api_client.ts";
import { createChannel, type Sending } from "../../../src/cli/transfer/channel.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";

const SERVER = "http://recto.test";
const AT_ONCE = { sleep: () => Promise.resolve() };

/** Returns the fetch of a server that replies so, one after the other. */
function replying(...replies: readonly ((request: Request) => Response | Promise<Response>)[]) {
  const requests: Request[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const reply = replies[requests.length];
    requests.push(request);
    return Promise.resolve(reply?.(request) ?? new Response("no more replies", { status: 410 }));
  };
  return { fetch, requests };
}

/** A response that breaks off. */
function broken(): Response {
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(new TypeError("connection reset"));
      },
    }),
  );
}

/** No response, as long as the request waits. */
function silence({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

function sending(timeLimit: number | undefined): Sending<string> {
  const read = (response: Response) => response.text();
  return { method: "GET", url: `${SERVER}/v2/users/me`, headers: {}, timeLimit, read };
}

Deno.test("a response that breaks off is asked for again, with the same idempotency key", async () => {
  const { fetch, requests } = replying(broken, () => Response.json({ id: "1" }));
  const api = createApiClient({ server: SERVER, token: "t", fetch, ...AT_ONCE });
  assertEquals(await api.post("/v2/pages", {}), { id: "1" });
  const [first, second] = requests.map(({ headers }) => headers.get("idempotency-key"));
  assertEquals(first, second);
});

Deno.test("a request that nobody answers is sent again after its time", async () => {
  const { fetch } = replying(silence, () => new Response("here"));
  const channel = createChannel({ parallel: 1, fetch, ...AT_ONCE });
  assertEquals(await channel.send(sending(1)), "here");
});

Deno.test("a request that fails is sent again, unless the server has damaged data", async () => {
  for (const [code, sent] of [["internal_server_error", 8], ["data_corrupted", 1]] as const) {
    const failure = () => Response.json({ code, message: "No" }, { status: 500 });
    const { fetch, requests } = replying(...Array.from({ length: 9 }, () => failure));
    const channel = createChannel({ parallel: 1, fetch, ...AT_ONCE });
    await assertRejects(() => channel.send(sending(undefined)), ApiError, "No");
    assertEquals(requests.length, sent);
  }
});

const FILE = { name: "a.txt", contentType: "text/plain", size: 1 };

Deno.test("the reply to an upload is read, so that its connection is free", async () => {
  const reply = new Response("stored");
  const { fetch } = replying(
    () => Response.json({ id: "1", upload_url: `${SERVER}/files/upload/1` }),
    () => reply,
  );
  const api = createApiClient({ server: SERVER, token: "t", fetch, ...AT_ONCE });
  await api.upload({ ...FILE, open: () => Promise.resolve(new Blob(["a"]).stream()) });
  assert(reply.bodyUsed);
});

Deno.test("a file that cannot be read is not an error of the server", async () => {
  const { fetch, requests } = replying(
    () => Response.json({ id: "1", upload_url: `${SERVER}/files/upload/1` }),
  );
  const api = createApiClient({ server: SERVER, token: "t", fetch, ...AT_ONCE });
  const open = () => Promise.reject(new TypeError("invalid distance too far back"));
  await assertRejects(() => api.upload({ ...FILE, open }), TypeError, "invalid distance");
  assertEquals(requests.length, 1);
});
