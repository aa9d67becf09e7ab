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
  [header({ typ: SENTINEL }), "The token's typ is not at+jwt"],
  [header({ typ: undefined }), "The token's typ is not at+jwt"],
  [header({ alg: "HS256" }), "The token's alg is not allowed"],
  [header({ kid: SENTINEL }), "The issuer has no such key"],
  [header({ kid: undefined }), "The token names no key"],
  [header({ crit: [SENTINEL] }), "The token's header has crit"],
  [{ key: other }, "The token's signature is not of the key that it names"],
  [claims({ iss: SENTINEL }), "The token's iss is another issuer's"],
  [claims({ iss: undefined }), "The token has no iss"],
  [claims({ iss: `${ISSUER}/` }), "The token's iss is another issuer's"],
  [claims({ aud: SENTINEL }), "The token's aud does not name this service"],
  [claims({ aud: undefined }), "The token has no aud"],
  [claims({ sub: undefined }), "The token has no sub"],
  [claims({ sub: "" }), "The token's sub is no usable string"],
  [claims({ exp: SECONDS - 60 }), "The token has expired"],
  [claims({ exp: SENTINEL }), "The token's exp is no time"],
  [claims({ exp: undefined }), "The token has no exp"],
  [claims({ nbf: SECONDS + 60 }), "The token's nbf lies in the future"],
  [claims({ iat: SECONDS + 60 }), "The token's iat lies in the future"],
  [claims({ workspace_id: 7 }), "The token's workspace_id is wrong"],
  [claims({ scope: [SENTINEL] }), "The token's scope has another type"],
  [claims({ cnf: { jkt: SENTINEL } }), "The token is bound to a key"],
  [{ claims: `["${SENTINEL}"]` }, "The token's payload is no JSON object"],
  [{ claims: `${SENTINEL}` }, "The token's payload is no JSON object"],
  [{ header: `${SENTINEL}` }, "A part of the token is no JSON"],
];

Deno.test("the reason of a refused token says which part is wrong, and holds nothing of it", async () => {
  for (const [parts, reason] of REASONS) {
    assertEquals((await refuse(await mint(parts))).reason, reason);
  }
});

Deno.test("the reason tells a key that two share, and a token that is none", async () => {
  const authenticator = makeAuthenticator([KEY.jwk, other.jwk]);
  const twin = await refuse(await mint(), { authenticator });
  assertEquals(twin.reason, "Several keys have the token's kid");
  assertEquals((await refuse(SENTINEL)).reason, "The token has not three parts");
  assertEquals((await refuse("x".repeat(9_000))).reason, "The token is longer than 8 KiB");
});

Deno.test("docs/tokens.md tells reasons as they are logged", async () => {
  const table = (await Deno.readTextFile("docs/tokens.md")).split("| reason")[1] ?? "";
  const told = [...table.matchAll(/^\| `(The [^`]+)`/gm)].map(([, reason]) => reason);
  const known = new Set<unknown>([
    ...REASONS.map(([, reason]) => reason),
    "The token is not active",
  ]);
  assertEquals([told.length, told.filter((reason) => !known.has(reason))], [10, []]);
});
