/**
 * Bound tokens of a real provider: oidc-provider binds them, openid-client proves its key to both.
 *
 * @module
 */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import * as openid from "openid-client";
import { assert, assertEquals } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

const RECTO = { client_id: "recto", client_secret: "secret" };
const ME = new URL(`${ORIGIN}/v2/users/me`);
const SCOPE = "users.read";

type Format = "jwt" | "opaque";

/** Starts a provider whose access tokens have this format, and gives its URL. */
async function withProvider(format: Format, test: (issuer: string) => Promise<void>) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(typeof address === "object" && address !== null);
  const issuer = `http://127.0.0.1:${address.port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...await exportJWK(privateKey), kid: "main", alg: "RS256", use: "sig" };
  const resource = { scope: SCOPE, audience: ORIGIN, accessTokenFormat: format };
  const machine = { redirect_uris: [], grant_types: [], response_types: [] };
  const provider = new Provider(issuer, {
    clients: [
      {
        ...machine,
        client_id: "n8n",
        client_secret: "secret",
        grant_types: ["client_credentials"],
        dpop_bound_access_tokens: true,
      },
      { ...machine, ...RECTO },
    ],
    jwks: { keys: [key] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => ORIGIN,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resource,
      },
    },
    // What is introspected of a client that acts for itself has no subject of its own.
    extraTokenClaims: () => ({ sub: "n8n" }),
    ttl: { ClientCredentials: 600 },
  });
  server.on("request", provider.callback());
  try {
    await test(issuer);
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  }
}

/** A client whose requests go to the handler, but for those to the provider. */
async function discover(issuer: string, app: TestApp): Promise<openid.Configuration> {
  const config = await openid.discovery(new URL(issuer), "n8n", "secret", undefined, {
    execute: [openid.allowInsecureRequests],
  });
  config[openid.customFetch] = (url, options) => {
    const request = new Request(url, { ...options } as RequestInit);
    return url.startsWith(ORIGIN) ? app.send(request) : fetch(request);
  };
  return config;
}

for (const format of ["jwt", "opaque"] as const) {
  Deno.test(`a token that a provider bound to a key is accepted with that key alone (${format})`, () =>
    withProvider(format, (issuer) =>
      withApp(async (app) => {
        const config = await discover(issuer, app);
        const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
        const parameters = { scope: SCOPE, resource: ORIGIN };
        const { access_token, token_type } = await openid.clientCredentialsGrant(
          ...[config, parameters, { DPoP }] as const,
        );
        assertEquals([token_type, access_token.split(".").length], [
          "dpop",
          format === "jwt" ? 3 : 1,
        ]);
        const read = (handle: openid.DPoPHandle) =>
          openid.fetchProtectedResource(config, access_token, ME, "GET", null, new Headers(), {
            DPoP: handle,
          });
        for (let n = 0; n < 3; n++) assertEquals((await (await read(DPoP)).json()).type, "bot");
        const thief = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
        const stolen = await read(thief).catch((error) => error);
        assertEquals(stolen.status, 401);
        assertEquals((await app.call("GET /v2/users/me", { token: access_token })).status, 401);
      }, {
        environment: {
          RECTO_AUTH_DPOP: "require",
          RECTO_AUTH_ISSUER: issuer,
          RECTO_AUTH_AUDIENCE: ORIGIN,
          RECTO_AUTH_JWKS_URL: `${issuer}/jwks`,
          RECTO_AUTH_INTROSPECTION_URL: `${issuer}/token/introspection`,
          RECTO_AUTH_CLIENT_ID: RECTO.client_id,
          RECTO_AUTH_CLIENT_SECRET: RECTO.client_secret,
        },
      })));
}
