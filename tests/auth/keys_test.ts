import fc from "fast-check";
import type { JWK } from "jose";
import { createJwtVerifier } from "../../src/auth/jwt.ts";
import { type Authenticator, createAuthenticator } from "../../src/auth/authenticator.ts";
import { createKeySet, type KeySet } from "../../src/auth/keys.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import {
  accept,
  CLAIMS,
  HEADER,
  KEY,
  makeAuthenticator,
  makeKey,
  makeRsaKey,
  mint,
  NOW,
  RECTO_PUBLIC_URL,
  refuse,
  rulesOf,
} from "./support.ts";
import { currentSettings, withEachSetting } from "./settings.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHER = await makeKey("other");
const LATER = { ...HEADER, kid: "other" };
/** A token that outlives every test here. */
const LONG = { ...CLAIMS, exp: NOW / 1000 + 864_000 };

/** A source whose answer a test may change, and that counts how often it was asked. */
interface Source {
  answer: () => unknown;
  asked: number;
  readonly keys: KeySet;
  readonly authenticator: Authenticator;
}

function makeSource(...initial: readonly JWK[]): Source {
  const keys = createKeySet(() => {
    source.asked += 1;
    return Promise.resolve().then(() => source.answer());
  });
  const source: Source = {
    answer: () => ({ keys: initial }),
    asked: 0,
    keys,
    authenticator: createAuthenticator({
      publicUrl: RECTO_PUBLIC_URL,
      jwt: createJwtVerifier({ ...rulesOf(currentSettings().environment), keys }),
    }),
  };
  return source;
}

async function isUnavailable(source: Source, now: number, header = LATER): Promise<void> {
  const token = await mint({ header, claims: LONG, key: OTHER });
  const attempt = { authenticator: source.authenticator, now };
  const error = await assertRejects(() => accept(token, attempt), AppError);
  assertEquals([error.code, error.status], ["service_unavailable", 503]);
  assertEquals(error.headers["Retry-After"], "30");
}

Deno.test(
  "createKeySet() fetches once per cool-down for 10,000 unknown keys",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    const refusals = [];
    for (let index = 0; index < 10_000; index += 1) {
      const call = source.keys.find({ alg: "ES256", kid: crypto.randomUUID() }, NOW + index);
      refusals.push(call.catch((error: unknown) => String(error)));
    }
    const answers = new Set(await Promise.all(refusals));
    assertEquals([...answers], ["InvalidToken: The issuer has no key with this kid"]);
    assertEquals(source.asked, 1);
    await accept(await mint(), { authenticator: source.authenticator, now: NOW + 10_000 });
    assertEquals(source.asked, 1);
  }),
);

Deno.test(
  "createKeySet() fetches from a broken source once per cool-down too",
  withEachSetting(async () => {
    const source = makeSource();
    for (let index = 0; index < 100; index += 1) await isUnavailable(source, NOW + index);
    assertEquals(source.asked, 1);
    await isUnavailable(source, NOW + 30_000);
    assertEquals(source.asked, 2);
  }),
);

Deno.test(
  "createKeySet() finds each new key at once, with one fetch",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    const { authenticator } = source;
    await accept(await mint(), { authenticator });
    for (let round = 1; round <= 5; round += 1) {
      const kid = `round-${round}`;
      const key = await makeKey(kid);
      source.answer = () => ({ keys: [key.jwk] });
      const token = await mint({ header: { ...HEADER, kid }, key });
      await Promise.all([1, 2, 3].map(() => accept(token, { authenticator, now: NOW + round })));
      assertEquals(source.asked, 1 + round);
    }
  }),
);

Deno.test(
  "createKeySet() finds a new key 30 s after an unsuccessful fetch, and no sooner",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    const { authenticator } = source;
    await accept(await mint(), { authenticator });
    await refuse(await mint({ header: { ...HEADER, kid: "made up" } }), { authenticator });
    assertEquals(source.asked, 2);
    source.answer = () => ({ keys: [KEY.jwk, OTHER.jwk] });
    const token = await mint({ header: LATER, key: OTHER });
    await refuse(token, { authenticator, now: NOW + 29_999 });
    await accept(token, { authenticator, now: NOW + 30_000 });
    assertEquals(source.asked, 3);
  }),
);

Deno.test(
  "createKeySet() finds a new key at once after a readiness check",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    await source.keys.ping(NOW);
    source.answer = () => ({ keys: [OTHER.jwk] });
    const { authenticator } = source;
    await accept(await mint({ header: LATER, key: OTHER }), { authenticator, now: NOW + 1 });
    assertEquals(source.asked, 2);
  }),
);

Deno.test(
  "createKeySet() fetches no more often during floods of unknown keys while keys rotate",
  withEachSetting(async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.record({ wait: fc.nat(40_000), storm: fc.nat(20), rotates: fc.boolean() })),
      async (steps) => {
        const source = makeSource(KEY.jwk);
        let [now, rotations, kid] = [NOW, 0, "main"];
        const find = (name: string) =>
          source.keys.find({ alg: "ES256", kid: name }, now).then(() => true, () => false);
        for (const { wait, storm, rotates } of steps) {
          now += wait;
          if (rotates) {
            rotations += 1;
            kid = `key-${rotations}`;
            source.answer = () => ({ keys: [{ ...KEY.jwk, kid }] });
          }
          await Promise.all(Array.from({ length: storm }, (_, index) => find(`${now}-${index}`)));
          await find(kid);
        }
        const coolDowns = Math.ceil((now - NOW) / 30_000) + 1;
        const refreshes = Math.ceil((now - NOW) / (5 * MINUTE)) + 1;
        assert(source.asked <= coolDowns + refreshes + rotations, `${source.asked} fetches`);
      },
    ));
  }),
);

Deno.test(
  "createKeySet() uses cached keys during an outage, and fetches once in 30 s meanwhile",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    await accept(await mint(), { authenticator: source.authenticator });
    source.answer = () => Promise.reject(new TypeError("Down"));
    const before = source.asked;
    for (let second = 0; second < 600; second += 1) {
      const now = NOW + 6 * MINUTE + second * 1_000;
      await source.keys.find(HEADER, now);
      await assertRejects(() => source.keys.find({ alg: "ES256", kid: "other" }, now), AppError);
    }
    assertEquals(source.asked - before, 20);
  }),
);

Deno.test(
  "createKeySet() rejects a removed key once its keys are five minutes old",
  withEachSetting(async () => {
    const source = makeSource(KEY.jwk);
    const { authenticator } = source;
    await accept(await mint(), { authenticator });
    source.answer = () => ({ keys: [OTHER.jwk] });
    await accept(await mint(), { authenticator, now: NOW + 4 * MINUTE });
    await refuse(await mint(), { authenticator, now: NOW + 5 * MINUTE });
  }),
);

Deno.test(
  "createKeySet() uses cached keys for a day while the source is down",
  withEachSetting(async () => {
    const outages: (() => unknown)[] = [
      () => Promise.reject(new TypeError("Down")),
      () => "<html>",
      () => null,
      () => ({ keys: [] }),
      () => ({ keys: "none" }),
      () => ({ keys: [{ kty: "oct", k: "AA", kid: "main" }] }),
    ];
    for (const outage of outages) {
      const source = makeSource(KEY.jwk);
      const { authenticator } = source;
      const token = await mint({ claims: LONG });
      await accept(token, { authenticator });
      source.answer = outage;
      await accept(token, { authenticator, now: NOW + 24 * HOUR - 1 });
      assertEquals(source.asked, 2);
      await isUnavailable(source, NOW + 24 * HOUR - 1);
      await isUnavailable(source, NOW + 24 * HOUR + MINUTE, HEADER);
    }
  }),
);

Deno.test(
  "createKeySet() recovers when its source does",
  withEachSetting(async () => {
    const source = makeSource();
    await isUnavailable(source, NOW);
    source.answer = () => ({ keys: [KEY.jwk] });
    const attempt = { authenticator: source.authenticator, now: NOW + 30_000 };
    await accept(await mint(), attempt);
    await refuse(await mint({ header: LATER, key: OTHER }), attempt);
  }),
);

Deno.test(
  "createKeySet() runs one fetch at a time, whatever the clock says",
  withEachSetting(async () => {
    const source = makeSource();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    source.answer = () => promise;
    const calls = [NOW, NOW + HOUR].map((now) => source.keys.find(HEADER, now));
    resolve({ keys: [KEY.jwk] });
    await Promise.all(calls);
    assertEquals(source.asked, 1);
  }),
);

Deno.test(
  "createKeySet() still fetches after the clock was set back",
  withEachSetting(async () => {
    const source = makeSource();
    await isUnavailable(source, NOW + 24 * HOUR);
    source.answer = () => ({ keys: [KEY.jwk] });
    await accept(await mint(), { authenticator: source.authenticator });
  }),
);

Deno.test(
  "createKeySet() is ready while it has usable keys",
  withEachSetting(async () => {
    const source = makeSource();
    const fails = async (now: number) => {
      const { cause } = await assertRejects(() => source.keys.ping(now), Error, "No keys");
      return cause instanceof Error ? cause.message : cause;
    };
    assertEquals(await fails(NOW), "The JWKS has no public key to verify tokens with");
    source.answer = () => ({ keys: [KEY.jwk] });
    assertEquals(await fails(NOW + 1), "The JWKS has no public key to verify tokens with");
    await source.keys.ping(NOW + 30_000);
    source.answer = () => null;
    await source.keys.ping(NOW + HOUR);
    assertEquals(await fails(NOW + 25 * HOUR), 'Expected a JWKS, {"keys":[{…}]}');
  }),
);

Deno.test(
  "createKeySet() never verifies with a key for encryption",
  withEachSetting(async () => {
    const authenticator = makeAuthenticator([OTHER.jwk, { ...KEY.jwk, use: "enc" }]);
    await refuse(await mint(), { authenticator });
  }),
);

Deno.test(
  "createKeySet() never verifies with a secret or a published private key",
  withEachSetting(async () => {
    const secret = { kty: "oct", k: "AAAA", kid: "main" };
    const leaked = { ...await crypto.subtle.exportKey("jwk", KEY.privateKey), kid: "main" };
    for (const key of [secret, { ...KEY.jwk, d: leaked.d ?? "" }]) {
      await refuse(await mint(), { authenticator: makeAuthenticator([OTHER.jwk, key]) });
    }
  }),
);

Deno.test(
  "createKeySet() never verifies with a weak RSA key",
  withEachSetting(async () => {
    const header = { ...HEADER, alg: "RS256" };
    const short = await makeRsaKey("main", 1024);
    const token = await mint({ header, key: short });
    await refuse(token, { authenticator: makeAuthenticator([OTHER.jwk, short.jwk]) });
  }),
);
