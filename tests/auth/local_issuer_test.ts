import { createAuthenticator } from "../../src/auth/authenticator.ts";
import { DEFAULT_AUDIENCE, LOCAL_ISSUER, openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { createJwtVerifier } from "../../src/auth/jwt.ts";
import { createKeySet } from "../../src/auth/keys.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { accept, NOW, RECTO_PUBLIC_URL, refuse, RULES } from "./support.ts";
import { withFolder } from "../support/folders.ts";

/** Runs a test with the path of a data folder that does not exist yet. */
function withDataFolder(test: (folder: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => test(`${folder}/data`));
}

const MINT = { scope: "pages.read", ttlSeconds: 60, now: NOW };

Deno.test("mint() signs tokens that the JWT verifier accepts until they expire", async () => {
  await withDataFolder(async (folder) => {
    const { issuer, audience, jwks, mint } = await openLocalIssuer({ folder });
    assertEquals([issuer, audience], [LOCAL_ISSUER, DEFAULT_AUDIENCE]);
    const keys = createKeySet(() => Promise.resolve(jwks));
    const jwt = createJwtVerifier({ ...RULES, issuer, audiences: [audience], keys });
    const authenticator = createAuthenticator({ publicUrl: RECTO_PUBLIC_URL, jwt });
    const options = { ...MINT, workspace: "acme", sub: "ada", name: "Ada", email: "a@recto.test" };
    const token = await mint(options);
    const { workspace, type, name, email, expiresAt } = await accept(token, { authenticator });
    assertEquals([workspace, type, name, email], ["acme", "person", "Ada", "a@recto.test"]);
    assertEquals(expiresAt, NOW + 60_000);
    assertEquals((await accept(await mint(MINT), { authenticator })).workspace, "default");
    await refuse(token, { authenticator, now: NOW + 90_000 });
  });
});

Deno.test("openLocalIssuer() publishes only the public key", async () => {
  await withDataFolder(async (folder) => {
    const { jwks } = await openLocalIssuer({ folder });
    const names = jwks.keys.map((key) => Object.keys(key).sort());
    assertEquals(names, [["alg", "crv", "kid", "kty", "use", "x", "y"]]);
  });
});

Deno.test("openLocalIssuer() makes the key file readable only by its owner", async () => {
  await withDataFolder(async (folder) => {
    const first = await openLocalIssuer({ folder });
    const files = Array.from(Deno.readDirSync(folder), ({ name }) => name);
    assertEquals(files, ["local_issuer.jwk.json"]);
    const { mode } = await Deno.stat(`${folder}/local_issuer.jwk.json`);
    assertEquals((mode ?? 0) & 0o777, 0o600);
    assertEquals((await openLocalIssuer({ folder })).jwks, first.jwks);
  });
});

Deno.test("openLocalIssuer() uses one key pair in all processes that start together", async () => {
  await withDataFolder(async (folder) => {
    const starts = Array.from({ length: 8 }, () => openLocalIssuer({ folder }));
    const issuers = await Promise.all(starts);
    assertEquals(new Set(issuers.map(({ jwks }) => JSON.stringify(jwks))).size, 1);
    assertEquals(Array.from(Deno.readDirSync(folder)).length, 1);
  });
});

Deno.test("openLocalIssuer() does not replace a damaged key file", async () => {
  await withDataFolder(async (folder) => {
    await Deno.mkdir(folder);
    const path = `${folder}/local_issuer.jwk.json`;
    for (const damaged of ["", "{}", '{"kty":"EC","crv":"P-256","x":"AA"']) {
      await Deno.writeTextFile(path, damaged);
      await assertRejects(() => openLocalIssuer({ folder }), Error, path);
      assertEquals(await Deno.readTextFile(path), damaged);
    }
  });
});
