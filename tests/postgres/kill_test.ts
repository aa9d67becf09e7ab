import { killAgainAndAgain } from "../security/kills.ts";
import { withFolder } from "../support/folders.ts";
import { withSchema } from "./support.ts";

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test(`a ${signal} under load loses, doubles and tears no write`, () =>
    withSchema((_, url) =>
      withFolder(async (folder) => {
        const env = { DATABASE_URL: url };
        await killAgainAndAgain({ folder, env, signals: [signal, signal] });
      })
    ));
}
