import { openAuthentication } from "../../src/app/authentication.ts";
import type { Principal } from "../../src/auth/principal.ts";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "../assert.ts";
import { openConnection } from "../../src/store/sqlite/connection.ts";
import { migrate } from "../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { withApp } from "../support/app.ts";
import { readRecipes } from "./issuers/recipes.ts";
import { ISSUER_TOKENS, type IssuerTokens, type TokenParts } from "./issuers/tokens.ts";
import { makeRsaKey, mint, NOW, SECONDS } from "./support.ts";

const KEY = await makeRsaKey("issuer-key", 2048);
const STRANGER = await makeRsaKey("issuer-key", 2048);
const RECIPES = await readRecipes();
const TIMES = { iat: SECONDS, nbf: SECONDS, exp: SECONDS + 3600 };

/** No test of this file asks it for anything: no credentials are API keys. */
const CONNECTION = openConnection(":memory:");
migrate(CONNECTION);
const STORE = createSqliteStore(CONNECTION);

type Members = Readonly<Record<string, unknown>>;
type Settings = Readonly<Record<string, string>>;
type Verify = (parts: TokenParts, key?: typeof KEY) => Promise<Principal>;

function configure(settings: Settings) {
  return readConfig((name) => Reflect.get(settings, name));
}

function settingsOf({ recipe }: IssuerTokens): Settings {
  const settings = RECIPES.get(recipe);
  assert(settings?.RECTO_AUTH_ISSUER !== undefined, `docs/tokens.md has no recipe for ${recipe}`);
  return { RECTO_PUBLIC_URL: "https://recto.example", ...settings };
}

/** Runs a test with what verifies the tokens of an issuer by its recipe, with the test's key. */
async function withRecipe(
  issuer: IssuerTokens,
  test: (verify: Verify, settings: Settings) => Promise<void>,
): Promise<void> {
  await withKeyFile(async (file) => {
    const settings = { ...settingsOf(issuer), RECTO_AUTH_JWKS_FILE: file };
    const config = configure(settings);
    const publicUrl = config.publicUrl ?? "";
    const { authenticator } = await openAuthentication({ ...config, publicUrl, store: STORE });
    await test(async ({ header, claims }, key = KEY) => {
      const token = await mint({
        header: { kid: "issuer-key", ...header },
        claims: { ...TIMES, ...claims },
        key,
      });
      return await authenticator.authenticate(`Bearer ${token}`, NOW);
    }, settings);
  });
}

async function withKeyFile(use: (file: string) => Promise<void>): Promise<void> {
  const file = await Deno.makeTempFile({ prefix: "recto-", suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify({ keys: [KEY.jwk] }));
    await use(file);
  } finally {
    await Deno.remove(file);
  }
}

/** A token with other claims or another header; undefined removes one. */
function change({ header, claims }: TokenParts, members: Members, headers: Members = {}) {
  return { header: { ...header, ...headers }, claims: { ...claims, ...members } };
}

async function assertRefused(verify: Verify, parts: TokenParts, key = KEY): Promise<void> {
  const error = await assertRejects(() => verify(parts, key), AppError);
  assertEquals(error.status, 401, JSON.stringify(parts));
}

Deno.test("docs/tokens.md has a recipe for each issuer, and no other", () =>
  assertEquals([...RECIPES.keys()].sort(), ISSUER_TOKENS.map(({ recipe }) => recipe).sort()));

for (const issuer of ISSUER_TOKENS) {
  const { recipe, user, machine, idToken } = issuer;

  Deno.test(`${recipe}: with the recipe's settings, users and machines get their scopes`, () =>
    withRecipe(issuer, async (verify) => {
      for (const token of [user, machine]) {
        const { type, name, clientId: client, scopes } = await verify(token);
        assertEquals({ type, name, client }, token.caller);
        assertEquals(scopes.has("users.read"), true);
        assertEquals(scopes.has("pages.read"), token === user);
        assertEquals(scopes.has("pages.write"), false, "what another claim holds does not count");
      }
      assert((await verify(user)).userId !== (await verify(machine)).userId);
    }));

  Deno.test(`${recipe}: a token with one thing changed is refused`, () =>
    withRecipe(issuer, async (verify) => {
      await verify(user);
      const { iss = "" } = user.claims;
      for (
        const members of [
          ...[{ iss: `${iss}/` }, { iss: String(iss).replace(/\/$|$/, "x") }, { iss: undefined }],
          ...[{ aud: "https://other.example" }, { aud: [] }, { aud: {} }, { aud: "https://recto" }],
          ...[{ exp: SECONDS - 60 }, { exp: undefined }, { nbf: SECONDS + 60 }],
          ...[{ iat: SECONDS + 60 }, { sub: "" }, { cnf: { jkt: "x" } }],
        ]
      ) await assertRefused(verify, change(user, members));
      for (
        const headers of [
          ...[{ typ: "logout+jwt" }, { typ: "dpop+jwt" }, { typ: "" }, { typ: ["JWT"] }],
          ...[{ alg: "HS256" }, { alg: "none" }, { kid: "unknown" }, { crit: ["b64"], b64: false }],
        ]
      ) await assertRefused(verify, change(user, {}, headers));
      await assertRefused(verify, user, STRANGER);
    }));

  Deno.test(`${recipe}: an ID token is refused, whatever it is made to look like`, () =>
    withRecipe(issuer, async (verify, settings) => {
      const aud = settings.RECTO_AUTH_AUDIENCE?.split(",")[0];
      const { jti: _id, ...access } = user.claims;
      await assertRefused(verify, idToken);
      await assertRefused(verify, change(idToken, { aud }));
      await assertRefused(verify, change(idToken, { aud: [aud, idToken.claims.aud].flat() }));
      const scopes = Object.fromEntries(
        ["scope", "scp", "recto_scopes", "permissions", "roles"].map((
          name,
        ) => [name, access[name]]),
      );
      await assertRefused(verify, change(idToken, { aud, ...scopes }));
      const { typ: _type, ...others } = user.header;
      for (const type of [{}, { typ: "JWT" }]) {
        for (const claim of ["nonce", "at_hash", "c_hash", "s_hash", "events", "htm", "sub_jwk"]) {
          const header = { ...others, ...type };
          await assertRefused(verify, { header, claims: { ...access, [claim]: "x" } });
        }
      }
    }));

  if (settingsOf(issuer).RECTO_AUTH_TOKEN_MARKERS === undefined) continue;

  Deno.test(`${recipe}: each marker is needed, and the client must not be the audience`, () =>
    withRecipe(issuer, async (verify, settings) => {
      for (const conditions of configure(settings).tokens.markers) {
        const without = conditions.map(({ claim }) => [claim, undefined]);
        await assertRefused(verify, change(user, Object.fromEntries(without)));
      }
      const [client = ""] = settings.RECTO_AUTH_CLIENT_CLAIM?.split(",") ?? ["client_id"];
      const aud = settings.RECTO_AUTH_AUDIENCE?.split(",")[0];
      await assertRefused(verify, change(user, { aud, [client]: aud }));
      await assertRefused(verify, change(user, { [client]: undefined }));
      for (const typ of ["ID", "Refresh", "Offline", "Logout"]) {
        await assertRefused(verify, change(user, { typ }));
      }
      for (const token_use of ["id", "refresh_token"]) {
        await assertRefused(verify, change(user, { token_use }));
      }
      const { RECTO_AUTH_TOKEN_MARKERS: _markers, ...unmarked } = settings;
      assertThrows(() => configure(unmarked), ConfigError, "RECTO_AUTH_TOKEN_MARKERS");
    }));
}

Deno.test("the whole service serves a user of another issuer, and refuses the ID token", async () => {
  const [keycloak] = ISSUER_TOKENS;
  assert(keycloak !== undefined);
  const now = Math.floor(Date.now() / 1000);
  const sign = ({ header, claims }: TokenParts) =>
    mint({
      header: { kid: "issuer-key", ...header },
      claims: { iat: now, exp: now + 600, ...claims },
      key: KEY,
    });
  await withKeyFile((file) =>
    withApp(async ({ call }) => {
      const me = await call("GET /v2/users/me", { token: await sign(keycloak.user) });
      assertEquals([me.status, me.json.name, me.json.type], [200, "Ada Lovelace", "person"]);
      const body = { parent: { type: "workspace", workspace: true }, properties: {} };
      const write = await call("POST /v2/pages", { token: await sign(keycloak.user), body });
      assertEquals(write.status, 403);
      const id = await call("GET /v2/users/me", { token: await sign(keycloak.idToken) });
      assertEquals(id.status, 401);
    }, { environment: { ...settingsOf(keycloak), RECTO_AUTH_JWKS_FILE: file } })
  );
});
