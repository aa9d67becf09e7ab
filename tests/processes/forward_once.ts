/**
 * Passes a request and a call on to a primary of its own over a socket, and prints what came back. Its
 * argument is the path of the socket.
 *
 * @module
 */
import { createPrimaryClient, startPrimaryServer } from "../../src/processes/forwarding.ts";

const [path = ""] = Deno.args;
const server = startPrimaryServer(path, {
  requests: ({ url }) => Promise.resolve(new Response(url)),
  ownCalls: (bytes) => Promise.resolve(bytes),
});
const client = createPrimaryClient(path);
const response = await client.forward(new Request("http://recto.example/v2/pages"), undefined);
const called = await client.send(new Uint8Array([1, 2]));
// deno-lint-ignore no-console -- a program prints
console.log(`${await response.text()} ${called.join()}`);
client.close();
await server.shutdown();
