import fc from "fast-check";
import { createNonces } from "../../../src/auth/dpop/nonces.ts";
import { assert, assertEquals, assertNotEquals } from "../../assert.ts";
import { NOW, SECONDS } from "../support.ts";
import {
  admit,
  makeDpopAuthenticator,
  NONCES,
  proofClaims,
  type ProofParts,
  prove,
  refuseProof,
} from "./support.ts";

const MINUTE = 60_000;
const REQUIRED = "use_dpop_nonce";

function withNonce(nonce: unknown, more: Readonly<Record<string, unknown>> = {}): ProofParts {
  return { claims: { ...proofClaims(), nonce, ...more } };
}

Deno.test("a nonce is current for a minute, valid for one to two, and no longer", () => {
  const times = fc.record({ given: fc.nat(10 * MINUTE), later: fc.nat(5 * MINUTE) });
  fc.assert(fc.property(times, ({ given, later }) => {
    const nonce = NONCES.current(NOW + given);
    const expiry = NONCES.expiry(nonce, NOW + given);
    assert(expiry !== undefined);
    const left = expiry - (NOW + given);
    assert(left > MINUTE && left <= 2 * MINUTE, `${left}`);
    const isValid = NONCES.expiry(nonce, NOW + given + later) !== undefined;
    assertEquals(isValid, later < left);
    if (isValid) assertEquals(NONCES.expiry(nonce, NOW + given + later), expiry);
  }));
});

Deno.test("a process whose clock is behind takes the nonce of one whose clock is ahead", () => {
  fc.assert(fc.property(fc.nat(10 * MINUTE), fc.nat(MINUTE), (at, ahead) => {
    const nonce = NONCES.current(NOW + at + ahead);
    assert(NONCES.expiry(nonce, NOW + at) !== undefined);
  }));
});

Deno.test("nonces of another key are not valid, and nobody can tell the next one", () => {
  const other = createNonces(new Uint8Array(32).fill(8));
  const [now, next] = [other.current(NOW), other.current(NOW + MINUTE)];
  assertEquals([NONCES.expiry(now, NOW), NONCES.expiry(next, NOW)], [undefined, undefined]);
  assertNotEquals(now, next);
  assert(/^[\w-]{22}$/.test(now), now);
  assertEquals(createNonces(new Uint8Array(32).fill(8)).current(NOW), now);
});

Deno.test("a proof without a valid nonce is refused, with the one to use", async () => {
  const authenticator = makeDpopAuthenticator({ nonces: NONCES });
  const old = NONCES.current(NOW - 2 * MINUTE);
  for (const nonce of [undefined, null, "", "x", 1, [NONCES.current(NOW)], old]) {
    const proof = await prove(withNonce(nonce));
    const error = await refuseProof({ authenticator, proof }, REQUIRED);
    assertEquals(error.headers["DPoP-Nonce"], NONCES.current(NOW));
    const again = await prove(withNonce(error.headers["DPoP-Nonce"]));
    assertEquals((await admit({ authenticator, proof: again })).nonce, undefined);
  }
});

Deno.test("a proof with the nonce of before is accepted, and its client told the new one", async () => {
  const authenticator = makeDpopAuthenticator({ nonces: NONCES });
  const proof = await prove(withNonce(NONCES.current(NOW - MINUTE)));
  assertEquals((await admit({ authenticator, proof })).nonce, NONCES.current(NOW));
});

Deno.test("with a nonce, the clock of the client does not count", async () => {
  const authenticator = makeDpopAuthenticator({ nonces: NONCES });
  for (const iat of [SECONDS - 86_400, SECONDS, SECONDS + 86_400, 0]) {
    await admit({ authenticator, proof: await prove(withNonce(NONCES.current(NOW), { iat })) });
  }
  for (const iat of [undefined, "now", null]) {
    const proof = await prove(withNonce(NONCES.current(NOW), { iat }));
    await refuseProof({ authenticator, proof }, "invalid_dpop_proof");
  }
});

Deno.test("a proof that is refused for another reason gets the nonce to use, too", async () => {
  const authenticator = makeDpopAuthenticator({ nonces: NONCES });
  const error = await refuseProof({ authenticator, proof: undefined }, "invalid_dpop_proof");
  assertEquals(error.headers["DPoP-Nonce"], NONCES.current(NOW));
});

Deno.test("without nonces none is demanded or given out, and one that is sent is ignored", async () => {
  const authenticator = makeDpopAuthenticator();
  const admitted = await admit({
    authenticator,
    proof: await prove(withNonce("of another server")),
  });
  assertEquals(admitted.nonce, undefined);
  const error = await refuseProof({ authenticator, proof: undefined }, "invalid_dpop_proof");
  assertEquals(Object.keys(error.headers), ["WWW-Authenticate"]);
});
