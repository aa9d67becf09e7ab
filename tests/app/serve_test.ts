import { baseUrl, mint, rectoEnv, startProcess } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { withFolder } from "../support/folders.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { NEW_PAGE } from "../security/support.ts";
import { assertEquals } from "../assert.ts";

for (const flags of [[], ["--parallel"]]) {
  Deno.test(`deno serve ${flags.join(" ")} serves the API`, () =>
    withFolder(async (folder) => {
      const port = freePort();
      const permissions = ["--allow-net", "--allow-env", `--allow-write=${folder}`];
      const args = ["serve", "--no-prompt", ...flags, `--host=127.0.0.1`, `--port=${port}`];
      await using _ = await startProcess([
        ...args,
        ...permissions,
        `--allow-read=${folder},assets,policy,spec,src`,
        "serve.ts",
      ], { port, env: { ...rectoEnv(port, folder), DENO_JOBS: "2" } });
      const token = await mint(folder, ALL_SCOPES);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const created = await fetch(`${baseUrl(port)}/v2/pages`, {
        method: "POST",
        headers,
        body: JSON.stringify(NEW_PAGE),
      });
      const { id } = await created.json();
      const read = await fetch(`${baseUrl(port)}/v2/pages/${id}`, { headers });
      assertEquals([created.status, read.status, (await read.json()).id], [200, 200, id]);
    }));
}
