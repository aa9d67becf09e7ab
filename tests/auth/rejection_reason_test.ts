import { assertEquals } from "../assert.ts";
import {
  CLAIMS,
  HEADER,
  ISSUER,
  KEY,
  makeAuthenticator,
  makeKey,
  mint,
  type Parts,
  refuse,
  SECONDS,
} from "./support.ts";

const SENTINEL = "SENTINEL";
const sealed = { ...CLAIMS, sub: SENTINEL, email: `${SENTINEL}@x.test`, name: SENTINEL };
const header = (members: object): Parts => ({ header: { ...HEADER, ...members }, claims: sealed });
const claims = (members: object): Parts => ({ claims: { ...sealed, ...members } });
const other = await makeKey("main");

const REASONS: readonly (readonly [Parts, string])[] = [
  [header({ typ: SENTINEL }), "The typ header is not an accepted type"],
  [header({ typ: undefined }), "The typ header is not an accepted type"],
  [header({ alg: "HS256" }), "The alg header is not allowed"],
  [header({ kid: SENTINEL }), "The issuer has no key with this kid"],
  [header({ kid: undefined }), "The kid header is missing"],
  [header({ crit: [SENTINEL] }), "The crit header is not supported"],
  [{ key: other }, "The signature does not match the key that kid names"],
  [claims({ iss: SENTINEL }), "The iss claim names another issuer"],
  [claims({ iss: undefined }), "The iss claim is missing"],
  [claims({ iss: `${ISSUER}/` }), "The iss claim names another issuer"],
  [claims({ aud: SENTINEL }), "The aud claim does not name this service"],
  [claims({ aud: undefined }), "The aud claim is missing"],
  [
    claims({ sub: undefined, client_id: undefined }),
    "The sub claim is missing, and no claim names the client",
  ],
  [claims({ sub: "" }), "The sub claim is not a valid string"],
  [claims({ exp: SECONDS - 60 }), "The token has expired"],
  [claims({ exp: SENTINEL }), "The exp claim is not a valid time"],
  [claims({ exp: undefined }), "The exp claim is missing"],
  [claims({ nbf: SECONDS + 60 }), "The nbf claim is in the future"],
  [claims({ iat: SECONDS + 60 }), "The iat claim is in the future"],
  [claims({ workspace_id: 7 }), "The workspace_id claim is invalid"],
  [claims({ scope: [7] }), "The claim with the scopes is not a string or a list of strings"],
  [
    claims({ cnf: { jkt: SENTINEL } }),
    "The token is bound to a key (cnf), which is not supported",
  ],
  [{ claims: `["${SENTINEL}"]` }, "A part of the token is not a JSON object"],
  [{ claims: `${SENTINEL}` }, "A part of the token is not JSON"],
  [{ header: `${SENTINEL}` }, "A part of the token is not JSON"],
];

Deno.test("the reason of a rejected token names the invalid part, and quotes nothing of it", async () => {
  for (const [parts, reason] of REASONS) {
    assertEquals((await refuse(await mint(parts))).reason, reason);
  }
});

Deno.test("the reason distinguishes an ambiguous key from a malformed token", async () => {
  const authenticator = makeAuthenticator([KEY.jwk, other.jwk]);
  const twin = await refuse(await mint(), { authenticator });
  assertEquals(twin.reason, "Several keys have this kid");
  assertEquals(
    (await refuse(SENTINEL)).reason,
    "The token is not a JWT; others need RECTO_AUTH_INTROSPECTION_URL",
  );
  assertEquals((await refuse("x".repeat(9_000))).reason, "The token is longer than 8 KiB");
});

Deno.test("docs/tokens.md lists reasons as they are logged", async () => {
  const table = (await Deno.readTextFile("docs/tokens.md")).split("| reason")[1] ?? "";
  const told = [...table.matchAll(/^\| `(The [^`]+)`/gm)].map(([, reason]) => reason);
  const known = new Set<unknown>([
    ...REASONS.map(([, reason]) => reason),
    "The token is not active",
    "The token is not a JWT; others need RECTO_AUTH_INTROSPECTION_URL",
    "The token lacks a claim of RECTO_AUTH_TOKEN_MARKERS",
    "The response of introspection has neither aud nor token_type",
  ]);
  assertEquals([told.length, told.filter((reason) => !known.has(reason))], [13, []]);
});
