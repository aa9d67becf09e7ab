import { type AuthenticatorOptions, createAuthenticator } from "../../src/auth/authenticator.ts";
import { InvalidToken } from "../../src/auth/token_errors.ts";
import { ANONYMOUS, type Principal } from "../../src/auth/principal.ts";
import type { TokenVerifier } from "../../src/auth/token_verifier.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../assert.ts";
import { accept, makeAuthenticator, mint, NOW, RECTO_PUBLIC_URL } from "./support.ts";
import { withEachSetting } from "./settings.ts";

interface Spy extends AuthenticatorOptions {
  readonly jwt: TokenVerifier;
  readonly seen: string[];
}

/** A verifier that takes every token, and tells which it saw. */
function spy(options: { expiresAt?: number; cacheSize?: number } = {}): Spy {
  const seen: string[] = [];
  const jwt = (token: string): Promise<Principal> => {
    seen.push(token);
    const expiresAt = options.expiresAt ?? Infinity;
    return Promise.resolve({ ...ANONYMOUS, userId: token, expiresAt });
  };
  return { publicUrl: RECTO_PUBLIC_URL, jwt, seen, cacheSize: options.cacheSize ?? 10 };
}

Deno.test("authenticate() returns synchronously if the token was verified within 60 s", async () => {
  const options = spy();
  const { authenticate } = createAuthenticator(options);
  const first = authenticate("Bearer a", NOW);
  assert(first instanceof Promise);
  const principal = await first;
  assertEquals(authenticate("Bearer a", NOW + 59_999) === principal, true);
  assert(authenticate("Bearer a", NOW + 60_000) instanceof Promise);
  assertEquals(options.seen, ["a", "a"]);
});

Deno.test("authenticate() does not trust a verified token after it has expired", async () => {
  const options = spy({ expiresAt: NOW + 1000 });
  const { authenticate } = createAuthenticator(options);
  await authenticate("Bearer a", NOW);
  assertEquals(authenticate("Bearer a", NOW + 999) instanceof Promise, false);
  await authenticate("Bearer a", NOW + 1000);
  await authenticate("Bearer a", NOW + 1000);
  assertEquals(options.seen.length, 3);
});

Deno.test(
  "authenticate() rejects a cached token once it has expired",
  withEachSetting(async () => {
    const authenticator = makeAuthenticator();
    const token = await mint();
    await accept(token, { authenticator });
    const late = NOW + 2 * 3_600_000;
    await assertRejects(() => accept(token, { authenticator, now: late }), AppError, "expired");
  }),
);

Deno.test("authenticate() verifies a cached token again if the clock was set back", async () => {
  const options = spy();
  const { authenticate } = createAuthenticator(options);
  for (const now of [NOW, NOW + 1_000, NOW - 3_600_000]) await authenticate("Bearer a", now);
  assertEquals(options.seen, ["a", "a"]);
});

Deno.test("authenticate() verifies a token once however its scheme is spelled", async () => {
  const options = spy();
  const { authenticate, findCached, isCached } = createAuthenticator(options);
  const spellings = ["Bearer a", "bearer a", "BEARER    a", "Bearer  a", " Bearer a "];
  for (const field of spellings) await authenticate(field, NOW);
  assertEquals(options.seen, ["a"]);
  for (const field of spellings) assert(isCached(field) && findCached(field, NOW) !== undefined);
  for (const field of ["Bearer b", "Bearera", "a", "DPoP a"]) {
    assertEquals([field, findCached(field, NOW)], [field, undefined]);
  }
});

Deno.test("authenticate() verifies a token once for concurrent calls", async () => {
  const options = spy();
  const { authenticate } = createAuthenticator(options);
  const calls = Array.from({ length: 20 }, () => authenticate("Bearer a", NOW));
  assertEquals(new Set(await Promise.all(calls)).size, 1);
  assertEquals(options.seen, ["a"]);
});

Deno.test(
  "authenticate() never lets two tokens share an entry",
  withEachSetting(async () => {
    const options = spy();
    const { authenticate } = createAuthenticator(options);
    const tokens = [
      "h.p.s",
      "h.p.t",
      "h.q.s",
      "h.p.S",
      `${"x".repeat(8000)}a`,
      `${"x".repeat(8000)}b`,
    ];
    for (const token of [...tokens, ...tokens]) {
      assertEquals((await authenticate(`Bearer ${token}`, NOW)).userId, token);
    }
    assertEquals(options.seen, tokens);
  }),
);

Deno.test(
  "authenticate() rejects a cached token with a changed signature",
  withEachSetting(async () => {
    const authenticator = makeAuthenticator();
    const token = await mint();
    await accept(token, { authenticator });
    const changed = token.replace(/.{4}$/, "AAAA");
    await assertRejects(() => accept(changed, { authenticator }), AppError, "invalid");
    assertEquals(authenticator.authenticate(`Bearer ${token}`, NOW) instanceof Promise, false);
  }),
);

Deno.test(
  "authenticate() caches no more tokens than its limit",
  withEachSetting(async () => {
    const options = spy({ cacheSize: 2 });
    const { authenticate } = createAuthenticator(options);
    for (const token of ["a", "b", "c", "a"]) await authenticate(`Bearer ${token}`, NOW);
    assertEquals(options.seen, ["a", "b", "c", "a"]);
  }),
);

Deno.test("authenticate() does not cache rejections", async () => {
  let good = false;
  const jwt = (): Promise<Principal> =>
    good ? Promise.resolve(ANONYMOUS) : Promise.reject(new InvalidToken("Not yet"));
  const { authenticate } = createAuthenticator({ publicUrl: RECTO_PUBLIC_URL, jwt });
  const refused = authenticate("Bearer a", NOW);
  await assertRejects(() => Promise.resolve(refused), AppError);
  good = true;
  assertEquals(await authenticate("Bearer a", NOW), ANONYMOUS);
});

Deno.test("authenticate() passes unexpected errors on", async () => {
  const broken = new RangeError("A bug");
  const jwt = (): Promise<Principal> => Promise.reject(broken);
  const { authenticate } = createAuthenticator({ publicUrl: RECTO_PUBLIC_URL, jwt });
  const call = authenticate("Bearer a", NOW);
  const error = await assertRejects(() => Promise.resolve(call), RangeError);
  assertEquals(error === broken, true);
});

Deno.test("authenticate() reports why a token was rejected for the log only", async () => {
  const error = await assertRejects(() => accept("a.b"), AppError);
  assert(error.cause instanceof InvalidToken);
  assertEquals(
    error.cause.message,
    "The token is not a JWT; others need RECTO_AUTH_INTROSPECTION_URL",
  );
});

Deno.test("authenticate() passes JWTs and opaque tokens to their verifiers", async () => {
  const jwt = spy();
  const opaque = spy();
  const { authenticate } = createAuthenticator({ ...jwt, opaque: opaque.jwt });
  const signed = await mint();
  for (const token of [signed, "ory_at_a.b", "a.b.c", "opaque"]) {
    await authenticate(`Bearer ${token}`, NOW);
  }
  assertEquals([jwt.seen, opaque.seen], [[signed], ["ory_at_a.b", "a.b.c", "opaque"]]);
});

Deno.test("createAuthenticator() requires a verifier", () => {
  assertThrows(
    () => createAuthenticator({ publicUrl: RECTO_PUBLIC_URL }),
    Error,
    "needs a verifier",
  );
});

Deno.test("challenge() uses the configured origin", () => {
  const authenticator = createAuthenticator(spy());
  assertEquals(
    authenticator.challenge({ error: "insufficient_scope", scope: "pages.read" }),
    'Bearer realm="recto", resource_metadata="https://recto.test/.well-known/' +
      'oauth-protected-resource", error="insufficient_scope", scope="pages.read"',
  );
});
