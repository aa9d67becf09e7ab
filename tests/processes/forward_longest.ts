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
const names = Array.from({ length: LIMITS.headerFields }, (_, index) => `x-${index}`).sort();
const length = Math.floor(LIMITS.headerBytes / names.length);
for (const character of ["a", '"', "\\", "…", "😀"]) {
  const origin = "http://recto.example/";
  const url = origin + character.repeat((LIMITS.urlLength - origin.length) / character.length);
  for (const letter of ['"', "é", "\\", "ÿ", "a"]) {
    const fields = names.map((name): [string, string] => {
      return [name, letter.repeat(length - name.length)];
    });
    // A `Request` would escape the URL, which that of the server does not.
    const request = { method: "GET", url, headers: new Headers(fields), body: null };
    const response = await client.forward(request, undefined);
    const isSame = await response.text() === JSON.stringify([url, fields]);
    // deno-lint-ignore no-console -- a program prints
    console.log(`${character} ${letter} ${isSame ? "arrived" : "was lost"}`);
  }
}
client.close();
await server.shutdown();
