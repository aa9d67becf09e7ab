/**
 * The part of the store's contract about API keys.
 *
 * @module
 */
import type { ApiKey, NewApiKey, Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { type StoreTest, W } from "./contract_support.ts";

const HASH = "a".repeat(64);
const NEXT = "b".repeat(64);
const DAY = 86_400_000;
const HOUR = 3_600_000;

const KEY: NewApiKey = {
  id: "key",
  name: 'n8n "éü" \u{1F600}',
  scopes: ["pages.read", "blocks.read"],
  createdTime: 1_000,
  expiresTime: null,
};
const STORED: ApiKey = { ...KEY, workspace: W, revokedTime: null, usedTime: null };

function rotation(options: { hash?: string; now?: number; graceEnd?: number } = {}) {
  return { hash: NEXT, now: 2_000, graceEnd: DAY, expiresTime: null, ...options };
}

/** The revision before and after; asserts that it has grown. */
async function grows(store: Store, change: () => Promise<unknown>): Promise<void> {
  const before = await store.apiKeyRevision();
  await change();
  assert(await store.apiKeyRevision() > before, "the revision has not grown");
}

/** Registers what API keys are held to. */
export function apiKeyContract(test: StoreTest): void {
  addTests(test);
  rotationTests(test);
  revocationTests(test);
  useTests(test);
}

function addTests(test: StoreTest): void {
  test("apiKey() finds a key by the whole hash of its secret alone", async (store) => {
    assertEquals([await store.apiKey(HASH), await store.apiKeys()], [undefined, []]);
    await grows(store, () => store.addApiKey(W, KEY, HASH));
    assertEquals(await store.apiKey(HASH), { ...STORED, secretExpiresTime: null });
    for (const near of [HASH.slice(1), `${HASH}a`, "A".repeat(64), `${"a".repeat(63)}%`, ""]) {
      assertEquals(await store.apiKey(near), undefined, near);
    }
  });

  test("addApiKey() stores nothing if the hash or the ID is taken", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    const revision = await store.apiKeyRevision();
    await assertRejects(() => store.addApiKey(W, { ...KEY, id: "other" }, HASH), Error);
    await assertRejects(() => store.addApiKey(W, KEY, NEXT), Error);
    assertEquals(await store.apiKeys(), [STORED]);
    assertEquals([await store.apiKey(NEXT), await store.apiKeyRevision()], [undefined, revision]);
  });

  test("apiKeys() lists the keys of all workspaces in the order of workspaces and IDs", async (store) => {
    await store.addApiKey("other", { ...KEY, createdTime: 500, expiresTime: DAY }, NEXT);
    await store.addApiKey(W, KEY, HASH);
    const other = { ...STORED, workspace: "other", createdTime: 500, expiresTime: DAY };
    assertEquals(await store.apiKeys(), [other, STORED]);
    assertEquals((await store.apiKey(NEXT))?.workspace, "other");
  });
}

function rotationTests(test: StoreTest): void {
  test("rotateApiKey() adds a secret and gives the one before a time to end", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    const change = { ...rotation(), expiresTime: 9 * DAY };
    await grows(store, async () => assert(await store.rotateApiKey(W, "key", change)));
    const rotated = { ...STORED, expiresTime: 9 * DAY };
    assertEquals(await store.apiKey(HASH), { ...rotated, secretExpiresTime: DAY });
    assertEquals(await store.apiKey(NEXT), { ...rotated, secretExpiresTime: null });
    assertEquals(await store.apiKeys(), [rotated]);
  });

  test("rotateApiKey() never lets an older secret live longer, and removes ended ones", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    await store.rotateApiKey(W, "key", rotation());
    await store.rotateApiKey(W, "key", rotation({ hash: "c".repeat(64), graceEnd: 2 * DAY }));
    assertEquals((await store.apiKey(HASH))?.secretExpiresTime, DAY);
    assertEquals((await store.apiKey(NEXT))?.secretExpiresTime, 2 * DAY);
    await store.rotateApiKey(W, "key", rotation({ hash: "d".repeat(64), now: DAY, graceEnd: DAY }));
    assertEquals(await store.apiKey(HASH), undefined);
    assertEquals((await store.apiKey(NEXT))?.secretExpiresTime, DAY);
    assertEquals((await store.apiKey("d".repeat(64)))?.secretExpiresTime, null);
  });

  test("rotateApiKey() does nothing to a key of another workspace or a revoked one", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    assertEquals(await store.rotateApiKey("other", "key", rotation()), false);
    assertEquals(await store.rotateApiKey(W, "nobody", rotation()), false);
    await store.revokeApiKey(W, "key", 3_000);
    assertEquals(await store.rotateApiKey(W, "key", rotation()), false);
    assertEquals(await store.apiKey(NEXT), undefined);
    assertEquals((await store.apiKey(HASH))?.secretExpiresTime, null);
  });
}

function revocationTests(test: StoreTest): void {
  test("revokeApiKey() ends a key once, with all of its secrets", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    await store.rotateApiKey(W, "key", rotation());
    await grows(store, async () => assert(await store.revokeApiKey(W, "key", 3_000)));
    const revision = await store.apiKeyRevision();
    assertEquals(await store.revokeApiKey(W, "key", 4_000), false);
    assertEquals(await store.apiKeyRevision(), revision);
    assertEquals((await store.apiKey(HASH))?.revokedTime, 3_000);
    assertEquals((await store.apiKey(NEXT))?.revokedTime, 3_000);
  });

  test("revokeApiKey() leaves other workspaces' keys alone", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    await store.addApiKey("other", KEY, NEXT);
    assertEquals(await store.revokeApiKey("third", "key", 3_000), false);
    assertEquals(await store.revokeApiKey("other", "key", 3_000), true);
    assertEquals((await store.apiKey(HASH))?.revokedTime, null);
    assertEquals((await store.apiKey(NEXT))?.revokedTime, 3_000);
  });
}

function useTests(test: StoreTest): void {
  test("noteApiKeyUses() keeps the latest hour, and does not change the revision", async (store) => {
    await store.addApiKey(W, KEY, HASH);
    await store.addApiKey("other", KEY, NEXT);
    const revision = await store.apiKeyRevision();
    await store.noteApiKeyUses([{ workspace: W, id: "key", time: 5 * HOUR }]);
    await store.noteApiKeyUses([
      { workspace: W, id: "key", time: 4 * HOUR },
      { workspace: "other", id: "key", time: 6 * HOUR },
      { workspace: "other", id: "nobody", time: 6 * HOUR },
    ]);
    await store.noteApiKeyUses([]);
    assertEquals((await store.apiKey(HASH))?.usedTime, 5 * HOUR);
    assertEquals((await store.apiKey(NEXT))?.usedTime, 6 * HOUR);
    assertEquals(await store.apiKeyRevision(), revision);
  });
}
