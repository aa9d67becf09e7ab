import { answering, baseUrl, startProcess } from "../bench/processes.ts";
import { NEW_PAGE } from "../security/support.ts";
import { assert, assertEquals } from "../assert.ts";
import { startIssuer } from "../support/issuer.ts";
import { freePort } from "../support/ports.ts";
import { withSchema } from "./support.ts";

for (const flags of [[], ["--parallel"]]) {
  Deno.test(`deno serve ${flags.join(" ")} needs PostgreSQL, a bucket and an issuer, and writes and runs nothing`, () =>
    withSchema(async (_, url) => {
      const port = freePort();
      await using issuer = await startIssuer();
      const env = {
        DATABASE_URL: url,
        RECTO_PUBLIC_URL: "https://recto.test",
        RECTO_AUTH_ISSUER: issuer.origin,
        RECTO_AUTH_AUDIENCE: "recto",
        RECTO_FILES: "s3",
        RECTO_S3_ENDPOINT: issuer.origin,
        RECTO_S3_BUCKET: "files",
        RECTO_S3_KEY_ID: "id",
        RECTO_S3_SECRET: "secret",
        DENO_JOBS: "2",
      };
      await using _process = await startProcess([
        ...["serve", "--no-prompt", ...flags, "--host=127.0.0.1", `--port=${port}`],
        // No disk: it may write nothing, and run nothing.
        ...["--allow-net", "--allow-env", "--allow-read=assets,policy,spec,src", "serve.ts"],
      ], { port, env, ready: answering });
      const headers = {
        authorization: `Bearer ${await issuer.mint("recto")}`,
        "content-type": "application/json",
      };
      const send = async (method: string, path: string, body?: unknown) => {
        const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        const answer = await fetch(`${baseUrl(port)}${path}`, init);
        return { status: answer.status, json: await answer.json() };
      };
      const created = await send("POST", "/v2/pages", NEW_PAGE);
      assertEquals(created.status, 200, JSON.stringify(created.json));
      assertEquals((await send("GET", `/v2/pages/${created.json.id}`)).status, 200);
      assert(created.json.url.startsWith("https://recto.test/"), "URLs name the public address");
      const grant = await send("POST", "/v2/files/upload-url", {
        filename: "a.txt",
        content_type: "text/plain",
      });
      assert(grant.json.upload_url.startsWith(`${issuer.origin}/files/`), "files go to the bucket");
    }));
}
