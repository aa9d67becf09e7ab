import { LIMITS } from "../../src/http/request.ts";
import { createPrimaryClient, startPrimaryServer } from "../../src/processes/forwarding.ts";
import { assertEquals } from "../assert.ts";
import { withFolder } from "../support/folders.ts";

Deno.test("requests reach the primary without looking up a name", () =>
  withFolder(async (folder) => {
    const path = `${folder}/recto.sock`;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--config", "tests/deno.json"],
        // Deno refuses to look up a name without the permission for it.
        ...[`--allow-net=127.0.0.1,unix:${path}`, `--allow-read=${path}`, `--allow-write=${path}`],
        ...["tests/processes/forward_once.ts", path],
      ],
      stderr: "inherit",
    }).output();
    assertEquals([code, new TextDecoder().decode(stdout)], [
      0,
      "http://recto.example/v2/pages 1,2\n",
    ]);
  }));

Deno.test("the longest URL and fields reach the primary, whatever their characters", () =>
  withFolder(async (folder) => {
    const path = `${folder}/recto.sock`;
    const server = startPrimaryServer(path, {
      requests: ({ url, headers }) => Promise.resolve(Response.json([url, [...headers]])),
      ownCalls: (bytes) => Promise.resolve(bytes),
    });
    const client = createPrimaryClient(path);
    const url = `http://recto.example/${"a".repeat(LIMITS.urlLength)}`;
    const names = Array.from({ length: LIMITS.headerFields }, (_, index) => `x-${index}`);
    try {
      for (const letter of ['"', "é", "\\", "ÿ", "a"]) {
        const length = Math.floor(LIMITS.headerBytes / names.length);
        const headers = names.map((name): [string, string] => [name, letter.repeat(length)]);
        const response = await client.forward(new Request(url, { headers }), undefined);
        assertEquals(await response.json(), [url, headers.toSorted(([a], [b]) => a < b ? -1 : 1)]);
      }
    } finally {
      client.close();
      await server.shutdown();
    }
  }));
