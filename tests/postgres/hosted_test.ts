import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { answering, baseUrl, startProcess } from "../bench/processes.ts";
import { NEW_PAGE } from "../security/support.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { freePort } from "../support/ports.ts";
import { withSchema } from "./support.ts";

/** An issuer with one key, which signs a token of all scopes. */
async function startIssuer(audience: string) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...await exportJWK(publicKey), kid: "1", alg: "ES256", use: "sig" };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json({ keys: [key] }),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const token = await new SignJWT({ scope: ALL_SCOPES, client_id: "test" })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "1" })
    .setIssuer(origin).setAudience(audience).setSubject("ada").setJti("1").setIssuedAt()
    .setExpirationTime("10 minutes").sign(privateKey);
  return { server, origin, token };
}

for (const flags of [[], ["--parallel"]]) {
  Deno.test(`deno serve ${flags.join(" ")} needs PostgreSQL, a bucket and an issuer, and writes and runs nothing`, () =>
    withSchema(async (_, url) => {
      const port = freePort();
      const issuer = await startIssuer("recto");
      await using _server = issuer.server;
      const env = {
        DATABASE_URL: url,
        RECTO_PUBLIC_URL: "https://recto.test",
        RECTO_AUTH_ISSUER: issuer.origin,
        RECTO_AUTH_AUDIENCE: "recto",
        RECTO_AUTH_JWKS_URL: `${issuer.origin}/jwks`,
        RECTO_FILES: "s3",
        RECTO_S3_ENDPOINT: issuer.origin,
        ...{ RECTO_S3_BUCKET: "files", RECTO_S3_KEY_ID: "id", RECTO_S3_SECRET: "secret" },
        DENO_JOBS: "2",
      };
      await using _process = await startProcess([
        ...["serve", "--no-prompt", ...flags, "--host=127.0.0.1", `--port=${port}`],
        // No disk: it may write nothing, and run nothing.
        ...["--allow-net", "--allow-env", "--allow-read=assets,policy,spec,src", "serve.ts"],
      ], { port, env, ready: answering });
      const headers = {
        authorization: `Bearer ${issuer.token}`,
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
        ...{ filename: "a.txt", content_type: "text/plain" },
      });
      assert(grant.json.upload_url.startsWith(`${issuer.origin}/files/`), "files go to the bucket");
    }));
}
