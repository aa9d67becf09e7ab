import { assert, assertEquals } from "../assert.ts";
import { startService } from "./service.ts";
import { withFolder } from "../support/folders.ts";

const CLIENTS = 100;
/** A body of nearly 1 MiB, the most that is taken. */
const BODY = JSON.stringify({
  parent: { workspace: true },
  properties: {},
  children: Array.from({ length: 100 }, () => ({
    paragraph: {
      rich_text: Array.from({ length: 5 }, () => ({ text: { content: "x".repeat(2_000) } })),
    },
  })),
});

Deno.test(`Case 69: ${CLIENTS} of the largest bodies at once, in little memory, end no service`, () =>
  withFolder(async (folder) => {
    assert(BODY.length > 1_000_000 && BODY.length < 2 ** 20, `${BODY.length} bytes`);
    const flags = ["--v8-flags=--max-old-space-size=512"];
    const service = await startService(folder, { flags });
    const { origin, headers } = service;
    const send = async () => {
      const response = await fetch(`${origin}/v2/pages`, { method: "POST", headers, body: BODY });
      await response.body?.cancel();
      return response.status;
    };
    try {
      const statuses = await Promise.all(Array.from({ length: CLIENTS }, send));
      assertEquals(statuses.filter((status) => ![200, 413, 503].includes(status)), []);
      assertEquals(await send(), 200);
    } finally {
      await service.end("SIGTERM");
    }
  }));

Deno.test("Case 63: hundreds of connections that say nothing, or half of it, hold up nobody else", () =>
  withFolder(async (folder) => {
    const service = await startService(folder);
    const { origin, port, headers } = service;
    const starts = [
      "",
      "GET /healthz HTTP/1.1\r\nHo",
      `POST /v2/pages HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${
        headers["authorization"]
      }\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    ];
    const open: Deno.Conn[] = [];
    try {
      for (let number = 0; number < 300; number++) {
        const connection = await Deno.connect({ hostname: "127.0.0.1", port });
        open.push(connection);
        const start = starts[number % starts.length] ?? "";
        await connection.write(new TextEncoder().encode(start));
      }
      for (let number = 0; number < 50; number++) {
        const response = await fetch(`${origin}/v2/users/me`, { headers });
        await response.body?.cancel();
        assertEquals(response.status, 200);
      }
    } finally {
      for (const connection of open) connection.close();
      await service.end("SIGKILL");
    }
  }));
