import { assert, assertEquals } from "../assert.ts";
import { makeKey, mint, type TestKey } from "../auth/support.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { outcome } from "./support.ts";

const ISSUER = "https://issuer.test";
const DAY = 86_400_000;

/** An issuer on this machine whose keys, and whose health, a test may change. */
interface Issuer extends AsyncDisposable {
  readonly url: string;
  keys: TestKey[];
  isDown: boolean;
  asked: number;
}

function startIssuer(...keys: TestKey[]): Issuer {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    issuer.asked += 1;
    return issuer.isDown
      ? new Response("down", { status: 500 })
      : Response.json({ keys: issuer.keys.map(({ jwk }) => jwk) });
  });
  const issuer: Issuer = {
    url: `http://127.0.0.1:${server.addr.port}/keys`,
    keys,
    isDown: false,
    asked: 0,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return issuer;
}

/** Users that all ask at once, each with a token of its own under this key. */
async function crowd(app: TestApp, key: TestKey, now: number): Promise<Set<string>> {
  const answers = Array.from({ length: 20 }, async (_, user) => {
    const claims = {
      iss: ISSUER,
      aud: "recto",
      sub: `user-${user}`,
      jti: `${now}`,
      exp: now / 1_000 + 30 * 86_400,
      scope: "users.read",
    };
    const header = { alg: "ES256", typ: "at+jwt", kid: key.jwk.kid };
    const token = await mint({ header, claims, key });
    return outcome(await app.call("GET /v2/users/me", { token }));
  });
  return new Set(await Promise.all(answers));
}

const OK = new Set(["200"]);

/** An app that trusts an issuer, and a clock. */
async function withIssuer(
  test: (app: TestApp, issuer: Issuer, clock: { now: number }) => Promise<void>,
): Promise<void> {
  await using issuer = startIssuer(await makeKey("first"));
  const clock = { now: Date.now() };
  const environment = {
    RECTO_AUTH_ISSUER: ISSUER,
    RECTO_AUTH_AUDIENCE: "recto",
    RECTO_AUTH_JWKS_URL: issuer.url,
  };
  await withApp((app) => test(app, issuer, clock), { environment, now: () => clock.now });
}

Deno.test("keys that rotate while the service serves refuse nobody, and cost one fetch each", () =>
  withIssuer(async (app, issuer, clock) => {
    const [first] = issuer.keys;
    assert(first !== undefined);
    assertEquals(await crowd(app, first, clock.now), OK);
    for (let round = 1; round <= 4; round += 1) {
      clock.now += 1_000;
      const key = await makeKey(`round-${round}`);
      issuer.keys = [...issuer.keys.slice(-1), key];
      assertEquals(await crowd(app, key, clock.now), OK, `round ${round}`);
      assertEquals(issuer.asked, 1 + round);
    }
    // The key that was taken away is refused once its keys are five minutes old.
    clock.now += 300_000;
    assertEquals(await crowd(app, first, clock.now), new Set(["401 unauthorized"]));
  }));

Deno.test("an outage of the issuer stops nobody whose key is held, for a day", () =>
  withIssuer(async (app, issuer, clock) => {
    const [key] = issuer.keys;
    assert(key !== undefined);
    assertEquals(await crowd(app, key, clock.now), OK);
    issuer.isDown = true;
    const unknown = await makeKey("unknown");
    for (const later of [1_000, 400_000, DAY / 2, DAY - 1_000]) {
      const now = clock.now + later;
      const before = issuer.asked;
      const held = { ...clock };
      clock.now = now;
      assertEquals(await crowd(app, key, now), OK, `${later}`);
      assertEquals(await crowd(app, unknown, now), new Set(["503 service_unavailable"]));
      assertEquals((await app.call("GET /readyz", { token: null })).status, 200);
      assert(issuer.asked - before <= 1, `${issuer.asked - before} fetches`);
      clock.now = held.now;
    }
    clock.now += DAY;
    assertEquals(await crowd(app, key, clock.now), new Set(["503 service_unavailable"]));
    issuer.isDown = false;
    clock.now += 30_000;
    assertEquals(await crowd(app, key, clock.now), OK);
  }));
