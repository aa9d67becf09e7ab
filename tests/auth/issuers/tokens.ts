/**
 * Tokens as the issuers document them: their headers, and their claims besides times. Names and
 * numbers are made up.
 *
 * @module
 */
export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The caller that the settings of the recipe derive from a token. */
export interface ExpectedCaller {
  readonly type: "person" | "bot";
  readonly name: string | null;
  readonly client: string;
}

/** An issuer's tokens with the scopes `users.read` and, for a user, `pages.read`. */
export interface IssuerTokens {
  /** The heading of the recipe in docs/tokens.md. */
  readonly recipe: string;
  /** The documents that describe them. */
  readonly sources: readonly string[];
  readonly user: TokenParts & { readonly caller: ExpectedCaller };
  readonly machine: TokenParts & { readonly caller: ExpectedCaller };
  /** The ID token of the same user, which is no access token. */
  readonly idToken: TokenParts;
}

const TENANT = "8eaef023-2b34-4da1-9baa-8bc8c9d6a490";
const RECTO = "https://recto.example";
const ADA = { name: "Ada Lovelace", given_name: "Ada", family_name: "Lovelace" };
const EMAIL = "ada@acme.example";
const BOT = { type: "bot", name: null } as const;
const JWT = { alg: "RS256", typ: "JWT" };
const UNTYPED = { alg: "RS256" };
const AT_JWT = { alg: "RS256", typ: "at+jwt" };

const KEYCLOAK_ISS = "https://keycloak.example/realms/acme";
const KEYCLOAK_USER = {
  iss: KEYCLOAK_ISS,
  sub: "e3a1bd1e-8b2f-4a53-8c05-0d2c5f9a8b11",
  azp: "notes",
  sid: "b7f0c0b0-1d7a-4a5e-9f4b-7d0c9d3f8a10",
  acr: "1",
  email_verified: true,
  ...ADA,
  preferred_username: "ada",
  email: EMAIL,
};

const ENTRA_ISS = `https://login.microsoftonline.com/${TENANT}/v2.0`;
const ENTRA_API = "11112222-bbbb-3333-cccc-4444dddd5555";
const ENTRA_CLIENT = "00001111-aaaa-2222-bbbb-3333cccc4444";
const ENTRA_USER = {
  iss: ENTRA_ISS,
  name: ADA.name,
  oid: "aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb",
  preferred_username: EMAIL,
  sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
  tid: TENANT,
  uti: "fqiBqXLPj0eQa82S-IYFAA",
  rh: "0.ARoA",
  ver: "2.0",
};

const AUTH0_ISS = "https://acme.eu.auth0.com/";
const AUTH0_CLIENT = "my_client_id";

const OKTA_ISS = "https://acme.okta.com/oauth2/default";
const OKTA_CLIENT = "0oabucvyc38HLL1ef0h7";

const COGNITO_ISS = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_example";
const COGNITO_CLIENT = "1example23456789";
const COGNITO_USER = {
  iss: COGNITO_ISS,
  sub: "aaaaaaaa-bbbb-cccc-dddd-example",
  "cognito:groups": ["editors"],
  origin_jti: "aaaaaaaa-bbbb-cccc-dddd-origin",
  event_id: "64f513be-32db-42b0-b78e-b02127b4f463",
  jti: "aaaaaaaa-bbbb-cccc-dddd-jti",
};

const AUTHENTIK_ISS = "https://authentik.example/application/o/recto/";
const AUTHENTIK_CLIENT = "Zz4P3UKbLvTqlT1n0ejqOHFBCO2Nphaq";
const AUTHENTIK_USER = {
  iss: AUTHENTIK_ISS,
  sub: "e9f45bbb9bd27e3d4e2a2d9cf1a1c9b0e2d9b7d2ccbf6ad5b1b17fc2e8a3c001",
  aud: RECTO,
  acr: "goauthentik.io/providers/oauth2/default",
  recto_scopes: ["users.read", "pages.read"],
  email: EMAIL,
  email_verified: true,
  ...ADA,
  preferred_username: "ada",
  nickname: "ada",
  groups: ["editors"],
};

const ZITADEL_ISS = "https://acme.zitadel.cloud";
const ZITADEL_PROJECT = "241234567890123456";
const ZITADEL_CLIENT = "241234567890123999@recto";
const ZITADEL_ORGANIZATION = { "240000000000000001": "acme.zitadel.cloud" };
const zitadelRoles = (...names: readonly string[]) => ({
  "urn:zitadel:iam:org:project:roles": Object.fromEntries(
    names.map((name) => [name, ZITADEL_ORGANIZATION]),
  ),
});

const PROVIDER_ISS = "https://login.example";

export const ISSUER_TOKENS: readonly IssuerTokens[] = [
  {
    recipe: "Keycloak",
    sources: [
      "Keycloak 26: TokenUtil, AccessToken, IDToken; Server Administration, Audience support",
    ],
    user: {
      header: JWT,
      claims: {
        ...KEYCLOAK_USER,
        jti: "onrtac:8f5a6f1e-7d4f-4e5c-a1c3-9a6d3f1c2b10",
        aud: [RECTO, "account"],
        typ: "Bearer",
        "allowed-origins": ["https://notes.example"],
        realm_access: { roles: ["offline_access", "default-roles-acme"] },
        resource_access: { account: { roles: ["view-profile"] } },
        scope: "openid profile email users.read pages.read",
      },
      caller: { type: "person", name: ADA.name, client: "notes" },
    },
    machine: {
      header: JWT,
      claims: {
        iss: KEYCLOAK_ISS,
        sub: "6a2b6f3a-55b5-4f5d-8a3e-4d9c3a1c7f00",
        jti: "trrtcc:0b1c2d3e",
        aud: RECTO,
        typ: "Bearer",
        azp: "n8n",
        acr: "1",
        scope: "profile email users.read",
        clientHost: "10.0.0.7",
        clientAddress: "10.0.0.7",
        client_id: "n8n",
        email_verified: false,
        preferred_username: "service-account-n8n",
      },
      caller: { ...BOT, client: "n8n" },
    },
    idToken: {
      header: JWT,
      claims: { ...KEYCLOAK_USER, aud: "notes", typ: "ID", at_hash: "Tt7sO3gyPKSYRy1s9Jw3mQ" },
    },
  },
  {
    recipe: "Entra ID",
    sources: ["Microsoft: Access token claims reference; ID token claims reference"],
    user: {
      header: JWT,
      claims: {
        ...ENTRA_USER,
        aud: ENTRA_API,
        azp: ENTRA_CLIENT,
        azpacr: "1",
        scp: "users.read pages.read",
        roles: ["pages.write"],
      },
      caller: { type: "person", name: ADA.name, client: ENTRA_CLIENT },
    },
    machine: {
      header: JWT,
      claims: {
        iss: ENTRA_ISS,
        aud: ENTRA_API,
        azp: ENTRA_CLIENT,
        azpacr: "1",
        idtyp: "app",
        oid: "cccccccc-2222-3333-4444-dddddddddddd",
        sub: "cccccccc-2222-3333-4444-dddddddddddd",
        roles: ["users.read"],
        tid: TENANT,
        uti: "fqiBqXLPj0eQa82S-IYFAB",
        ver: "2.0",
      },
      caller: { ...BOT, client: ENTRA_CLIENT },
    },
    idToken: {
      header: JWT,
      claims: { ...ENTRA_USER, aud: ENTRA_CLIENT, nonce: "12345", roles: ["pages.write"] },
    },
  },
  {
    recipe: "Auth0",
    sources: ["Auth0: Access Token Profiles; Token Claims"],
    user: {
      header: AT_JWT,
      claims: {
        iss: AUTH0_ISS,
        sub: "auth0|5f7c8ec7c33c6c004bbafe82",
        aud: [RECTO, "https://acme.eu.auth0.com/userinfo"],
        jti: "3YByyfvL0xoMP5wpMulgL",
        client_id: AUTH0_CLIENT,
        scope: "openid profile users.read pages.read",
        permissions: ["users.read", "pages.read", "pages.write"],
      },
      caller: { type: "person", name: null, client: AUTH0_CLIENT },
    },
    machine: {
      header: AT_JWT,
      claims: {
        iss: AUTH0_ISS,
        sub: `${AUTH0_CLIENT}@clients`,
        aud: RECTO,
        jti: "sbEKeVfZ0rVmPSXh",
        client_id: AUTH0_CLIENT,
        scope: "users.read",
      },
      caller: { ...BOT, client: AUTH0_CLIENT },
    },
    idToken: {
      header: JWT,
      claims: {
        iss: AUTH0_ISS,
        sub: "auth0|5f7c8ec7c33c6c004bbafe82",
        aud: AUTH0_CLIENT,
        name: ADA.name,
        nickname: "ada",
        picture: "https://s.gravatar.com/avatar/ada.png",
        sid: "Hpmb1VJv",
      },
    },
  },
  {
    recipe: "Okta",
    sources: ["Okta: Validate access tokens; OpenID Connect & OAuth 2.0 API, claims"],
    user: {
      header: UNTYPED,
      claims: {
        ver: 1,
        jti: "AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE",
        iss: OKTA_ISS,
        aud: RECTO,
        cid: OKTA_CLIENT,
        uid: "00ubucvy7dNRjbhLw0h7",
        scp: ["openid", "users.read", "pages.read"],
        sub: EMAIL,
      },
      caller: { type: "person", name: null, client: OKTA_CLIENT },
    },
    machine: {
      header: UNTYPED,
      claims: {
        ver: 1,
        jti: "AT.machine",
        iss: OKTA_ISS,
        aud: RECTO,
        cid: OKTA_CLIENT,
        scp: ["users.read"],
        sub: OKTA_CLIENT,
      },
      caller: { ...BOT, client: OKTA_CLIENT },
    },
    idToken: {
      header: UNTYPED,
      claims: {
        sub: "00ubucvy7dNRjbhLw0h7",
        name: ADA.name,
        email: EMAIL,
        ver: 1,
        iss: OKTA_ISS,
        aud: OKTA_CLIENT,
        jti: "ID.4eAWJOCMB3SX8XewDfVR",
        amr: ["pwd"],
        idp: "00o5ivsvqlJSJVBme0g7",
        preferred_username: EMAIL,
        at_hash: "cpqKfdQA5eH891Ff5oJr_Q",
      },
    },
  },
  {
    recipe: "Cognito",
    sources: ["Amazon Cognito: Understanding the access token; Understanding the ID token"],
    user: {
      header: UNTYPED,
      claims: {
        ...COGNITO_USER,
        client_id: COGNITO_CLIENT,
        token_use: "access",
        scope: "openid recto/users.read recto/pages.read other/pages.write",
        username: "ada",
        version: 2,
      },
      caller: { type: "person", name: "ada", client: COGNITO_CLIENT },
    },
    machine: {
      header: UNTYPED,
      claims: {
        iss: COGNITO_ISS,
        sub: COGNITO_CLIENT,
        client_id: COGNITO_CLIENT,
        token_use: "access",
        scope: "recto/users.read",
        version: 2,
        jti: "machine",
      },
      caller: { ...BOT, client: COGNITO_CLIENT },
    },
    idToken: {
      header: UNTYPED,
      claims: {
        ...COGNITO_USER,
        aud: COGNITO_CLIENT,
        token_use: "id",
        "cognito:username": "ada",
        name: ADA.name,
        email: EMAIL,
        at_hash: "hV5-PJXNyMv6v9ORhCUJGA",
      },
    },
  },
  {
    recipe: "Authentik",
    sources: ["authentik: providers/oauth2/id_token.py, models.py (RefreshToken, AccessToken)"],
    user: {
      header: JWT,
      claims: { ...AUTHENTIK_USER, azp: AUTHENTIK_CLIENT, uid: "J6vFHuTLBv0yCfiQ2gRnTIcEgGfKxW5i" },
      caller: { type: "person", name: ADA.name, client: AUTHENTIK_CLIENT },
    },
    machine: {
      header: JWT,
      claims: {
        iss: AUTHENTIK_ISS,
        sub: "0c1a3f",
        aud: RECTO,
        recto_scopes: ["users.read"],
        preferred_username: "ak-recto-client_credentials",
        azp: AUTHENTIK_CLIENT,
        uid: "M7v",
      },
      caller: { type: "person", name: null, client: AUTHENTIK_CLIENT },
    },
    // The mapping of the recipe changes its audience and scopes as well.
    idToken: { header: JWT, claims: AUTHENTIK_USER },
  },
  {
    recipe: "Zitadel",
    sources: ["ZITADEL: Claims; zitadel/oidc: AccessTokenClaims, IDTokenClaims"],
    user: {
      header: JWT,
      claims: {
        iss: ZITADEL_ISS,
        sub: "240000000000000123",
        aud: [ZITADEL_CLIENT, ZITADEL_PROJECT],
        jti: "V2_240000000000000777-at_240000000000000888",
        client_id: ZITADEL_CLIENT,
        ...zitadelRoles("users.read", "pages.read"),
      },
      caller: { type: "person", name: null, client: ZITADEL_CLIENT },
    },
    machine: {
      header: JWT,
      claims: {
        iss: ZITADEL_ISS,
        sub: "240000000000000555",
        aud: [ZITADEL_PROJECT],
        jti: "V2_240000000000000778-at_240000000000000889",
        client_id: "n8n",
        ...zitadelRoles("users.read"),
      },
      caller: { type: "person", name: null, client: "n8n" },
    },
    // Zitadel gives both tokens the same audiences, client and roles.
    idToken: {
      header: JWT,
      claims: {
        iss: ZITADEL_ISS,
        sub: "240000000000000123",
        aud: [ZITADEL_CLIENT, ZITADEL_PROJECT],
        azp: ZITADEL_CLIENT,
        client_id: ZITADEL_CLIENT,
        amr: ["pwd"],
        at_hash: "U2NnE0R4o7d7g5I5qYx0jA",
        ...zitadelRoles("users.read", "pages.read"),
      },
    },
  },
  {
    recipe: "oidc-provider",
    sources: ["oidc-provider 9: lib/models/formats/jwt.js, lib/models/id_token.js"],
    user: {
      header: AT_JWT,
      claims: {
        iss: PROVIDER_ISS,
        sub: "ada",
        aud: RECTO,
        jti: "k2PzR4tZ9J8Xb3",
        client_id: "notes",
        scope: "users.read pages.read",
      },
      caller: { type: "person", name: null, client: "notes" },
    },
    machine: {
      header: AT_JWT,
      claims: {
        iss: PROVIDER_ISS,
        sub: "n8n",
        aud: RECTO,
        jti: "k2PzR4tZ9J8Xb4",
        client_id: "n8n",
        scope: "users.read",
      },
      caller: { ...BOT, client: "n8n" },
    },
    idToken: {
      header: UNTYPED,
      claims: { iss: PROVIDER_ISS, sub: "ada", aud: "notes", at_hash: "f1b3a1-f1b3a1-f1b3a1" },
    },
  },
];
