import { createPrimaryClient, startPrimaryServer } from "../../src/processes/forwarding.ts";
import { assertEquals } from "../assert.ts";

const path = `/tmp/recto-${crypto.randomUUID()}.sock`;
// Deno refuses to look up a name without the permission for it.
const permissions = {
  net: ["127.0.0.1", `unix:${path}`],
  read: [path],
  write: [path],
};

Deno.test(
  { name: "requests reach the primary without looking up a name", permissions },
  async () => {
    const server = startPrimaryServer(path, {
      requests: ({ url }) => Promise.resolve(new Response(url)),
      ownCalls: (bytes) => Promise.resolve(bytes),
    });
    const client = createPrimaryClient(path);
    const request = new Request("http://recto.example/v2/pages?page_size=2");
    assertEquals(await (await client.forward(request, undefined)).text(), request.url);
    assertEquals(await client.send(new Uint8Array([1, 2])), new Uint8Array([1, 2]));
    client.close();
    await server.shutdown();
  },
);
