import {
  createApiKeyAuthenticator,
  divideApiKeys,
  refuseApiKeys,
} from "../../src/auth/api_key_authenticator.ts";
import { generateApiKey, hashApiKey } from "../../src/auth/api_key_format.ts";
import type { Authenticator } from "../../src/auth/authenticator.ts";
import { AppError } from "../../src/shared/errors.ts";
import type { NewApiKey } from "../../src/store/port.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { watchStore } from "../support/watched_store.ts";
import { AUTHENTICATOR, mint, NOW, RECTO_PUBLIC_URL } from "./support.ts";

const HOUR = 3_600_000;
const KEY: NewApiKey = {
  id: "018f0000-0000-7000-8000-000000000001",
  name: "n8n",
  scopes: ["pages.read", "blocks.read"],
  createdTime: NOW,
  expiresTime: null,
};

interface Opened {
  readonly store: ReturnType<typeof watchStore>["store"];
  /** Names of the store's methods that were called. */
  readonly calls: string[];
  readonly authenticator: Authenticator;
  readonly secret: string;
  readonly field: string;
  /** Writes what was collected of uses. */
  flush(): Promise<void>;
}

/** Runs a test on the authenticator of a store with one key. */
async function withKey(
  test: (opened: Opened) => Promise<void>,
  key: Partial<NewApiKey> = {},
): Promise<void> {
  const { store, calls } = watchStore();
  const secret = generateApiKey();
  await store.addApiKey("w", { ...KEY, ...key }, hashApiKey(secret));
  calls.length = 0;
  const { authenticator, close } = createApiKeyAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    store,
  });
  const opened = { store, calls, authenticator, secret, field: `Bearer ${secret}`, flush: close };
  try {
    await test(opened);
  } finally {
    await close();
    await store.close();
  }
}

/** The sentence with which a field is refused. */
async function refusal(
  { authenticate }: Authenticator,
  field: string,
  now = NOW,
): Promise<string> {
  const error = await assertRejects(async () => await authenticate(field, now), AppError);
  assertEquals(error.code, "unauthorized");
  assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", 'error="invalid_token"');
  assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", error.message);
  return error.message;
}

const INVALID = "The access token is invalid or has expired.";

Deno.test("a key is a bot of its workspace, under its own ID and name", () =>
  withKey(async ({ authenticator, field }) => {
    const { subjectHash, ...principal } = await authenticator.authenticate(field, NOW);
    assertEquals<unknown>(principal, {
      workspace: "w",
      userId: KEY.id,
      type: "bot",
      name: "n8n",
      email: null,
      avatarUrl: null,
      scopes: new Set(["pages.read", "blocks.read"]),
      clientId: "n8n",
      expiresAt: Infinity,
    });
    assert(/^[0-9a-f]{16}$/.test(subjectHash) && !KEY.id.includes(subjectHash));
  }));

Deno.test("a cached key costs no query for each request, and two a second at most", () =>
  withKey(async ({ authenticator: { authenticate, findCached }, field, calls, flush }) => {
    const principal = await authenticate(field, NOW);
    await flush();
    calls.length = 0;
    for (let time = 0; time < 400; time++) {
      assert(findCached(field, NOW + time) === principal);
      assert(authenticate(field, NOW + time) === principal);
    }
    assertEquals(calls, []);
    for (let time = 400; time < 60_000; time += 10) {
      assert(await authenticate(field, NOW + time) === principal);
      await Promise.resolve();
    }
    assert(calls.every((name) => name === "apiKeyRevision"), calls.join());
    assert(calls.length <= 150, `${calls.length} queries in a minute`);
  }));

Deno.test("a revoked key is refused 900 ms later at the latest", () =>
  withKey(async ({ authenticator, store, field }) => {
    await authenticator.authenticate(field, NOW);
    await store.revokeApiKey("w", KEY.id, NOW);
    assert(authenticator.findCached(field, NOW + 399) !== undefined);
    assertEquals(authenticator.findCached(field, NOW + 900), undefined);
    assertEquals(await refusal(authenticator, field, NOW + 900), "The API key was revoked.");
    assertEquals(authenticator.findCached(field, NOW + 900), undefined);
  }));

Deno.test("a revocation of another key refuses nobody else", () =>
  withKey(async ({ authenticator: { authenticate }, store, field }) => {
    const other = generateApiKey();
    await store.addApiKey("w", { ...KEY, id: "other" }, hashApiKey(other));
    await authenticate(field, NOW);
    await authenticate(`Bearer ${other}`, NOW);
    await store.revokeApiKey("w", "other", NOW);
    assertEquals((await authenticate(field, NOW + 1_000)).userId, KEY.id);
    await assertRejects(async () => await authenticate(`Bearer ${other}`, NOW + 1_000), AppError);
  }));

Deno.test("an expired key is refused to the millisecond, also from the cache, and told so", () =>
  withKey(async ({ authenticator, field }) => {
    const { expiresAt } = await authenticator.authenticate(field, NOW);
    assertEquals(expiresAt, NOW + 300);
    assert(authenticator.findCached(field, NOW + 299) !== undefined);
    assertEquals(authenticator.findCached(field, NOW + 300), undefined);
    assertEquals(await refusal(authenticator, field, NOW + 300), "The API key has expired.");
  }, { expiresTime: NOW + 300 }));

Deno.test("a replaced secret works until its grace period ends, and the new one at once", () =>
  withKey(async ({ authenticator, store, field }) => {
    const { authenticate } = authenticator;
    await authenticate(field, NOW);
    const next = generateApiKey();
    await store.rotateApiKey("w", KEY.id, {
      hash: hashApiKey(next),
      now: NOW,
      graceEnd: NOW + HOUR,
      expiresTime: null,
    });
    assertEquals((await authenticate(`Bearer ${next}`, NOW)).userId, KEY.id);
    assertEquals((await authenticate(field, NOW + HOUR - 1)).expiresAt, NOW + HOUR);
    assertEquals(authenticator.findCached(field, NOW + HOUR), undefined);
    assertStringIncludes(await refusal(authenticator, field, NOW + HOUR), "replaced by a rotation");
    assertEquals((await authenticate(`Bearer ${next}`, NOW + HOUR)).userId, KEY.id);
  }));

Deno.test("a malformed key is refused without a query, and an unknown one as any token", () =>
  withKey(async ({ authenticator, secret, field, calls }) => {
    await authenticator.authenticate(field, NOW);
    calls.length = 0;
    for (const wrong of [secret.slice(0, -1), secret.toLowerCase(), `${secret}A`, "recto_"]) {
      assertStringIncludes(await refusal(authenticator, `Bearer ${wrong}`), "mistyped");
    }
    assertEquals(calls, []);
    assertEquals(await refusal(authenticator, `Bearer ${generateApiKey()}`), INVALID);
    assertEquals(calls, ["apiKey"]);
  }));

Deno.test("a key is looked up by the hash of all of it", async () => {
  const hashes: string[] = [];
  const { store } = watchStore({
    apiKey: (hash) => {
      hashes.push(hash);
      return Promise.resolve(undefined);
    },
  });
  const { authenticator, close } = createApiKeyAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    store,
  });
  const secrets = [generateApiKey(), generateApiKey()];
  for (const secret of secrets) await refusal(authenticator, `Bearer ${secret}`);
  assertEquals(hashes, secrets.map(hashApiKey));
  await close();
  await store.close();
});

Deno.test("a use is written once an hour, beside the requests and in one write for all keys", () =>
  withKey(async ({ authenticator: { authenticate }, store, field, calls, flush }) => {
    const other = generateApiKey();
    await store.addApiKey("w", { ...KEY, id: "other" }, hashApiKey(other));
    const start = NOW - NOW % HOUR;
    const uses = () => calls.filter((name) => name === "noteApiKeyUses").length;
    for (const time of [0, 61_000, 122_000]) await authenticate(field, start + time);
    await authenticate(`Bearer ${other}`, start);
    assertEquals(uses(), 0, "no request waits for it");
    await flush();
    const usedTimes = async () => (await store.apiKeys()).map(({ usedTime }) => usedTime);
    assertEquals([uses(), await usedTimes()], [1, [start, start]]);
    await authenticate(field, start + HOUR - 1);
    await flush();
    assertEquals(uses(), 1);
    // A verified key is not verified again for a minute.
    await authenticate(field, start + HOUR + 60_000);
    await flush();
    assertEquals([uses(), (await store.apiKeys())[0]?.usedTime], [2, start + HOUR]);
  }));

Deno.test("a use that cannot be written refuses nobody", async () => {
  const { store } = watchStore({ noteApiKeyUses: () => Promise.reject(new Error("read-only")) });
  const secret = generateApiKey();
  await store.addApiKey("w", KEY, hashApiKey(secret));
  const { authenticator, close } = createApiKeyAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    store,
  });
  assertEquals((await authenticator.authenticate(`Bearer ${secret}`, NOW)).userId, KEY.id);
  await close();
  await store.close();
});

Deno.test("while the database is down, keys are refused with its error once 900 ms have passed", async () => {
  let isDown = false;
  const down = new AppError("service_unavailable", "Database is down");
  const { store } = watchStore({
    apiKeyRevision: () => isDown ? Promise.reject(down) : Promise.resolve(1),
  });
  const secret = generateApiKey();
  await store.addApiKey("w", KEY, hashApiKey(secret));
  const { authenticator, close } = createApiKeyAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    store,
  });
  const field = `Bearer ${secret}`;
  await authenticator.authenticate(field, NOW);
  isDown = true;
  assertEquals((await authenticator.authenticate(field, NOW + 899)).userId, KEY.id);
  const late = async () => await authenticator.authenticate(field, NOW + 900);
  assertEquals((await assertRejects(late, AppError)).code, "service_unavailable");
  isDown = false;
  assertEquals((await late()).userId, KEY.id);
  await close();
  await store.close();
});

Deno.test("divideApiKeys() sends no key to the verifiers of tokens, and no token to that of keys", () =>
  withKey(async ({ authenticator, field, secret, calls }) => {
    const divided = divideApiKeys(authenticator, AUTHENTICATOR);
    assertEquals((await divided.authenticate(field, NOW)).userId, KEY.id);
    assertEquals(divided.isCached(field), true);
    calls.length = 0;
    const token = `Bearer ${await mint()}`;
    assertEquals((await divided.authenticate(token, NOW)).type, "person");
    assertEquals([calls, divided.isCached(token)], [[], true]);
    const refused = divideApiKeys(refuseApiKeys(RECTO_PUBLIC_URL), AUTHENTICATOR);
    assertStringIncludes(await refusal(refused, field), "does not accept API keys");
    assertStringIncludes(await refusal(refused, `Bearer ${secret.slice(1, 9)}`), INVALID);
  }));
