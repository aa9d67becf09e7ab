/**
 * A real OpenID provider (oidc-provider) on a port of its own, and clients of it (openid-client).
 *
 * @module
 */
import { createServer, type Server } from "node:http";
import { exportJWK, generateKeyPair, type JWK } from "jose";
// @ts-types="./oidc_provider.d.ts"
import { type Context, Provider } from "oidc-provider";
import * as client from "openid-client";

/** The audience of all tokens: what Recto calls itself here. */
export const RECTO = "https://recto.example";
export const RECTO_CLIENT = { client_id: "recto", client_secret: "recto's secret: 100 %" };
/** The client that acts for itself. */
export const MACHINE = "n8n";
const REDIRECT_URI = "https://app.example/callback";
const SCOPES = "users.read users.email.read pages.read";

export interface TestProvider {
  readonly issuer: string;
  /** Format of access tokens from now on. */
  format: "jwt" | "opaque";
  /** Replaces all signing keys, on the same URL. */
  rotate(): Promise<void>;
  /** Signs a user in by the code flow with PKCE, and returns what the client gets. */
  signIn(user: string): Promise<client.TokenEndpointResponse>;
  /** Gets a token for a client that acts for itself. */
  clientCredentials(scope?: string): Promise<client.TokenEndpointResponse>;
  refresh(refreshToken: string): Promise<client.TokenEndpointResponse>;
  revoke(token: string): Promise<void>;
}

/** Runs a test with a provider, and closes it. */
export async function withProvider(test: (provider: TestProvider) => Promise<void>): Promise<void> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const state: { format: TestProvider["format"] } = { format: "jwt" };
  const rotate = async () => {
    const provider = await createProvider(issuer, () => state.format);
    server.removeAllListeners("request").on("request", provider.callback());
  };
  try {
    await rotate();
    await test(Object.assign(state, { issuer, rotate, ...await connect(issuer) }));
  } finally {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    })
  );
}

/** Every provider has new keys; users are signed in without a page, as who `login_hint` names. */
async function createProvider(
  issuer: string,
  format: () => TestProvider["format"],
): Promise<Provider> {
  const provider = new Provider(issuer, {
    ...CONFIGURATION,
    jwks: { keys: [await newKey()] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RECTO,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: RECTO,
          accessTokenFormat: format(),
        }),
      },
    },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
  });
  provider.use((context: Context, next: () => Promise<void>) =>
    signInAtOnce(provider, context, next)
  );
  return provider;
}

const CONFIGURATION = {
  clients: [
    {
      client_id: "notes",
      client_secret: "secret",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    {
      client_id: MACHINE,
      client_secret: "secret",
      redirect_uris: [],
      grant_types: ["client_credentials"],
      response_types: [],
    },
    { ...RECTO_CLIENT, redirect_uris: [], grant_types: [], response_types: [] },
  ],
  scopes: ["openid", "offline_access"],
  cookies: { keys: ["test"] },
  rotateRefreshToken: true,
  ttl: {
    AccessToken: 600,
    ClientCredentials: 600,
    RefreshToken: 600,
    AuthorizationCode: 60,
    IdToken: 600,
    Session: 600,
    Grant: 600,
    Interaction: 60,
  },
};

/** The page that would ask for a password: it grants what the client asks for. */
async function signInAtOnce(
  provider: Provider,
  context: Context,
  next: () => Promise<void>,
): Promise<void> {
  if (!context.path.startsWith("/sign-in/")) return await next();
  const { params } = await provider.interactionDetails(context.req, context.res);
  const accountId = String(params.login_hint);
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(RECTO, SCOPES);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(context.req, context.res, result);
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const kid = crypto.randomUUID();
  return { ...await exportJWK(privateKey), kid, alg: "RS256", use: "sig" };
}

type Client = Pick<TestProvider, "signIn" | "clientCredentials" | "refresh" | "revoke">;

async function connect(issuer: string): Promise<Client> {
  const [notes, n8n] = await Promise.all([discover(issuer, "notes"), discover(issuer, MACHINE)]);
  return {
    signIn: (user) => signIn(notes, user),
    clientCredentials: (scope = "users.read") =>
      client.clientCredentialsGrant(n8n, { scope, resource: RECTO }),
    refresh: (token) => client.refreshTokenGrant(notes, token),
    revoke: (token) => client.tokenRevocation(notes, token),
  };
}

function discover(issuer: string, clientId: string): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    clientId,
    "secret",
    client.ClientSecretBasic("secret"),
    { execute: [client.allowInsecureRequests] },
  );
}

/** The code flow with PKCE; it follows redirects as a browser does, with its cookies. */
async function signIn(
  config: client.Configuration,
  user: string,
): Promise<client.TokenEndpointResponse> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: `openid offline_access ${SCOPES}`,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    prompt: "consent",
    state: expectedState,
    nonce: expectedNonce,
    login_hint: user,
    resource: RECTO,
  });
  const callback = await browse(start);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce };
  return await client.authorizationCodeGrant(config, callback, checks, { resource: RECTO });
}

async function browse(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 10 && !url.href.startsWith(REDIRECT_URI); step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const field of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get("location");
    if (location === null) throw new Error(`Expected a redirect from ${url}: ${text}`);
    url = new URL(location, url);
  }
  return url;
}
