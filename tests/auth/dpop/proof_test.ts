/**
 * The checks of RFC 9449 section 4.3, each by its number there, and those of sections 7 and 11.
 *
 * @module
 */
import fc from "fast-check";
import { base64url, calculateJwkThumbprint, exportJWK } from "jose";
import { createAuthenticator } from "../../../src/auth/authenticator.ts";
import { DPOP_ALGORITHMS } from "../../../src/auth/dpop/proof_key.ts";
import { createUsedProofs } from "../../../src/auth/dpop/used_proofs.ts";
import { createIntrospectionVerifier } from "../../../src/auth/introspection.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import {
  CLAIMS,
  encodePart,
  makeKey,
  makeRsaKey,
  mint,
  NOW,
  RECTO_PUBLIC_URL,
  RULES,
  SECONDS,
} from "../support.ts";
import {
  admit,
  BOUND,
  CLIENT,
  hashOf,
  makeClientKey,
  makeDpopAuthenticator,
  PATH,
  PROOF_HEADER,
  proofClaims,
  prove,
  refuseProof,
  toClientKey,
} from "./support.ts";

const authenticator = makeDpopAuthenticator();
const INVALID = "invalid_dpop_proof";

Deno.test("a bound token with a good proof is admitted, as the caller that the token names", async () => {
  const { caller, nonce } = await admit({ authenticator, proof: await prove() });
  assertEquals([caller.boundKey, nonce], [CLIENT.thumbprint, undefined]);
  assertEquals([...caller.scopes], ["pages.read", "blocks.read"]);
});

Deno.test("4.3.1: a request without a DPoP header, or with two, is refused", async () => {
  const missing = await refuseProof({ authenticator, proof: undefined }, INVALID);
  assertEquals(missing.message, "DPoP: The DPoP header is missing.");
  const two = new Headers([["DPoP", await prove()], ["DPoP", await prove()]]).get("dpop") ?? "";
  await refuseProof(
    { authenticator, proof: two },
    INVALID,
    "The DPoP header must be sent exactly once",
  );
});

Deno.test("4.3.2: a proof that is no well-formed JWT is refused", async () => {
  const [header = "", claims = "", signature = ""] = (await prove()).split(".");
  const proofs = [
    ...["", ".", "..", "...", "a.b.c", `${header}.${claims}`, `${header}.${claims}.${signature}.`],
    ...[`${header}.${encodePart("[]")}.${signature}`, `${encodePart("1")}.${claims}.${signature}`],
    `${header}.${encodePart('{"jti":"a","jti":"b"}')}.${signature}`,
    `${header}=.${claims}.${signature}`,
    JSON.stringify({ protected: header, payload: claims, signature }),
    "A".repeat(8_193),
  ];
  for (const proof of proofs) await refuseProof({ authenticator, proof }, INVALID);
});

for (const claim of ["jti", "htm", "htu", "iat", "ath"]) {
  Deno.test(`4.3.3: a proof without ${claim}, or with one of another type, is refused`, async () => {
    for (const value of [undefined, null, true, {}, [], ["GET"], ""]) {
      const proof = await prove({ claims: { ...proofClaims(), [claim]: value } });
      await refuseProof({ authenticator, proof }, INVALID);
    }
  });
}

Deno.test("4.3.4: a proof whose typ is not dpop+jwt is refused", async () => {
  for (const typ of [undefined, "", "JWT", "at+jwt", "DPOP+JWT", "dpop+jwt ", ["dpop+jwt"]]) {
    const proof = await prove({ header: { ...PROOF_HEADER, typ } });
    await refuseProof({ authenticator, proof }, INVALID, "The typ header is not dpop+jwt");
  }
});

Deno.test("4.3.5: a proof with any other algorithm is refused, and with each one offered accepted", async () => {
  for (const alg of [undefined, "", "none", "NONE", "HS256", "ES512", "RS1", "es256", ["ES256"]]) {
    const proof = await prove({ header: { ...PROOF_HEADER, alg } });
    await refuseProof({ authenticator, proof }, INVALID, "The alg header is not allowed");
  }
  for (const alg of DPOP_ALGORITHMS) {
    const { token, ...parts } = await clientWith(alg);
    await admit({ authenticator, token, proof: await prove(parts) });
  }
});

const SIGN: Readonly<Record<string, RsaHashedKeyGenParams | EcKeyGenParams | Algorithm>> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  Ed25519: { name: "Ed25519" },
  EdDSA: { name: "Ed25519" },
  PS256: rsa("RSA-PSS"),
  RS256: rsa("RSASSA-PKCS1-v1_5"),
};

function rsa(name: string): RsaHashedKeyGenParams {
  const publicExponent = new Uint8Array([1, 0, 1]);
  return { name, hash: "SHA-256", modulusLength: 2048, publicExponent };
}

/** A client with a key for an algorithm: its token, and what its proofs are made of. */
async function clientWith(alg: string) {
  const parameters = SIGN[alg];
  assert(parameters);
  const pair = await crypto.subtle.generateKey(parameters, true, ["sign", "verify"]);
  assert("privateKey" in pair);
  const sign = {
    ...parameters,
    hash: alg === "ES384" ? "SHA-384" : "SHA-256",
    saltLength: 32,
  };
  const key = { jwk: await exportJWK(pair.publicKey), privateKey: pair.privateKey, sign };
  const { jwk, thumbprint } = await toClientKey(key);
  const token = await mint({ claims: { ...CLAIMS, cnf: { jkt: thumbprint } } });
  return { token, key, header: { ...PROOF_HEADER, alg, jwk }, claims: proofClaims(token) };
}

Deno.test("4.3.5: an algorithm that is not the one of the key is refused", async () => {
  for (const alg of DPOP_ALGORITHMS.filter((one) => one !== "ES256")) {
    const proof = await prove({ header: { ...PROOF_HEADER, alg } });
    await refuseProof({ authenticator, proof }, INVALID);
  }
});

Deno.test("4.3.6: a proof whose signature does not match the key is refused", async () => {
  const stranger = await makeKey("stranger");
  const [header, claims, signature = ""] = (await prove()).split(".");
  const bytes = base64url.decode(signature);
  for (const at of [0, 31, 32, 63]) {
    const changed = bytes.map((byte, index) => index === at ? byte ^ 1 : byte);
    const proof = `${header}.${claims}.${base64url.encode(changed)}`;
    await refuseProof({ authenticator, proof }, INVALID);
  }
  const forged = [
    await prove({ key: stranger }),
    `${header}.${claims}.${base64url.encode(new Uint8Array(64))}`,
    `${header}.${claims}.`,
    `${header}.${encodePart({ ...proofClaims(), jti: "another" })}.${signature}`,
  ];
  for (const proof of forged) {
    await refuseProof(
      { authenticator, proof },
      INVALID,
      "The signature does not match the key in the jwk header",
    );
  }
});

Deno.test("4.3.7: a proof that reveals a private or symmetric key is refused", async () => {
  const secret = await crypto.subtle.exportKey("jwk", CLIENT.key.privateKey);
  const jwks = [
    ...["d", "p", "q", "dp", "dq", "qi", "oth", "k"].map((name) => ({ ...CLIENT.jwk, [name]: "" })),
    { ...CLIENT.jwk, d: secret.d },
    { kty: "oct", k: "c2VjcmV0" },
  ];
  for (const jwk of jwks) {
    const proof = await prove({ header: { ...PROOF_HEADER, jwk } });
    await refuseProof(
      { authenticator, proof },
      INVALID,
      "The jwk header contains a private or symmetric key",
    );
  }
});

Deno.test("4.3.7: a key that is weak or costly to check is refused", async () => {
  const { jwk: weak } = await makeRsaKey("weak", 1024);
  const { jwk: strong } = await makeRsaKey("strong", 2048);
  const rsaKeys = [
    weak,
    { ...strong, e: "AQ" },
    { ...strong, e: `${"A".repeat(680)}AQAB` },
    { ...strong, n: "_".repeat(1_366) },
  ];
  const ecKeys = [{}, { kty: "EC" }, { ...CLIENT.jwk, crv: "secp256k1" }, { kty: "OKP" }];
  const headers = [
    ...rsaKeys.map((jwk) => ({ ...PROOF_HEADER, alg: "RS256", jwk })),
    ...ecKeys.map((jwk) => ({ ...PROOF_HEADER, jwk })),
  ];
  for (const header of headers) {
    await refuseProof(
      { authenticator, proof: await prove({ header }) },
      INVALID,
      "The jwk header has a key of a type or size that is not accepted",
    );
  }
});

Deno.test("4.3.7: what is no key, or no point of its curve, is refused", async () => {
  for (const jwk of [undefined, null, "key", 1]) {
    const proof = await prove({ header: { ...PROOF_HEADER, jwk } });
    await refuseProof({ authenticator, proof }, INVALID, "The jwk header is not a key");
  }
  const ed = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
  const members = [
    ...["x", "y", "crv"].flatMap((name) =>
      ["", [CLIENT.jwk.x], 1, null].map((value) => ({ ...CLIENT.jwk, [name]: value }))
    ),
    ...["", [ed.x], 1, null].map((x) => ({ ...ed, x })),
  ];
  for (const jwk of members) {
    const alg = jwk.kty === "OKP" ? "EdDSA" : "ES256";
    const proof = await prove({ header: { ...PROOF_HEADER, alg, jwk } });
    await refuseProof({ authenticator, proof }, INVALID);
  }
  const { kty = "", crv = "", x = "", y = "" } = CLIENT.jwk;
  for (const jwk of [{ kty, crv, x: y, y: x }, { kty, crv, x, y: "AA" }]) {
    const jkt = await calculateJwkThumbprint(jwk);
    const token = await mint({ claims: { ...CLAIMS, cnf: { jkt } } });
    const header = { ...PROOF_HEADER, jwk };
    const proof = await prove({ header, claims: proofClaims(token) });
    await refuseProof({ authenticator, token, proof }, INVALID);
  }
});

Deno.test("4.3.8: a proof for another method is refused", async () => {
  for (const htm of ["POST", "get", "HEAD", " GET"]) {
    const proof = await prove({ claims: { ...proofClaims(), htm } });
    await refuseProof(
      { authenticator, proof },
      INVALID,
      "The htm claim is not the method of the request",
    );
  }
  const head = await prove({ claims: { ...proofClaims(), htm: "HEAD" } });
  await admit({ authenticator, proof: head, method: "HEAD" });
});

Deno.test("4.3.9: a proof for another URL is refused", async () => {
  const others = [
    ...["http://recto.test/v2/users/me", "https://recto.test:8443/v2/users/me"],
    ...["https://evil.test/v2/users/me", "https://recto.test.evil.test/v2/users/me"],
    ...["https://u:p@recto.test/v2/users/me", "https://recto.test@evil.test/v2/users/me"],
    ...["https://recto.test/v2/users/ME", "https://recto.test/v2/users/me/", "/v2/users/me"],
    ...[
      "https://recto.test/v2//users/me",
      "https://recto.test/v2%2Fusers/me",
      "https://recto.test",
    ],
    ...["https://recto.test\\v2\\users\\me", " https://recto.test/v2/users/me"],
    "https://recto.test/v2/\tusers/me",
  ];
  for (const htu of others) {
    const proof = await prove({ claims: { ...proofClaims(), htu } });
    await refuseProof(
      { authenticator, proof },
      INVALID,
      "The htu claim is not the URL of the request at https://recto.test",
    );
  }
});

Deno.test("4.3.9: a proof for the same URL in another form is accepted", async () => {
  const forms = [
    ...["HTTPS://RECTO.test/v2/users/me", "https://recto.test:443/v2/users/me"],
    ...["https://recto.test/v2/%75sers/me", "https://recto.test/v2/pages/../users/me"],
    ...["https://recto.test/v2/users/me?page_size=3", "https://recto.test/v2/users/me#top"],
  ];
  for (const htu of forms) {
    await admit({ authenticator, proof: await prove({ claims: { ...proofClaims(), htu } }) });
  }
});

Deno.test("4.3.11: a proof counts for 60 s, and may be 10 s ahead of our clock", async () => {
  for (const age of [-10, 0, 59, 60]) {
    const proof = await prove({ claims: { ...proofClaims(), iat: SECONDS - age } });
    await admit({ authenticator, proof });
  }
  const refused: readonly (readonly [number, string])[] = [
    [61, "The iat claim is more than 60 s ago"],
    [86_400, "The iat claim is more than 60 s ago"],
    [-11, "The iat claim is more than 10 s in the future"],
    [-1e300, "The iat claim is more than 10 s in the future"],
  ];
  for (const [age, reason] of refused) {
    const proof = await prove({ claims: { ...proofClaims(), iat: SECONDS - age } });
    await refuseProof({ authenticator, proof }, INVALID, reason);
  }
});

Deno.test("a proof that says itself that it is not valid now is refused", async () => {
  for (const times of [{ exp: SECONDS - 31 }, { nbf: SECONDS + 31 }, { exp: "soon" }]) {
    const proof = await prove({ claims: { ...proofClaims(), ...times } });
    await refuseProof({ authenticator, proof }, INVALID);
  }
  const proof = await prove({
    claims: { ...proofClaims(), exp: SECONDS + 60, nbf: SECONDS - 1 },
  });
  await admit({ authenticator, proof });
});

Deno.test("4.3.12: a proof for another access token is refused", async () => {
  const other = await mint({
    claims: { ...CLAIMS, jti: "2", cnf: { jkt: CLIENT.thumbprint } },
  });
  const padded = `${hashOf(BOUND)}=`;
  for (const ath of [hashOf(other), padded, hashOf(BOUND).slice(1), BOUND]) {
    const proof = await prove({ claims: { ...proofClaims(), ath } });
    await refuseProof(
      { authenticator, proof },
      INVALID,
      "The ath claim is not the hash of the access token",
    );
  }
  await admit({ authenticator, token: other, proof: await prove({ claims: proofClaims(other) }) });
});

Deno.test("4.3.12: a proof by another key than that of the token is refused as a bad token", async () => {
  const thief = await makeClientKey();
  const proof = await prove({ header: { ...PROOF_HEADER, jwk: thief.jwk }, key: thief.key });
  const error = await refuseProof(
    { authenticator, proof },
    "invalid_token",
    "The token is bound to another key",
  );
  assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", "DPoP realm=");
});

Deno.test("4.3.12: whoever holds a token and key of their own can use no other token with them", async () => {
  const thief = await makeClientKey();
  const own = await mint({ claims: { ...CLAIMS, cnf: { jkt: thief.thumbprint } } });
  const proofOf = (token: string) =>
    prove({
      header: { ...PROOF_HEADER, jwk: thief.jwk },
      claims: proofClaims(token),
      key: thief.key,
    });
  // Their key is known by now, as that of the other caller is.
  await admit({ authenticator, token: own, proof: await proofOf(own) });
  await admit({ authenticator, proof: await prove() });
  await refuseProof({ authenticator, proof: await proofOf(BOUND) }, "invalid_token");
});

Deno.test("crit and other members that change a JWS are refused in its header", async () => {
  for (const member of ["crit", "b64", "zip", "enc", "cty"]) {
    const proof = await prove({ header: { ...PROOF_HEADER, [member]: ["b64"] } });
    await refuseProof({ authenticator, proof }, INVALID, `The ${member} header is not supported`);
  }
  const urls = { jku: "https://evil.test", x5u: "https://evil.test", kid: "../../etc/passwd" };
  await admit({ authenticator, proof: await prove({ header: { ...PROOF_HEADER, ...urls } }) });
});

Deno.test("an access token, or the proof of another kind, is no proof", async () => {
  for (const proof of [BOUND, await mint(), await mint({ header: { alg: "ES256", typ: "JWT" } })]) {
    await refuseProof({ authenticator, proof }, INVALID, "The typ header is not dpop+jwt");
  }
});

Deno.test("7.2: a bound token sent as a bearer token is refused, with a good proof too", async () => {
  const proof = await prove();
  for (const scheme of ["Bearer", "bearer"]) {
    const error = await refuseProof(
      { authenticator, scheme, proof },
      "invalid_token",
      "The token is bound to a key and was sent as a bearer token",
    );
    assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", 'Bearer realm="recto"');
  }
  await admit({ authenticator, proof });
});

Deno.test("7.2: a token that is not bound is refused with the DPoP scheme", async () => {
  const token = await mint();
  const proof = await prove({ claims: proofClaims(token) });
  await refuseProof(
    { authenticator, token, proof },
    "invalid_token",
    "The token was sent with DPoP and is not bound",
  );
  assertEquals((await admit({ authenticator, token, scheme: "Bearer" })).caller.userId.length, 36);
});

Deno.test("a caller that is cached under one scheme is not known under the other", async () => {
  await admit({ authenticator, proof: await prove() });
  assertEquals(authenticator.findCached(`DPoP ${BOUND}`, NOW)?.boundKey, CLIENT.thumbprint);
  assertEquals(authenticator.findCached(`Bearer ${BOUND}`, NOW), undefined);
  assertEquals(authenticator.isCached(`DPoP ${BOUND}`), false, "its proof is to be charged");
});

Deno.test("a confirmation other than a thumbprint alone is refused", async () => {
  const jkt = CLIENT.thumbprint;
  const confirmations = [
    ...[null, "", jkt, [], {}, { jkt: "" }, { jkt: `${jkt}=` }, { jkt: [jkt] }, { jkt: 1 }],
    ...[{ "x5t#S256": jkt }, { jkt, "x5t#S256": jkt }, { jwk: CLIENT.jwk }, { kid: "main" }],
  ];
  for (const cnf of confirmations) {
    const token = await mint({ claims: { ...CLAIMS, cnf } });
    const proof = await prove({ claims: proofClaims(token) });
    for (const scheme of ["DPoP", "Bearer"]) {
      await refuseProof({ authenticator, token, proof, scheme }, "invalid_token");
    }
  }
});

Deno.test("6.2: what an opaque token is bound to comes from introspection", async () => {
  const claims = {
    active: true,
    sub: "ada",
    token_type: "DPoP",
    cnf: { jkt: CLIENT.thumbprint },
  };
  const introspected = createAuthenticator({
    publicUrl: RECTO_PUBLIC_URL,
    opaque: createIntrospectionVerifier({
      ...RULES,
      url: "https://issuer.test/introspect",
      clientId: "recto",
      clientSecret: "s",
      acceptsBoundTokens: true,
      fetch: () => Promise.resolve(Response.json(claims)),
    }),
    dpop: { mode: "accept", usedProofs: createUsedProofs(), nonces: undefined },
  });
  const token = "opaque";
  const proof = await prove({ claims: proofClaims(token) });
  const sent = { authenticator: introspected, token };
  assertEquals((await admit({ ...sent, proof })).caller.boundKey, CLIENT.thumbprint);
  await refuseProof({ ...sent, proof }, INVALID);
  await refuseProof({ ...sent, scheme: "Bearer" }, "invalid_token");
});

Deno.test("require refuses bearer tokens and offers DPoP alone", async () => {
  const strict = makeDpopAuthenticator({ mode: "require" });
  const token = await mint();
  const error = await refuseProof(
    { authenticator: strict, token, scheme: "Bearer" },
    "invalid_token",
    "The token is not bound to a key (cnf.jkt)",
  );
  const offered = error.headers["WWW-Authenticate"] ?? "";
  assert(offered.startsWith('DPoP realm="recto"') && !offered.includes("Bearer"), offered);
  await admit({ authenticator: strict, proof: await prove() });
});

Deno.test("any change to a good proof is refused, and no text at all is taken for one", async () => {
  const good = await prove();
  const change = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...'A9_-.=, {"}é'));
  await fc.assert(
    fc.asyncProperty(change, async ([at, letter]) => {
      fc.pre(good[at] !== letter);
      const proof = good.slice(0, at) + letter + good.slice(at + 1);
      const admitted = await admit({ authenticator, proof }).catch((error) => error.status);
      assertEquals(admitted, 401);
    }),
    { numRuns: 300 },
  );
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (proof) => {
    const admitted = await admit({ authenticator, proof }).catch((error) => error.status);
    assertEquals(admitted, 401);
  }));
});

Deno.test("a proof is admitted exactly for its own method, URL and token", async () => {
  const other = { ...CLAIMS, jti: "2", cnf: { jkt: CLIENT.thumbprint } };
  const tokens = [BOUND, await mint({ claims: other })];
  const [token, method, path] = [
    fc.constantFrom(...tokens),
    fc.constantFrom("GET", "POST", "DELETE"),
    fc.constantFrom(PATH, "/v2/search", "/v2/pages/1"),
  ];
  const proven = fc.record({ token, method, path });
  await fc.assert(fc.asyncProperty(proven, proven, async (made, sent) => {
    const { method: htm, path: at, token: own } = made;
    const claims = { ...proofClaims(own), htm, htu: `https://recto.test${at}` };
    const admitted = await admit({ authenticator, proof: await prove({ claims }), ...sent })
      .then(() => true, () => false);
    const isSame = htm === sent.method && at === sent.path && own === sent.token;
    assertEquals(admitted, isSame);
  }));
});
