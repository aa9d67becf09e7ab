import { assertEquals } from "../assert.ts";
import { answering } from "../bench/processes.ts";
import { startService } from "./service.ts";
import { withFolder } from "../support/folders.ts";

const MOST_FILES = 256;
const CONNECTIONS = 500;

Deno.test("Case 64: connections beyond the files that a process may open end no service", () =>
  withFolder(async (folder) => {
    const under = ["sh", "-c", `ulimit -n ${MOST_FILES}; exec "$0" "$@"`];
    const service = await startService(folder, { under });
    const connections: Promise<Deno.Conn | undefined>[] = [];
    try {
      // Not waited for: the system keeps some waiting until the service takes them.
      for (let number = 0; number < CONNECTIONS; number++) connections.push(connect(service.port));
      await connections[0];
      for (const connection of connections) connection.then((one) => one?.close());
      // It listens again once it has files to do so with.
      await answering(service.port);
      const ready = await fetch(`${service.origin}/readyz`);
      assertEquals([ready.status, (await ready.json()).status], [200, "ready"]);
      await Promise.all(connections);
    } finally {
      await service.end("SIGTERM");
    }
  }));

function connect(port: number): Promise<Deno.Conn | undefined> {
  return Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
}
