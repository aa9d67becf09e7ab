/**
 * Every setting for the tokens of other issuers, and what a token looks like where it is on: attacks
 * must fail under each as they do without any.
 *
 * @module
 */
type Members = Readonly<Record<string, unknown>>;

export interface TokenSettings {
  readonly environment: Readonly<Record<string, string>>;
  /** Turns a header that needs no settings into one that needs these. */
  readonly header?: (header: Members) => Members;
  readonly claims?: (claims: Members) => Members;
  /** True if tokens that are no JWTs are introspected. */
  readonly introspects?: boolean;
}

export const NO_SETTINGS: TokenSettings = { environment: {} };

/** Moves a claim to another name, if it is there. */
function move(claims: Members, from: string, to: (value: unknown) => Members): Members {
  const { [from]: value, ...others } = claims;
  return value === undefined ? others : { ...others, ...to(value) };
}

const MARKED = { RECTO_AUTH_TOKEN_MARKERS: "token_use=access|cid" };
const mark = (claims: Members) => ({ ...claims, token_use: "access" });
const prefix = (value: unknown) =>
  typeof value === "string" ? value.replace(/[^ ]+/g, "api://recto/$&") : value;

export const EACH_SETTING: readonly TokenSettings[] = [
  {
    environment: { RECTO_AUTH_TOKEN_TYPES: "JWT", ...MARKED },
    header: (header) => header.typ === "at+jwt" ? { ...header, typ: "JWT" } : header,
    claims: mark,
  },
  {
    environment: { RECTO_AUTH_TOKEN_TYPES: "at+jwt, JWT, absent", ...MARKED },
    header: ({ typ, ...header }) => typ === "at+jwt" ? header : { typ, ...header },
    claims: mark,
  },
  {
    environment: { RECTO_AUTH_AUDIENCE: "https://other.recto.test, https://recto.test" },
  },
  {
    environment: { RECTO_AUTH_AUDIENCE_CLAIM: "resource" },
    claims: (claims) => move(claims, "aud", (resource) => ({ resource })),
  },
  {
    environment: { RECTO_AUTH_SCOPE_CLAIM: "permissions, realm_access.roles" },
    claims: (claims) => move(claims, "scope", (roles) => ({ realm_access: { roles } })),
  },
  {
    environment: { RECTO_AUTH_SCOPE_PREFIX: "api://recto/" },
    claims: (claims) => move(claims, "scope", (scope) => ({ scope: prefix(scope) })),
  },
  {
    environment: { RECTO_AUTH_CLIENT_CLAIM: "cid" },
    claims: (claims) => move(claims, "client_id", (cid) => ({ cid })),
  },
  {
    environment: {
      RECTO_AUTH_NAME_CLAIM: "profile.name",
      RECTO_AUTH_EMAIL_CLAIM: "preferred_username",
      RECTO_AUTH_WORKSPACE_CLAIM: "https://recto.test/workspace",
    },
    claims: (claims) =>
      move(claims, "workspace_id", (id) => ({ "https://recto.test/workspace": id })),
  },
  {
    environment: {
      RECTO_AUTH_INTROSPECTION_URL: "https://issuer.test/introspect",
      RECTO_AUTH_CLIENT_ID: "recto",
      RECTO_AUTH_CLIENT_SECRET: "secret",
    },
    introspects: true,
  },
  { environment: { RECTO_AUTH_PRIVATE_NETWORK: "true", RECTO_AUTH_PLAIN_HTTP: "true" } },
];

let current = NO_SETTINGS;

/** The settings under which a test runs now. */
export function currentSettings(): TokenSettings {
  return current;
}

/** Gives a header or claims the shape of the current settings; a text stays as it is. */
export function toShape(part: "header" | "claims", members: Members | string): Members | string {
  return typeof members === "string" ? members : current[part]?.(members) ?? members;
}

/** Runs a test without settings, and again with each setting on. */
export function withEachSetting(body: () => Promise<void>): (t: Deno.TestContext) => Promise<void> {
  return async (t) => {
    await body();
    for (const settings of EACH_SETTING) {
      await t.step(JSON.stringify(settings.environment), async () => {
        current = settings;
        try {
          await body();
        } finally {
          current = NO_SETTINGS;
        }
      });
    }
  };
}
