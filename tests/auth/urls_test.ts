import { authUrlIssues, urlIssue } from "../../src/auth/urls.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";

const HINT = "RECTO_AUTH_PLAIN_HTTP=true allows http in private networks";
const ALL = { loopback: true, privateNetworks: true, plainHttp: false };

Deno.test("urlIssue() accepts https, and http on loopback", () => {
  const good = [
    "https://issuer.test/keys?x=1",
    "https://10.0.0.1/keys",
    "http://localhost:8080/keys",
    "http://127.0.0.1/keys",
    "http://127.1/keys",
    "http://[::1]:9/keys",
  ];
  assertEquals(good.map((url) => urlIssue("URL", url)), good.map(() => undefined));
});

Deno.test("urlIssue() reports every other URL", () => {
  const bad = [
    "http://issuer.test",
    "http://127.0.0.1.evil.test",
    "http://localhost.evil.test",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::ffff:127.0.0.1]",
    "file:///etc/passwd",
    "data:application/json,{}",
  ];
  for (const url of bad) {
    assertStringIncludes(urlIssue("URL", url) ?? "", `URL must be https, or http on loopback; `);
    assertStringIncludes(urlIssue("URL", url) ?? "", `: "${url}"`);
  }
  assertEquals(urlIssue("URL", "issuer.test"), 'URL must be an absolute URL: "issuer.test"');
  assertEquals(urlIssue("URL", "https://x/#a"), 'URL must not have a fragment: "https://x/#a"');
});

Deno.test("urlIssue() does not quote credentials", () => {
  assertEquals(urlIssue("URL", "https://ada:secret@x/"), "URL must not contain credentials");
});

Deno.test("authUrlIssues() lists every issue with the name of its setting", () => {
  assertEquals(authUrlIssues({}, ALL), []);
  assertEquals(authUrlIssues({ issuer: "http://x/" }, ALL).length, 1);
  assertEquals(
    authUrlIssues({ issuer: "urn:any", jwksUrl: "http://x/", introspectionUrl: "http://y/" }, ALL),
    [
      `RECTO_AUTH_JWKS_URL must be https, or http on loopback; ${HINT}: "http://x/"`,
      `RECTO_AUTH_INTROSPECTION_URL must be https, or http on loopback; ${HINT}: "http://y/"`,
    ],
  );
  assertEquals(authUrlIssues({ issuer: "urn:any", jwksFile: "keys.json" }, ALL), []);
});
