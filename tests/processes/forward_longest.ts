/**
 * Forwards requests with the longest URL and the longest fields of each letter over the socket, and
 * prints which of them arrived as they were.
 *
 * @module
 */
import { LIMITS } from "../../src/http/request.ts";
import { createPrimaryClient, startPrimaryServer } from "../../src/processes/forwarding.ts";

const [path = ""] = Deno.args;
const server = startPrimaryServer(path, {
  requests: ({ url, headers }) => Promise.resolve(Response.json([url, [...headers]])),
  ownCalls: (bytes) => Promise.resolve(bytes),
});
const client = createPrimaryClient(path);
const url = `http://recto.example/${"a".repeat(LIMITS.urlLength)}`;
const names = Array.from({ length: LIMITS.headerFields }, (_, index) => `x-${index}`).sort();
const length = Math.floor(LIMITS.headerBytes / names.length);
for (const letter of ['"', "é", "\\", "ÿ", "a"]) {
  const headers = names.map((name): [string, string] => [name, letter.repeat(length)]);
  const response = await client.forward(new Request(url, { headers }), undefined);
  const isSame = await response.text() === JSON.stringify([url, headers]);
  // deno-lint-ignore no-console -- a program prints
  console.log(`${letter} ${isSame ? "arrived" : "was lost"}`);
}
client.close();
await server.shutdown();
