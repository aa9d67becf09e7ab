import { startupBanner } from "../../src/app/startup_banner.ts";
import { readConfig } from "../../src/config/config.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";

const SCOPES = ["pages.read", "search.read"];

function banner(environment: Readonly<Record<string, string>>): string {
  return startupBanner(readConfig((name) => environment[name]), SCOPES);
}

Deno.test("the banner tells where the service listens, and apart from it where clients reach it", () => {
  const text = banner({
    HOST: "0.0.0.0",
    PORT: "8960",
    RECTO_PUBLIC_URL: "https://recto.example",
    RECTO_AUTH_LOCAL_ANYWHERE: "true",
  });
  assertStringIncludes(text, "listens on 0.0.0.0:8960\n");
  assertStringIncludes(text, "Clients reach it at https://recto.example\n");
  assertStringIncludes(text, " http://localhost:8960/v2/users/me\n");
  assert(!banner({}).includes("Clients reach it"));
});

Deno.test("the commands of the banner name every scope and the settings that they depend on", () => {
  const text = banner({
    RECTO_DATA_DIR: "/srv/my recto's",
    RECTO_POLICY_FILE: "policy/ours.json",
    RECTO_AUTH_AUDIENCE: "https://recto.example",
  });
  const settings = `RECTO_DATA_DIR='/srv/my recto'\\''s' RECTO_POLICY_FILE=policy/ours.json ` +
    "RECTO_AUTH_AUDIENCE=https://recto.example deno task";
  assertStringIncludes(text, `\n  ${settings} token --scope "pages.read search.read"\n`);
  assertStringIncludes(text, `$(${settings} --quiet token --scope users.read)`);
  assertStringIncludes(banner({}), '\n  deno task token --scope "pages.read search.read"\n');
});

Deno.test("with another issuer the banner mints nothing and says who does", () => {
  const text = banner({
    RECTO_AUTH_ISSUER: "https://issuer.example",
    RECTO_PUBLIC_URL: "https://recto.example",
  });
  assertEquals(text.includes("token --scope"), false);
  assertStringIncludes(text, "Tokens come from https://issuer.example\n");
});
