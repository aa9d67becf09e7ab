import fc from "fast-check";
import { challenge, readCredentials } from "../../src/auth/bearer.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { RECTO_PUBLIC_URL } from "./support.ts";

const CONTEXT = { publicUrl: RECTO_PUBLIC_URL };

function read(authorization: string | null): string {
  return readCredentials(authorization, CONTEXT).token;
}

function refusal(authorization: string | null): AppError {
  return assertThrows(() => read(authorization), AppError);
}

const PLAIN_CHALLENGE =
  'Bearer realm="recto", resource_metadata="https://recto.test/.well-known/oauth-protected-resource"';

Deno.test("readCredentials() returns the token after the scheme, whatever its case", () => {
  assertEquals(read("Bearer abc.def-_~+/=="), "abc.def-_~+/==");
  assertEquals(read("bEARER   abc"), "abc");
});

Deno.test("readCredentials() throws a plain challenge without bearer credentials", () => {
  for (const value of [null, "", "Basic dTpw", "DPoP abc", "Bearerabc", "Digest a=b, c=d"]) {
    const error = refusal(value);
    assertEquals([error.code, error.headers["WWW-Authenticate"]], [
      "unauthorized",
      PLAIN_CHALLENGE,
    ]);
  }
});

Deno.test("readCredentials() rejects malformed, repeated and empty credentials as invalid requests", () => {
  const values = [
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a, Bearer b",
    "Basic dTpw, Bearer b",
    "Bearer a,b",
    "Bearer a=b",
    "Bearer é",
  ];
  for (const value of values) {
    const error = refusal(value);
    assertEquals([error.code, error.status], ["invalid_request", 400], value);
    assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", 'error="invalid_request"');
  }
});

Deno.test("readCredentials() rejects a token over 8 KiB as invalid and accepts one of 8 KiB", () => {
  assertEquals(read(`Bearer ${"a".repeat(8192)}`).length, 8192);
  const error = refusal(`Bearer ${"a".repeat(8193)}`);
  assertEquals([error.code, error.status], ["unauthorized", 401]);
  assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", 'error="invalid_token"');
});

Deno.test("readCredentials() returns a token or throws an error with a challenge, for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    for (const value of [text, `Bearer ${text}`]) {
      try {
        read(value);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        assertStringIncludes(error.headers["WWW-Authenticate"] ?? "", PLAIN_CHALLENGE);
      }
    }
  }));
});

Deno.test("challenge() names realm, metadata, error, description and scope", () => {
  assertEquals(challenge({ publicUrl: "https://recto.test/" }), PLAIN_CHALLENGE);
  assertEquals(
    challenge(CONTEXT, {
      error: "insufficient_scope",
      description: "More is needed.",
      scope: "pages.read blocks.read",
    }),
    `${PLAIN_CHALLENGE}, error="insufficient_scope", error_description="More is needed.", ` +
      'scope="pages.read blocks.read"',
  );
});

Deno.test("challenge() escapes quoted values", () => {
  assertEquals(
    challenge(CONTEXT, { scope: 'a", x="\\\r\né' }),
    `${PLAIN_CHALLENGE}, scope="a, x="`,
  );
});
