import { rectoArgs, rectoEnv, startProcess } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { revokeUnderLoad } from "../security/revoke_load.ts";
import { withFolder } from "../support/folders.ts";
import { withSchema } from "./support.ts";

Deno.test("two processes on one PostgreSQL database accept no key or token a second after its revocation", () =>
  withFolder((folder) =>
    withSchema(async (_connection, url) => {
      await using started = new AsyncDisposableStack();
      const ports = [freePort(), freePort()];
      const env = { ...rectoEnv(8000, folder), DATABASE_URL: url, RECTO_LOG_LEVEL: "off" };
      for (const port of ports) {
        const own = { ...env, PORT: String(port) };
        started.use(await startProcess(rectoArgs(folder), { port, env: own }));
      }
      await revokeUnderLoad({ ports, env });
    })
  ));
