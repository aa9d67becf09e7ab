import { decodeJwt } from "jose";
import { type Authenticator, createAuthenticator } from "../../src/auth/authenticator.ts";
import { createJwtVerifier } from "../../src/auth/jwt.ts";
import { createKeySet } from "../../src/auth/keys.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import {
  readRevokedToken,
  revokeLocalToken,
  rotateLocalIssuer,
} from "../../src/auth/local_issuer_changes.ts";
import { issuerFileRevision } from "../../src/auth/local_issuer_file.ts";
import { assert, assertEquals, assertNotEquals, assertRejects } from "../assert.ts";
import { accept, mint as mintElsewhere, NOW, RECTO_PUBLIC_URL, refuse, RULES } from "./support.ts";

const HOUR = 3_600_000;

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Mints a token as the CLI does. */
async function mint(folder: string): Promise<string> {
  const { mint } = await openLocalIssuer({ folder });
  return await mint({ scope: "pages.read", ttlSeconds: 30 * 86_400, now: NOW });
}

/** An authenticator that knows the folder as it is now. */
async function open(folder: string): Promise<Authenticator> {
  const { issuer, audience, jwks, guard } = await openLocalIssuer({ folder });
  const keys = createKeySet(() => Promise.resolve(jwks));
  const jwt = guard(createJwtVerifier({ ...RULES, issuer, audiences: [audience], keys }));
  return createAuthenticator({ publicUrl: RECTO_PUBLIC_URL, jwt });
}

Deno.test("rotateLocalIssuer() lets older tokens work until the grace period ends", () =>
  withFolder(async (folder) => {
    const before = await mint(folder);
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + HOUR });
    const after = await mint(folder);
    const authenticator = await open(folder);
    const cached = await accept(before, { authenticator });
    assertEquals(cached.expiresAt, NOW + HOUR, "the cache trusts it no longer than that");
    await accept(before, { authenticator, now: NOW + HOUR - 1 });
    await refuse(before, { authenticator, now: NOW + HOUR });
    await accept(after, { authenticator, now: NOW + HOUR });
  }));

Deno.test("rotateLocalIssuer() without a grace period ends all tokens, also of a key before the last", () =>
  withFolder(async (folder) => {
    const first = await mint(folder);
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + HOUR });
    const second = await mint(folder);
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + 2 * HOUR });
    await accept(first, { authenticator: await open(folder) });
    await refuse(first, { authenticator: await open(folder), now: NOW + HOUR });
    await accept(second, { authenticator: await open(folder), now: NOW + HOUR });
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW });
    const authenticator = await open(folder);
    await refuse(first, { authenticator });
    await refuse(second, { authenticator });
    await accept(await mint(folder), { authenticator });
    assertEquals((await openLocalIssuer({ folder })).jwks.keys.length, 1);
  }));

Deno.test("a token whose signature is not the named key's is refused during a rotation, too", () =>
  withFolder(async (folder) => {
    const before = await mint(folder);
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + HOUR });
    const authenticator = await open(folder);
    const [header = "", payload = ""] = before.split(".");
    const signature = (await mint(folder)).split(".")[2];
    await refuse(`${header}.${payload}.${signature}`, { authenticator });
  }));

Deno.test("revokeLocalToken() refuses one token and no other", () =>
  withFolder(async (folder) => {
    const [token, other] = [await mint(folder), await mint(folder)];
    const revoked = readRevokedToken(token, NOW);
    assert(revoked !== undefined);
    assertEquals(revoked.expires, NOW + 30 * 86_400_000);
    assertEquals(await revokeLocalToken(folder, revoked, NOW), true);
    assertEquals(await revokeLocalToken(folder, revoked, NOW), false);
    const authenticator = await open(folder);
    const { reason } = await refuse(token, { authenticator });
    assertEquals(reason, "The token was revoked");
    await accept(other, { authenticator });
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + HOUR });
    await refuse(token, { authenticator: await open(folder) });
    await accept(other, { authenticator: await open(folder) });
  }));

Deno.test("a revoked token is removed from the file once it would not be accepted anyway", () =>
  withFolder(async (folder) => {
    const one = { jti: crypto.randomUUID(), expires: NOW + HOUR };
    await revokeLocalToken(folder, one, NOW);
    const text = () => Deno.readTextFile(`${folder}/local_issuer.jwk.json`);
    await revokeLocalToken(folder, { jti: crypto.randomUUID(), expires: NOW + 9 * HOUR }, NOW + 1);
    assert((await text()).includes(one.jti));
    // The clock of an issuer may differ by 30 s, so that is how long its tokens work after they expire.
    const last = NOW + HOUR + 30_000;
    await rotateLocalIssuer(folder, { now: last - 1, graceEnd: last });
    assert((await text()).includes(one.jti));
    await rotateLocalIssuer(folder, { now: last, graceEnd: last });
    assert(!(await text()).includes(one.jti));
  }));

Deno.test("readRevokedToken() takes a token of the local issuer or its jti claim alone", () =>
  withFolder(async (folder) => {
    const token = await mint(folder);
    const { jti = "" } = decodeJwt(token);
    assertEquals(readRevokedToken(token, NOW)?.jti, jti);
    assertEquals(readRevokedToken(jti, NOW), { jti, expires: NOW + 365 * 86_400_000 });
    for (const other of ["", "abc", "a.b.c", `${jti}0`, await mintElsewhere()]) {
      assertEquals(readRevokedToken(other, NOW), undefined, other);
    }
  }));

Deno.test("commands that change the file together lose no change", () =>
  withFolder(async (folder) => {
    const tokens = await Promise.all(Array.from({ length: 12 }, () => mint(folder)));
    const revoked = tokens.map((token) => readRevokedToken(token, NOW));
    await Promise.all(revoked.map((token, index) => {
      assert(token !== undefined);
      return index % 4 === 0
        ? rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW + HOUR })
        : revokeLocalToken(folder, token, NOW);
    }));
    const authenticator = await open(folder);
    for (const [index, token] of tokens.entries()) {
      if (index % 4 === 0) await accept(token, { authenticator });
      else await refuse(token, { authenticator });
    }
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
    assertEquals(names, ["local_issuer.jwk.json", "local_issuer.lock"]);
    for (const name of names) {
      assertEquals(((await Deno.stat(`${folder}/${name}`)).mode ?? 0) & 0o777, 0o600);
    }
  }));

Deno.test("a change of the file shows in its revision, and a damaged file is not replaced", () =>
  withFolder(async (folder) => {
    assertEquals(await issuerFileRevision(folder), "missing");
    await openLocalIssuer({ folder });
    const revision = await issuerFileRevision(folder);
    assertEquals(await issuerFileRevision(folder), revision);
    await rotateLocalIssuer(folder, { now: NOW, graceEnd: NOW });
    assertNotEquals(await issuerFileRevision(folder), revision);
    const path = `${folder}/local_issuer.jwk.json`;
    await Deno.writeTextFile(path, "{}");
    const rotation = { now: NOW, graceEnd: NOW };
    await assertRejects(() => rotateLocalIssuer(folder, rotation), Error, path);
    assertEquals(await Deno.readTextFile(path), "{}");
  }));
