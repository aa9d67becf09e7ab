import { assertEquals } from "../assert.ts";
import { listening } from "../bench/processes.ts";
import { startService, statusAlone } from "./service.ts";
import { withFolder } from "../support/folders.ts";

const MOST_FILES = 256;
const CONNECTIONS = 1_000;

Deno.test(`Case 64: ${CONNECTIONS} connections to a process that may open ${MOST_FILES} files end no service`, () =>
  withFolder(async (folder) => {
    const under = ["sh", "-c", `ulimit -n ${MOST_FILES}; exec "$0" "$@"`];
    const service = await startService(folder, { under });
    const connections: Promise<Deno.Conn | undefined>[] = [];
    try {
      // Not waited for: the system keeps some waiting until the service takes them.
      for (let number = 0; number < CONNECTIONS; number++) connections.push(connect(service.port));
      await connections[0];
      for (const connection of connections) connection.then((one) => one?.close());
      assertEquals((await Promise.all(connections)).length, CONNECTIONS);
      // It listens again once it has files to do so with.
      await listening(service.port);
      // More than it may have open: it has all its files back.
      for (let number = 0; number <= MOST_FILES; number++) {
        assertEquals(await statusAlone(service, "/v2/users/me"), 200);
      }
      assertEquals(await statusAlone(service, "/readyz"), 200);
    } finally {
      // The process of the start: it was not replaced.
      assertEquals((await service.end("SIGTERM")).code, 0);
    }
  }));

function connect(port: number): Promise<Deno.Conn | undefined> {
  return Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
}
