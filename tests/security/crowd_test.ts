import { assert, assertEquals } from "../assert.ts";
import { type ServiceProcess, startService, statusAlone } from "./service.ts";
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

/** Connections that send nothing, half of their head, and half of their body, each. */
const STALLED = 500;
/** Requests of a client that sends all that it begins, each on a new connection. */
const REQUESTS = 50;

Deno.test(`Case 63: ${STALLED} connections each that say nothing, half a head or half a body hold up nobody else`, () =>
  withFolder(async (folder) => {
    const service = await startService(folder);
    const { port, headers } = service;
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
      for (let number = 0; number < starts.length * STALLED; number++) {
        open.push(await stall(port, starts[number % starts.length] ?? ""));
      }
      assertEquals(await served(service), REQUESTS);
      for (const connection of open.splice(0)) connection.close();
      assertEquals(await served(service), REQUESTS);
    } finally {
      for (const connection of open) connection.close();
      await service.end("SIGKILL");
    }
  }));

/** Connects, and sends no more than this. */
async function stall(port: number, start: string): Promise<Deno.Conn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(start));
  return connection;
}

/** Sends requests one after the other, and counts those that are answered with 200. */
async function served(service: ServiceProcess): Promise<number> {
  let count = 0;
  for (let number = 0; number < REQUESTS; number++) {
    if (await statusAlone(service, "/v2/users/me") === 200) count++;
  }
  return count;
}
