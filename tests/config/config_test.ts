import { ConfigError, readConfig, VARIABLES } from "../../src/config/config.ts";
import { unknownVariables, variableNames } from "../../src/config/variables.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";

function read(environment: Readonly<Record<string, string>>): ReturnType<typeof readConfig> {
  return readConfig((name) => Reflect.get(environment, name));
}

function issues(environment: Readonly<Record<string, string>>): readonly string[] {
  return assertThrows(() => read(environment), ConfigError).issues;
}

Deno.test("readConfig() of an empty environment configures a server on loopback with the local issuer", () => {
  assertEquals(read({}), {
    host: "127.0.0.1",
    port: 8000,
    admin: undefined,
    digest: read({}).digest,
    processes: 1,
    dataDir: ".data",
    database: { kind: "sqlite", path: ".data/recto.db" },
    publicUrl: undefined,
    pageUrl: undefined,
    auth: { kind: "local", audience: undefined },
    apiKeys: true,
    notionApi: true,
    dpop: undefined,
    tokens: {
      types: ["at+jwt"],
      markers: [],
      audiences: [],
      audienceClaim: "aud",
      scopeClaims: ["scope", "scp"],
      scopePrefix: "",
      acrClaims: ["acr"],
      clientClaims: ["client_id", "azp"],
      nameClaim: "name",
      emailClaim: "email",
    },
    workspaceClaim: "workspace_id",
    defaultWorkspace: "default",
    files: {
      s3: undefined,
      maxBytes: 5 * 1024 ** 3,
      validity: 3_600_000,
      life: 3_600_000,
      privateNetworks: false,
    },
    rate: { perSecond: 100, burst: 500 },
    addressRate: { perSecond: 200, burst: 1_000 },
    trustedProxies: [],
    policyFile: "policy/scopes.json",
    policyCandidate: undefined,
    policyReload: "any",
    policyDigest: undefined,
    decisionLog: undefined,
    auditLog: undefined,
    backups: {
      to: { kind: "folder", path: "backups" },
      keep: undefined,
      key: undefined,
      schedule: undefined,
    },
    trashRetention: Infinity,
    corsOrigins: [],
    embeddings: undefined,
    logLevel: "info",
    telemetry: undefined,
    warnings: [],
    launcher: "deno",
  });
});

Deno.test("readConfig() treats an empty variable as absent", () => {
  const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, ""]));
  assertEquals(read(empty), read({}));
});

Deno.test("readConfig() accepts API keys unless RECTO_API_KEYS is false", () => {
  assertEquals(read({ RECTO_API_KEYS: "false" }).apiKeys, false);
  assertEquals(issues({ RECTO_API_KEYS: "off" }).length, 1);
});

Deno.test("readConfig() reports every issue of the environment at once", () => {
  assertEquals(
    issues({
      PORT: "70000",
      RECTO_PUBLIC_URL: "https://recto.test/path",
      RECTO_RATE_LIMIT: "fast",
      RECTO_LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://x",
      RECTO_CORS_ORIGINS: "https://a.test, *",
      RECTO_AUTH_JWKS_URL: "https://issuer.test/keys",
      HOST: "0.0.0.0",
    }).map((issue) => issue.split(" ")[0]).toSorted(),
    [
      ...["DATABASE_URL", "HOST", "PORT", "RECTO_AUTH_ISSUER", "RECTO_CORS_ORIGINS"],
      ...["RECTO_LOG_LEVEL", "RECTO_PUBLIC_URL", "RECTO_RATE_LIMIT"],
    ],
  );
});

Deno.test("readConfig() accepts a PostgreSQL URL, and quotes no password if it is invalid", () => {
  const url = "postgres://recto:secret@db.test:5433/recto?sslmode=verify-full";
  assertEquals(read({ DATABASE_URL: url }).database, { kind: "postgres", url, size: 10 });
  const few = read({ DATABASE_URL: url, RECTO_DATABASE_CONNECTIONS: "4" });
  assertEquals(few.database, { kind: "postgres", url, size: 4 });
  const several = "postgres://recto@a.test:1,b.test:2,c.test/recto?target_session_attrs=read-write";
  assertEquals(read({ DATABASE_URL: several }).database, {
    kind: "postgres",
    url: several,
    size: 10,
  });
  for (
    const wrong of [
      ...["postgres://recto:secret@a.test,/recto", "postgres://recto:secret@a.test:x,b.test/recto"],
      "postgres://recto:secret@a.test/recto?target_session_attrs=standby",
      ...["postgres://db.test/recto", "postgres://recto:secret@db.test", "postgres://"],
      ...["postgres://recto:secret@db.test/recto?sslmode=maybe", "postgres:recto:secret"],
    ]
  ) {
    const told = issues({ DATABASE_URL: wrong }).join();
    assertStringIncludes(told, "DATABASE_URL must be sqlite:PATH or postgres://");
    assertEquals(told.includes("secret"), false);
  }
  assertStringIncludes(
    issues({ RECTO_DATABASE_CONNECTIONS: "1" }).join(),
    "RECTO_DATABASE_CONNECTIONS",
  );
});

Deno.test("readConfig() rejects the local issuer beyond loopback unless it is allowed", () => {
  assertStringIncludes(issues({ HOST: "0.0.0.0" }).join(), "HOST must be a loopback address");
  assertEquals(read({ HOST: "0.0.0.0", RECTO_AUTH_LOCAL_ANYWHERE: "true" }).host, "0.0.0.0");
  for (const host of ["127.0.0.2", "::1", "localhost"]) {
    assertEquals(read({ HOST: host }).host, host);
  }
  const issuer = {
    RECTO_AUTH_ISSUER: "https://issuer.test",
    RECTO_PUBLIC_URL: "https://recto.test",
  };
  assertEquals(read({ HOST: "0.0.0.0", ...issuer }).host, "0.0.0.0");
});

Deno.test("readConfig() with an issuer requires an audience", () => {
  const RECTO_AUTH_ISSUER = "https://issuer.test";
  assertStringIncludes(
    issues({ RECTO_AUTH_ISSUER }).join(),
    "RECTO_AUTH_AUDIENCE or RECTO_PUBLIC_URL",
  );
  const { auth, tokens } = read({ RECTO_AUTH_ISSUER, RECTO_PUBLIC_URL: "https://recto.test" });
  assertEquals(tokens.audiences, ["https://recto.test"]);
  assertEquals(auth, {
    kind: "issuer",
    issuer: RECTO_AUTH_ISSUER,
    signsTokens: true,
    jwksUrl: undefined,
    jwksFile: undefined,
    introspection: undefined,
    privateNetworks: false,
    plainHttp: false,
  });
  const introspection = {
    RECTO_AUTH_ISSUER,
    RECTO_AUTH_AUDIENCE: "a",
    RECTO_AUTH_INTROSPECTION_URL: "https://i.test",
  };
  assertStringIncludes(
    issues(introspection).join(),
    "RECTO_AUTH_CLIENT_ID and RECTO_AUTH_CLIENT_SECRET",
  );
});

Deno.test("readConfig() rejects settings of features that are not enabled", () => {
  const issuer = { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: "a" };
  for (const name of ["RECTO_AUTH_CLIENT_ID", "RECTO_AUTH_CLIENT_SECRET"]) {
    const issue = "RECTO_AUTH_INTROSPECTION_URL must be set if RECTO_AUTH_CLIENT_… are";
    assertEquals(issues({ ...issuer, [name]: "x" }), [issue]);
    assertEquals(issues({ [name]: "x" }), [issue]);
  }
  const names = Object.keys(VARIABLES).filter((name) => name.startsWith("RECTO_S3_"));
  assert(names.length > 0);
  const values: Record<string, string> = {
    RECTO_S3_ENDPOINT: "https://s3.test",
    RECTO_S3_BUCKET: "bucket",
    RECTO_S3_STYLE: "virtual",
  };
  for (const name of names) {
    const setting = { [name]: values[name] ?? "x" };
    assertEquals(issues(setting), ["RECTO_FILES must be s3 if RECTO_S3_… are set"]);
    assertEquals(issues({ RECTO_FILES: "disk", ...setting }).length, 1);
  }
});

Deno.test("readConfig() with an issuer and an unspecified address requires RECTO_PUBLIC_URL", () => {
  const issuer = { RECTO_AUTH_ISSUER: "https://issuer.test", RECTO_AUTH_AUDIENCE: "a" };
  for (const HOST of ["0.0.0.0", "::", "[::]"]) {
    assertStringIncludes(issues({ ...issuer, HOST }).join(), "RECTO_PUBLIC_URL must be set");
    const RECTO_PUBLIC_URL = "https://recto.test";
    assertEquals(read({ ...issuer, HOST, RECTO_PUBLIC_URL }).publicUrl, RECTO_PUBLIC_URL);
    assertEquals(read({ HOST, RECTO_AUTH_LOCAL_ANYWHERE: "true" }).publicUrl, undefined);
  }
  assertEquals(read({ ...issuer, HOST: "10.0.0.5" }).host, "10.0.0.5");
});

Deno.test("readConfig() with an embeddings service requires its URL and model", () => {
  assertStringIncludes(
    issues({ RECTO_EMBEDDER: "openai" }).join(),
    "RECTO_EMBEDDINGS_URL and RECTO_EMBEDDINGS_MODEL",
  );
  const RECTO_EMBEDDINGS_URL = "https://embeddings.test/v1";
  assertStringIncludes(issues({ RECTO_EMBEDDINGS_URL }).join(), "RECTO_EMBEDDER must be openai");
  const { embeddings } = read({
    RECTO_EMBEDDER: "openai",
    RECTO_EMBEDDINGS_URL,
    RECTO_EMBEDDINGS_MODEL: "small",
  });
  assertEquals(embeddings, {
    url: RECTO_EMBEDDINGS_URL,
    model: "small",
    key: undefined,
    dimensions: undefined,
    questionPrefix: undefined,
    documentPrefix: undefined,
  });
  const wrong = {
    RECTO_EMBEDDER: "openai",
    RECTO_EMBEDDINGS_URL: "v1",
    RECTO_EMBEDDINGS_DIMENSIONS: "many",
  };
  assertStringIncludes(issues(wrong).join(), "RECTO_EMBEDDINGS_URL must be a URL");
  assertStringIncludes(issues(wrong).join(), "RECTO_EMBEDDINGS_DIMENSIONS must be a number");
});

Deno.test("docs/configuration.md lists every variable with its default and meaning", async () => {
  const page = await Deno.readTextFile("docs/configuration.md");
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\|$/gm)]
    .map((
      [, name, fallback = "", meaning],
    ) => [name, fallback.replace(/^`([^`]*)`$/, "$1"), meaning]);
  const declared = Object.entries(VARIABLES)
    .map(([name, { fallback, meaning }]) => [name, fallback.replace(/^`([^`]*)`$/, "$1"), meaning]);
  assertEquals(rows, declared);
});

Deno.test("readConfig() accepts a name without the prefix, and warns", () => {
  const { rate, warnings } = read({ RATE_LIMIT: "7/s" });
  assertEquals(rate?.perSecond, 7);
  assertEquals(warnings, ["RATE_LIMIT is deprecated: rename it to RECTO_RATE_LIMIT"]);
  const both = read({ RATE_LIMIT: "7/s", RECTO_RATE_LIMIT: "8/s" });
  assertEquals([both.rate?.perSecond, both.warnings], [8, []]);
});

Deno.test("unknownVariables() suggests the right name, and ignores other variables", () => {
  assertEquals(unknownVariables(["RECTO_RATELIMIT", "PATH", "RECTO_RATE_LIMIT", "RATE"]), [
    'RECTO_RATELIMIT is not a setting: Did you mean "RECTO_RATE_LIMIT"?',
  ]);
  assertEquals(unknownVariables(["RECTO_ZZZZZZZZZZZZZZ"]), [
    "RECTO_ZZZZZZZZZZZZZZ is not a setting",
  ]);
});

Deno.test("readConfig() reads only variables that the commands are permitted to read", () => {
  const asked = new Set<string>();
  readConfig((name) => void asked.add(name));
  assertEquals([...asked].filter((name) => !variableNames().includes(name)), []);
});

Deno.test("readConfig() limits files in size and time", () => {
  const files = (environment: Record<string, string>) => read(environment).files;
  assertEquals(files({ RECTO_FILES_MAX_BYTES: "9".repeat(12) }).maxBytes, 5 * 1024 ** 3);
  assertEquals(files({ RECTO_FILES_MAX_BYTES: "1000" }).maxBytes, 1_000);
  assertEquals(files({ RECTO_FILES_URL_MINUTES: "90" }).life, 90 * 60_000);
  assertEquals(
    issues({ RECTO_FILES_MAX_BYTES: "5 MB", RECTO_FILES_URL_MINUTES: "0", RECTO_FILES: "tape" })
      .length,
    3,
  );
  assertStringIncludes(
    issues({ RECTO_FILES_URL_MINUTES: "90", RECTO_FILES_KEEP_MINUTES: "60" }).join(),
    "must not be less than RECTO_FILES_URL_MINUTES",
  );
});

Deno.test("readConfig() with a bucket requires its name and keys, and reports other issues", () => {
  const given = {
    RECTO_FILES: "s3",
    RECTO_S3_BUCKET: "recto-files",
    RECTO_S3_KEY_ID: "id",
    RECTO_S3_SECRET: "secret",
  };
  assertEquals(read(given).files.s3, {
    endpoint: "https://s3.us-east-1.amazonaws.com",
    bucket: "recto-files",
    region: "us-east-1",
    keyId: "id",
    secret: "secret",
    sessionToken: undefined,
    isVirtualHost: false,
  });
  assertEquals(read({ ...given, RECTO_S3_STYLE: "virtual" }).files.s3?.isVirtualHost, true);
  const bad = {
    RECTO_S3_BUCKET: "a/b",
    RECTO_S3_ENDPOINT: "s3.test",
    RECTO_S3_STYLE: "x",
    RECTO_FILES_KEEP_MINUTES: "10081",
  };
  assertEquals(
    issues({ RECTO_FILES: "s3", ...bad }).map((issue) => issue.split(" ")[0]).toSorted(),
    [
      "RECTO_FILES_KEEP_MINUTES",
      "RECTO_S3_BUCKET",
      "RECTO_S3_ENDPOINT",
      "RECTO_S3_KEY_ID",
      "RECTO_S3_SECRET",
      "RECTO_S3_STYLE",
    ],
  );
});

Deno.test("readConfig() turns DPoP on, with nonces unless they are turned off", () => {
  assertEquals(read({ RECTO_AUTH_DPOP: "off" }).dpop, undefined);
  for (const mode of ["accept", "require"]) {
    const of = (more: Readonly<Record<string, string>>) => read({ RECTO_AUTH_DPOP: mode, ...more });
    assertEquals<unknown>(of({}).dpop, { mode, needsNonce: true });
    assertEquals<unknown>(of({ RECTO_AUTH_DPOP_NONCE: "false" }).dpop, { mode, needsNonce: false });
  }
  assertEquals(issues({ RECTO_AUTH_DPOP_NONCE: "true" }), [
    "RECTO_AUTH_DPOP must be accept or require if RECTO_AUTH_DPOP_NONCE is set",
  ]);
  assertEquals(issues({ RECTO_AUTH_DPOP: "on" }), [
    'RECTO_AUTH_DPOP must be one of off, accept, require: "on"',
  ]);
});

Deno.test("RECTO_TRASH_RETENTION is days, or off", () => {
  assertEquals(read({}).trashRetention, Infinity);
  assertEquals(read({ RECTO_TRASH_RETENTION: "off" }).trashRetention, Infinity);
  assertEquals(read({ RECTO_TRASH_RETENTION: "30d" }).trashRetention, 30 * 86_400_000);
  for (const text of ["30", "0d", "1.5d", "-1d", "30h"]) {
    assertEquals(issues({ RECTO_TRASH_RETENTION: text }), [
      `RECTO_TRASH_RETENTION must be days such as "30d", or off: "${text}"`,
    ]);
  }
});

Deno.test("RECTO_PROCESSES is checked with the database and the folder", () => {
  assertThrows(() => read({ RECTO_PROCESSES: "0" }), ConfigError, "number from 1 to 64, or auto");
  assertThrows(
    () => read({ RECTO_PROCESSES: "2", DATABASE_URL: "sqlite::memory:" }),
    ConfigError,
    "must be 1",
  );
  assertThrows(
    () => read({ RECTO_PROCESSES: "2", RECTO_DATA_DIR: `/${"x".repeat(85)}` }),
    ConfigError,
    "at most 85 bytes",
  );
  assertEquals(read({ RECTO_PROCESSES: "4" }).processes, 4);
});

Deno.test("trusted proxies are whole addresses and ranges, not short or octal ones", () => {
  const whole = ["10.1.2.3", "10.0.0.0/8", "::1", "fd00::/8", "::ffff:10.0.0.1"];
  assertEquals(read({ RECTO_TRUSTED_PROXIES: whole.join() }).trustedProxies, whole);
  for (const one of ["10", "10/8", "10.1/16", "010.0.0.1", "0x0a000001", "10.0.0.0/33", "::/129"]) {
    assertEquals(issues({ RECTO_TRUSTED_PROXIES: `127.0.0.1, ${one}` }), [
      `RECTO_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8: "${one}"`,
    ]);
  }
});
