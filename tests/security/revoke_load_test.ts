import { rectoEnv } from "../bench/processes.ts";
import { startService } from "./service.ts";
import { withFolder } from "../support/folders.ts";
import { revokeUnderLoad } from "./revoke_load.ts";

Deno.test("two processes on one SQLite file accept no key or token a second after its revocation", () =>
  withFolder(async (folder) => {
    const services = [await startService(folder), await startService(folder)];
    try {
      const ports = services.map(({ port }) => port);
      await revokeUnderLoad({ ports, env: rectoEnv(8000, folder) });
    } finally {
      for (const service of services) await service.end("SIGTERM");
    }
  }));
