import { assertEquals } from "../assert.ts";
import { withServer } from "../auth/support.ts";
import { withApp } from "../support/app.ts";

/** Milliseconds for which a token that was found good is trusted. */
const TRUSTED = 60_000;
const TOKEN = "opaque-token";

Deno.test("Case 60: a token that its issuer takes back is refused once it was trusted for a minute", () => {
  let isActive = true;
  let asked = 0;
  let clock = Date.now();
  const issuer = () => {
    asked++;
    return Response.json({
      active: isActive,
      token_type: "Bearer",
      sub: "ada",
      scope: "users.read",
    });
  };
  return withServer(issuer, (origin) =>
    withApp(async ({ call }) => {
      const status = async () => (await call("GET /v2/users/me", { token: TOKEN })).status;
      assertEquals([await status(), await status(), asked], [200, 200, 1]);
      isActive = false;
      clock += TRUSTED - 1;
      assertEquals([await status(), asked], [200, 1]);
      clock += 1;
      assertEquals([await status(), asked], [401, 2]);
      assertEquals([await status(), asked], [401, 3], "a refusal is not kept");
      isActive = true;
      assertEquals([await status(), asked], [200, 4]);
    }, {
      now: () => clock,
      environment: {
        RECTO_AUTH_ISSUER: origin,
        RECTO_AUTH_AUDIENCE: "recto",
        RECTO_AUTH_JWKS_URL: "none",
        RECTO_AUTH_INTROSPECTION_URL: `${origin}/introspect`,
        RECTO_AUTH_CLIENT_ID: "recto",
        RECTO_AUTH_CLIENT_SECRET: "secret",
      },
    }));
});
