import { base64url, EncryptJWT, errors, exportSPKI } from "jose";
import fc from "fast-check";
import { createJwtVerifier } from "../../src/auth/jwt.ts";
import { InvalidToken, TOKEN_HINTS, type TokenHint } from "../../src/auth/token_errors.ts";
import { createKeySet } from "../../src/auth/keys.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import {
  accept,
  AUDIENCE,
  CLAIMS,
  encodePart,
  HEADER,
  ISSUER,
  KEY,
  makeAuthenticator,
  makeKey,
  makeRsaKey,
  mint,
  NOW,
  refuse,
  RULES,
  rulesOf,
  SECONDS,
} from "./support.ts";
import { currentSettings, toShape, withEachSetting } from "./settings.ts";

Deno.test(
  "createJwtVerifier() accepts a valid token and returns its caller",
  withEachSetting(async () => {
    const principal = await accept(await mint());
    assertEquals(principal.workspace, "default");
    assertEquals([...principal.scopes], ["pages.read", "blocks.read"]);
    assertEquals(principal.expiresAt, NOW + 3_600_000);
  }),
);

Deno.test(
  "createJwtVerifier() rejects every spelling of the algorithm none",
  withEachSetting(async () => {
    for (const alg of ["none", "None", "nOnE", "", undefined]) {
      const unsigned = `${encodePart({ ...HEADER, alg })}.${encodePart(CLAIMS)}`;
      await refuse(`${unsigned}.`);
      await refuse(`${unsigned}.AA`);
      await refuse(await mint({ header: { ...HEADER, alg } }));
    }
  }),
);

Deno.test(
  "createJwtVerifier() rejects HS256 with any encoding of the RSA public key",
  withEachSetting(async () => {
    const rsa = await makeRsaKey("main", 2048);
    const authenticator = makeAuthenticator([rsa.jwk]);
    const rs256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const publicKey = await crypto.subtle.importKey("jwk", rsa.jwk, rs256, true, ["verify"]);
    const pem = await exportSPKI(publicKey);
    for (const secret of [pem, ` ${pem}`, `${pem}\n`, pem.trim(), JSON.stringify(rsa.jwk), "\0"]) {
      const key = await hmacKey(secret);
      const header = { ...HEADER, alg: "HS256" };
      await refuse(await mint({ header, key: { ...KEY, ...key } }), { authenticator });
    }
  }),
);

Deno.test(
  "createJwtVerifier() accepts no shared secret, even from its key set",
  withEachSetting(async () => {
    const secret = await hmacKey("secret");
    const keys = { ...keySet(), find: () => Promise.resolve(secret.verifyKey) };
    const rules = rulesOf(currentSettings().environment);
    const verify = createJwtVerifier({ ...rules, keys });
    const token = await mint({ header: { ...HEADER, alg: "HS256" }, key: { ...KEY, ...secret } });
    const error = await assertRejects(() => verify(token, NOW), InvalidToken);
    assertEquals(String(error.cause), `${new errors.JOSEAlgNotAllowed(NOT_ALLOWED)}`);
  }),
);

const NOT_ALLOWED = '"alg" (Algorithm) Header Parameter value not allowed';

interface Secret {
  readonly privateKey: CryptoKey;
  readonly verifyKey: CryptoKey;
  readonly sign: { readonly name: string };
}

async function hmacKey(text: string): Promise<Secret> {
  const sign = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(text);
  const [privateKey, verifyKey] = await Promise.all([
    crypto.subtle.importKey("raw", bytes, sign, false, ["sign"]),
    crypto.subtle.importKey("raw", bytes, sign, false, ["verify"]),
  ]);
  return { privateKey, verifyKey, sign };
}

Deno.test(
  "createJwtVerifier() rejects an algorithm other than that of the signature",
  withEachSetting(async () => {
    const rsa = await makeRsaKey("main", 2048);
    const authenticator = makeAuthenticator([rsa.jwk]);
    const header = { ...HEADER, alg: "RS256" };
    await accept(await mint({ header, key: rsa }), { authenticator });
    for (const alg of ["PS256", "RS512", "HS256", "ES256", "EdDSA", "RSA-OAEP", "constructor"]) {
      await refuse(await mint({ header: { ...HEADER, alg }, key: rsa }), { authenticator });
    }
  }),
);

Deno.test(
  "createJwtVerifier() accepts each pinned algorithm",
  withEachSetting(async () => {
    const rsa = await makeRsaKey("main", 2048);
    const pss = await crypto.subtle.importKey(
      "pkcs8",
      await crypto.subtle.exportKey("pkcs8", rsa.privateKey),
      { name: "RSA-PSS", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const key = { ...rsa, privateKey: pss, sign: { name: "RSA-PSS", saltLength: 32 } };
    const token = await mint({ header: { ...HEADER, alg: "PS256" }, key });
    await accept(token, { authenticator: makeAuthenticator([rsa.jwk]) });

    const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    if (!("publicKey" in pair)) throw new Error("Expected a pair");
    const jwk = {
      kty: "OKP",
      kid: "main",
      ...await crypto.subtle.exportKey("jwk", pair.publicKey),
    };
    const edKey = { jwk: KEY.jwk, privateKey: pair.privateKey, sign: { name: "Ed25519" } };
    const { kty, crv, x, kid } = jwk;
    const authenticator = makeAuthenticator([{ kty, crv: crv ?? "", x: x ?? "", kid }]);
    for (const alg of ["EdDSA", "Ed25519"]) {
      await accept(await mint({ header: { ...HEADER, alg }, key: edKey }), { authenticator });
    }
  }),
);

Deno.test(
  "createJwtVerifier() treats a malformed kid as unknown",
  withEachSetting(async () => {
    const kids = ["../../dev/null", "' OR 1=1--", "__proto__", "", "x".repeat(10_240), 7, null];
    for (const kid of [...kids, undefined, ["main"], { toString: "main" }]) {
      await refuse(await mint({ header: { ...HEADER, kid } }));
    }
  }),
);

Deno.test(
  "createJwtVerifier() rejects a kid that two keys share",
  withEachSetting(async () => {
    const twin = await makeKey("main");
    await refuse(await mint(), { authenticator: makeAuthenticator([KEY.jwk, twin.jwk]) });
  }),
);

Deno.test(
  "createJwtVerifier() uses no URL and no key from a token header",
  withEachSetting(async () => {
    const thief = await makeKey("thief");
    const calls: unknown[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input) => {
      calls.push(input);
      return Promise.reject(new TypeError("No request is expected"));
    };
    try {
      const url = "http://127.0.0.1:1/keys";
      const members = [{ jku: url }, { x5u: url }, { x5c: ["MIIB"] }, { jwk: thief.jwk }];
      for (const member of members) {
        await refuse(await mint({ header: { ...HEADER, ...member }, key: thief }));
        await refuse(await mint({ header: { ...HEADER, ...member, kid: "thief" }, key: thief }));
      }
    } finally {
      globalThis.fetch = fetch;
    }
    assertEquals(calls, []);
  }),
);

Deno.test(
  "createJwtVerifier() rejects every critical extension",
  withEachSetting(async () => {
    const extensions = [
      { crit: ["b64"], b64: false },
      { crit: ["b64"], b64: true },
      { b64: false },
      { crit: ["x"], x: 1 },
      { crit: [] },
      { crit: ["alg"] },
      { crit: null },
    ];
    for (const extension of extensions) {
      await refuse(await mint({ header: { ...HEADER, ...extension } }));
    }
  }),
);

Deno.test(
  "createJwtVerifier() rejects a token that has expired or has an invalid expiry",
  withEachSetting(async () => {
    const ends = [SECONDS - 3600, SECONDS - 30, undefined, String(SECONDS + 60), -1, 1e20, null];
    for (const exp of ends) await refuse(await mint({ claims: { ...CLAIMS, exp } }));
    const endless = JSON.stringify({ ...CLAIMS, exp: "END" }).replace('"END"', "1e400");
    await refuse(await mint({ claims: endless }));
  }),
);

Deno.test(
  "createJwtVerifier() tolerates a clock that is 29 s off but not 31 s",
  withEachSetting(async () => {
    await accept(await mint({ claims: { ...CLAIMS, exp: SECONDS - 29 } }));
    await refuse(await mint({ claims: { ...CLAIMS, exp: SECONDS - 31 } }));
    for (const claim of ["nbf", "iat"]) {
      await accept(await mint({ claims: { ...CLAIMS, [claim]: SECONDS + 29 } }));
      await refuse(await mint({ claims: { ...CLAIMS, [claim]: SECONDS + 31 } }));
      await refuse(await mint({ claims: { ...CLAIMS, [claim]: "soon" } }));
    }
  }),
);

Deno.test(
  "createJwtVerifier() accepts only the exact name of the issuer",
  withEachSetting(async () => {
    const others = ["https://other.test", `${ISSUER}/`, ISSUER.toUpperCase(), [ISSUER], undefined];
    for (const iss of others) await refuse(await mint({ claims: { ...CLAIMS, iss } }));
  }),
);

Deno.test(
  "createJwtVerifier() accepts only tokens for its own audience",
  withEachSetting(async () => {
    const aud = [AUDIENCE, "https://other.test"];
    await accept(await mint({ claims: { ...CLAIMS, aud } }));
    const others = [
      "https://other.test",
      undefined,
      "https://recto",
      "",
      [],
      ["https://recto"],
      {},
    ];
    for (const aud of others) await refuse(await mint({ claims: { ...CLAIMS, aud } }));
  }),
);

Deno.test("createJwtVerifier() accepts access tokens and no other kind of JWT", async () => {
  for (const typ of ["at+jwt", "AT+JWT", "application/at+jwt"]) {
    await accept(await mint({ header: { ...HEADER, typ } }));
  }
  const others = ["JWT", "logout+jwt", "dpop+jwt", "secevent+jwt", "at", "", undefined, 1];
  for (const typ of others) await refuse(await mint({ header: { ...HEADER, typ } }));
  const idToken = { ...CLAIMS, nonce: "n" };
  await refuse(await mint({ header: { ...HEADER, typ: "JWT" }, claims: idToken }));
});

Deno.test(
  "createJwtVerifier() rejects a token without a subject",
  withEachSetting(async () => {
    for (const sub of ["", {}, 7, null]) await refuse(await mint({ claims: { ...CLAIMS, sub } }));
    await refuse(await mint({ claims: { ...CLAIMS, sub: undefined, client_id: undefined } }));
  }),
);

Deno.test(
  "createJwtVerifier() rejects encrypted, nested, compressed and JSON tokens",
  withEachSetting(async () => {
    const jwe = await new EncryptJWT(CLAIMS)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: "at+jwt", kid: "main" })
      .encrypt(new Uint8Array(32));
    await refuse(jwe);
    await refuse(`${encodePart({ alg: "PBES2-HS256+A128KW", p2c: 2 ** 31 })}.AA.AA.AA.AA`);
    await refuse(await mint({ header: { ...HEADER, cty: "JWT" }, claims: await mint() }));
    await refuse(await mint({ claims: await mint() }));
    await refuse(await mint({ header: { ...HEADER, zip: "DEF" } }));
    await refuse(await mint({ header: { ...HEADER, enc: "A256GCM" } }));
    const verify = createJwtVerifier({ ...RULES, keys: keySet() });
    const [header, payload, signature] = (await mint()).split(".");
    const flattened = JSON.stringify({ protected: header, payload, signature });
    await assertRejects(() => verify(flattened, NOW), InvalidToken);
  }),
);

function keySet(): ReturnType<typeof createKeySet> {
  return createKeySet(() => Promise.resolve({ keys: [KEY.jwk] }));
}

Deno.test(
  "createJwtVerifier() rejects a token without exactly three parts",
  withEachSetting(async () => {
    const token = await mint();
    const [header, payload] = token.split(".");
    for (const bad of ["a", `${header}.${payload}`, `${token}.`, `${token}.AA`, "..", "..."]) {
      await refuse(bad);
    }
  }),
);

Deno.test(
  "createJwtVerifier() accepts only one spelling of each part",
  withEachSetting(async () => {
    const token = await mint();
    const verify = createJwtVerifier({ ...RULES, keys: keySet() });
    // 64 bytes of signature leave four unused bits in the last of its 86 characters.
    const trailing = token.slice(0, -1) + nextCharacter(token.slice(-1));
    assertEquals(signatureOf(trailing), signatureOf(token));
    const spellings = [trailing, `${token}==`, `${token}=`, `${token} `, ` ${token}`, `${token}\n`];
    for (const bad of [...spellings, token.replace(/.$/, "+"), token.replace(".", "=.")]) {
      await assertRejects(() => verify(bad, NOW), InvalidToken);
    }
    await refuse(trailing);
    await refuse(`${token}==`);
  }),
);

function signatureOf(token: string): Uint8Array {
  return base64url.decode(token.split(".").at(-1) ?? "");
}

function nextCharacter(character: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(character) + 1);
}

Deno.test(
  "createJwtVerifier() rejects a signature with any byte changed",
  withEachSetting(async () => {
    const token = await mint();
    const input = token.slice(0, token.lastIndexOf("."));
    for (let index = 0; index < 64; index += 1) {
      const signature = signatureOf(token).map((byte, at) => at === index ? byte ^ 1 : byte);
      await refuse(`${input}.${base64url.encode(signature)}`);
    }
  }),
);

Deno.test(
  "createJwtVerifier() rejects zero, DER and wrong-curve signatures",
  withEachSetting(async () => {
    const token = await mint();
    const input = token.slice(0, token.lastIndexOf("."));
    const raw = signatureOf(token);
    const numbers = [raw.slice(0, 32), raw.slice(32)].flatMap((n) => [2, 33, 0, ...n]);
    for (const signature of [new Uint8Array(64), Uint8Array.from([48, 70, ...numbers])]) {
      await refuse(`${input}.${base64url.encode(signature)}`);
    }
    const p384 = { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" };
    const pair = await crypto.subtle.generateKey(p384, true, ["sign", "verify"]);
    await refuse(await mint({ key: { ...KEY, privateKey: pair.privateKey, sign: p384 } }));
  }),
);

Deno.test(
  "createJwtVerifier() rejects duplicate names in header and payload",
  withEachSetting(async () => {
    const claims = JSON.stringify(toShape("claims", CLAIMS));
    await accept(await mint({ claims }));
    await refuse(await mint({ claims: claims.replace("{", '{"sub":"eve",') }));
    await refuse(await mint({ claims: claims.replace("{", '{"s\\u0075b":"eve",') }));
    const header = JSON.stringify(toShape("header", HEADER));
    await refuse(await mint({ header: header.replace("{", '{"alg":"none",') }));
  }),
);

Deno.test("createJwtVerifier() rejects any token with one character changed", async () => {
  const token = await mint();
  const change = fc.record({
    at: fc.nat(token.length - 1),
    to: fc.constantFrom(..."AZaz09-_.+/"),
  }).filter(({ at, to }) => token[at] !== to);
  await fc.assert(
    fc.asyncProperty(change, async ({ at, to }) => {
      await refuse(token.slice(0, at) + to + token.slice(at + 1));
    }),
    { numRuns: 100 },
  );
});

Deno.test("createJwtVerifier() tells only what a caller may know of an invalid token", async () => {
  const stranger = await makeKey("stranger");
  const told: readonly (readonly [string, TokenHint])[] = [
    [await mint({ header: { ...HEADER, kid: "unknown" } }), "unknown_key"],
    [await mint({ claims: { ...CLAIMS, iss: "https://other.test" } }), "unknown_issuer"],
    [await mint({ claims: { ...CLAIMS, aud: "other" } }), "wrong_audience"],
    [await mint({ claims: { ...CLAIMS, exp: SECONDS - 3600 } }), "expired"],
    [await mint({ claims: { ...CLAIMS, nbf: SECONDS + 3600 } }), "not_yet_valid"],
    [await mint({ claims: { ...CLAIMS, iat: SECONDS + 3600 } }), "not_yet_valid"],
    // A forged token is not told what else is wrong with it.
    [await mint({ key: stranger, claims: { ...CLAIMS, exp: 1, aud: "other" } }), "invalid"],
    [await mint({ header: { ...HEADER, typ: "JWT" } }), "invalid"],
    ["opaque", "invalid"],
    ["a".repeat(9000), "invalid"],
  ];
  for (const [token, hint] of told) await refuse(token, { hint });
  assertEquals(new Set(told.map(([, hint]) => hint)), new Set(Object.keys(TOKEN_HINTS)));
});

Deno.test("createJwtVerifier() looks for no key unless a token names the issuer and an accepted type", async () => {
  const find = () => Promise.reject(new Error("No key is expected"));
  const verify = createJwtVerifier({ ...RULES, keys: { ...keySet(), find } });
  const tokens = [
    await mint({ claims: { ...CLAIMS, iss: "https://other.test" } }),
    await mint({ header: { ...HEADER, typ: "JWT" } }),
    await mint({ header: { ...HEADER, alg: "HS256" } }),
  ];
  for (const token of tokens) await assertRejects(() => verify(token, NOW), InvalidToken);
});
