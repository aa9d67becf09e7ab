import fc from "fast-check";
import { createUsedProofs } from "../../../src/auth/dpop/used_proofs.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { assertEquals, assertRejects, assertThrows } from "../../assert.ts";
import { NOW, SECONDS } from "../support.ts";
import {
  admit,
  makeClientKey,
  makeDpopAuthenticator,
  NONCES,
  PROOF_HEADER,
  proofClaims,
  prove,
  refuseProof,
} from "./support.ts";

const INVALID = "invalid_dpop_proof";
const USED = "The proof was used before: make a new one for each request";

Deno.test("11.1: a proof is admitted once, and its jti not again with anything else", async () => {
  const authenticator = makeDpopAuthenticator();
  const claims = proofClaims();
  const proof = await prove({ claims });
  await admit({ authenticator, proof });
  await refuseProof({ authenticator, proof }, INVALID, USED);
  const path = "/v2/search";
  const elsewhere = { ...claims, htm: "POST", htu: `https://recto.test${path}` };
  const moved = await prove({ claims: elsewhere });
  await refuseProof({ authenticator, proof: moved, method: "POST", path }, INVALID, USED);
});

Deno.test("11.1: of many requests with one proof at once, one is admitted", async () => {
  const authenticator = makeDpopAuthenticator();
  const proof = await prove();
  const calls = Array.from({ length: 30 }, () => admit({ authenticator, proof }));
  const outcomes = await Promise.allSettled(calls);
  assertEquals(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
});

Deno.test("11.1: a proof cannot be used again for as long as it would be accepted", async () => {
  for (const nonces of [undefined, NONCES]) {
    const authenticator = makeDpopAuthenticator({ nonces });
    // As far ahead as a client's clock may be: it is valid for longest.
    const times = { iat: SECONDS + 10, nonce: NONCES.current(NOW) };
    const proof = await prove({ claims: { ...proofClaims(), ...times } });
    await admit({ authenticator, proof });
    for (let second = 0; second <= 180; second++) {
      await refuseProof({ authenticator, proof, now: NOW + second * 1_000 });
    }
  }
});

Deno.test("11.1: a refused proof is not used up", async () => {
  const authenticator = makeDpopAuthenticator();
  const thief = await makeClientKey();
  const claims = proofClaims();
  const forged = await prove({ claims, key: thief.key });
  await refuseProof({ authenticator, proof: forged }, INVALID);
  const foreign = await prove({
    claims,
    key: thief.key,
    header: { ...PROOF_HEADER, jwk: thief.jwk },
  });
  await refuseProof({ authenticator, proof: foreign }, "invalid_token");
  await admit({ authenticator, proof: await prove({ claims }) });
});

Deno.test("11.1: a jti longer than 256 characters is refused, so that memory is bounded", async () => {
  const authenticator = makeDpopAuthenticator();
  await admit({
    authenticator,
    proof: await prove({ claims: { ...proofClaims(), jti: "j".repeat(256) } }),
  });
  const proof = await prove({ claims: { ...proofClaims(), jti: "j".repeat(257) } });
  await refuseProof({ authenticator, proof }, INVALID);
});

Deno.test("createUsedProofs() accepts an ID again only once it has expired", () => {
  const use = fc.record({ id: fc.constantFrom("a", "b", "c"), life: fc.nat(50), wait: fc.nat(30) });
  fc.assert(fc.property(fc.array(use, { maxLength: 50 }), (uses) => {
    const { useProof } = createUsedProofs();
    const expiries = new Map<string, number>();
    let now = 0;
    for (const { id, life, wait } of uses) {
      now += wait;
      const isFree = (expiries.get(id) ?? 0) <= now;
      const isNew = useProof(id, now + life, now);
      // An entry behind one that lives longer may be remembered longer, never shorter.
      if (!isFree) assertEquals(isNew, false);
      if (isNew === true) expiries.set(id, now + life);
    }
  }));
});

Deno.test("createUsedProofs() refuses new proofs when it is full, and forgets none early", () => {
  const { useProof } = createUsedProofs(3);
  for (const id of ["a", "b", "c"]) assertEquals(useProof(id, NOW + 10, NOW), true);
  const error = assertThrows(() => useProof("d", NOW + 10, NOW), AppError);
  assertEquals([error.code, error.headers["Retry-After"]], ["service_unavailable", "5"]);
  assertEquals(useProof("a", NOW + 10, NOW + 9), false);
  assertEquals(useProof("d", NOW + 20, NOW + 10), true);
});

Deno.test("if it cannot be known whether a proof was used, the request is a 503", async () => {
  const authenticator = makeDpopAuthenticator({ usedProofs: createUsedProofs(0) });
  const proof = await prove();
  const error = await assertRejects(() => admit({ authenticator, proof }), AppError);
  assertEquals(error.code, "service_unavailable");
});
