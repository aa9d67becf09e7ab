import { rotateLocalIssuer } from "../../src/auth/local_issuer_changes.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES, type TestApp, withApp } from "../support/app.ts";
import { outcome } from "./support.ts";

const KEY_FILE = "local_issuer.jwk.json";
const UNAVAILABLE = "503 service_unavailable";

/** Runs a test with a clock that it may set forward. */
function withClock(
  test: (app: TestApp, clock: { now: number }) => Promise<void>,
): Promise<void> {
  const clock = { now: Date.now() };
  return withApp((app) => test(app, clock), { now: () => clock.now });
}

async function me({ call }: TestApp, token: string): Promise<string> {
  return outcome(await call("GET /v2/users/me", { token }));
}

/** Mints a token with the key pair that the folder has now. */
async function mint(folder: string, now: number): Promise<string> {
  const issuer = await openLocalIssuer({ folder });
  return await issuer.mint({ scope: ALL_SCOPES, ttlSeconds: 600, now });
}

Deno.test("a running server takes tokens of a new key pair, and refuses those of the old one", () =>
  withClock(async (app, clock) => {
    const before = await mint(app.folder, clock.now);
    assertEquals(await me(app, before), "200");
    await rotateLocalIssuer(app.folder, { now: clock.now, graceEnd: clock.now + 60_000 });
    const after = await mint(app.folder, clock.now);
    clock.now += 1_000;
    assertEquals([await me(app, before), await me(app, after)], ["200", "200"]);
    clock.now += 59_000;
    assertEquals([await me(app, before), await me(app, after)], ["401 unauthorized", "200"]);
  }));

Deno.test("a key file that is removed while the server runs refuses all tokens before", () =>
  withClock(async (app, clock) => {
    const before = await mint(app.folder, clock.now);
    assertEquals(await me(app, before), "200");
    await Deno.remove(`${app.folder}/${KEY_FILE}`);
    clock.now += 1_000;
    assertEquals(await me(app, before), "401 unauthorized");
    clock.now += 1_000;
    assertEquals(await me(app, await mint(app.folder, clock.now)), "200");
  }));

Deno.test("a key file that is damaged while the server runs is a 503 until it is repaired", () =>
  withClock(async (app, clock) => {
    const token = await mint(app.folder, clock.now);
    assertEquals(await me(app, token), "200");
    const path = `${app.folder}/${KEY_FILE}`;
    const good = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, "{");
    clock.now += 1_000;
    const answer = await app.call("GET /v2/users/me", { token });
    assertEquals([outcome(answer), answer.headers.get("retry-after")], [UNAVAILABLE, "5"]);
    assert(!answer.text.includes(app.folder), "the answer names no path");
    const ready = await app.call("GET /readyz", { token: null });
    assertEquals([ready.status, ready.json.detail.includes("key file")], [503, true]);
    assertEquals(await Deno.readTextFile(path), "{", "nobody replaces it");
    await Deno.writeTextFile(path, good);
    clock.now += 1_000;
    assertEquals(await me(app, token), "200");
  }));
