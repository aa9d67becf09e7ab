import { ConfigError, readConfig, VARIABLES } from "../src/config/config.ts";
import { assertEquals, assertStringIncludes, assertThrows } from "./assert.ts";

function read(environment: Readonly<Record<string, string>>): ReturnType<typeof readConfig> {
  return readConfig((name) => Reflect.get(environment, name));
}

function issues(environment: Readonly<Record<string, string>>): readonly string[] {
  return assertThrows(() => read(environment), ConfigError).issues;
}

Deno.test("readConfig() of an empty environment is a server on loopback with its own issuer", () => {
  assertEquals(read({}), {
    host: "127.0.0.1",
    port: 8000,
    dataDir: ".data",
    database: { kind: "sqlite", path: ".data/recto.db" },
    publicUrl: undefined,
    auth: { kind: "local", audience: undefined },
    workspaceClaim: "workspace_id",
    defaultWorkspace: "default",
    files: {
      s3: undefined,
      maxBytes: 5 * 1024 ** 3,
      validity: 3_600_000,
      life: 3_600_000,
    },
    rate: { perSecond: 100, burst: 500 },
    addressRate: { perSecond: 200, burst: 1_000 },
    trustedProxies: [],
    policyFile: "policy/scopes.json",
    policyCandidate: undefined,
    decisionLog: undefined,
    corsOrigins: [],
    embeddings: undefined,
    logLevel: "info",
    launcher: "deno",
  });
});

Deno.test("readConfig() takes an empty variable as an absent one", () => {
  const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, ""]));
  assertEquals(read(empty), read({}));
});

Deno.test("readConfig() reports every fault of the environment at once", () => {
  assertEquals(
    issues({
      PORT: "70000",
      PUBLIC_URL: "https://recto.test/path",
      RATE_LIMIT: "fast",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://x",
      CORS_ORIGINS: "https://a.test, *",
      AUTH_JWKS_URL: "https://issuer.test/keys",
      HOST: "0.0.0.0",
    }).map((issue) => issue.split(" ")[0]),
    [
      ...["PORT", "DATABASE_URL", "PUBLIC_URL", "AUTH_ISSUER", "RATE_LIMIT", "CORS_ORIGINS"],
      ...["LOG_LEVEL", "HOST"],
    ],
  );
});

Deno.test("readConfig() takes PostgreSQL's URL, and shows no password where it is wrong", () => {
  const url = "postgres://recto:secret@db.test:5433/recto?sslmode=verify-full";
  assertEquals(read({ DATABASE_URL: url }).database, { kind: "postgres", url, size: 10 });
  const few = read({ DATABASE_URL: url, DATABASE_CONNECTIONS: "4" });
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
  assertStringIncludes(issues({ DATABASE_CONNECTIONS: "1" }).join(), "DATABASE_CONNECTIONS");
});

Deno.test("readConfig() refuses the local issuer beyond loopback unless told so", () => {
  assertStringIncludes(issues({ HOST: "0.0.0.0" }).join(), "HOST must be loopback");
  assertEquals(read({ HOST: "0.0.0.0", AUTH_LOCAL_ANYWHERE: "true" }).host, "0.0.0.0");
  for (const host of ["127.0.0.2", "::1", "localhost"]) {
    assertEquals(read({ HOST: host }).host, host);
  }
  const issuer = { AUTH_ISSUER: "https://issuer.test", PUBLIC_URL: "https://recto.test" };
  assertEquals(read({ HOST: "0.0.0.0", ...issuer }).host, "0.0.0.0");
});

Deno.test("readConfig() of an issuer needs to know whom its tokens are for", () => {
  const AUTH_ISSUER = "https://issuer.test";
  assertStringIncludes(issues({ AUTH_ISSUER }).join(), "AUTH_AUDIENCE or PUBLIC_URL");
  const { auth } = read({ AUTH_ISSUER, PUBLIC_URL: "https://recto.test" });
  assertEquals(auth, {
    kind: "issuer",
    issuer: AUTH_ISSUER,
    audience: "https://recto.test",
    jwksUrl: undefined,
    jwksFile: undefined,
    introspection: undefined,
    privateNetworks: false,
  });
  const introspection = {
    AUTH_ISSUER,
    AUTH_AUDIENCE: "a",
    AUTH_INTROSPECTION_URL: "https://i.test",
  };
  assertStringIncludes(issues(introspection).join(), "AUTH_CLIENT_ID and AUTH_CLIENT_SECRET");
});

Deno.test("readConfig() refuses settings of what is not switched on", () => {
  const issuer = { AUTH_ISSUER: "https://issuer.test", AUTH_AUDIENCE: "a" };
  for (const name of ["AUTH_CLIENT_ID", "AUTH_CLIENT_SECRET"]) {
    const told = "AUTH_INTROSPECTION_URL must be set where AUTH_CLIENT_… are";
    assertEquals(issues({ ...issuer, [name]: "x" }), [told]);
    assertEquals(issues({ [name]: "x" }), [told]);
  }
  for (const name of Object.keys(VARIABLES).filter((name) => name.startsWith("S3_"))) {
    assertEquals(issues({ [name]: "x" }), ["FILES must be s3 where S3_… are set"]);
    assertEquals(issues({ FILES: "disk", [name]: "x" }).length, 1);
  }
});

Deno.test("readConfig() of an issuer on every address needs to know its own", () => {
  const issuer = { AUTH_ISSUER: "https://issuer.test", AUTH_AUDIENCE: "a" };
  for (const HOST of ["0.0.0.0", "::", "[::]"]) {
    assertStringIncludes(issues({ ...issuer, HOST }).join(), "PUBLIC_URL must be set");
    const PUBLIC_URL = "https://recto.test";
    assertEquals(read({ ...issuer, HOST, PUBLIC_URL }).publicUrl, PUBLIC_URL);
    assertEquals(read({ HOST, AUTH_LOCAL_ANYWHERE: "true" }).publicUrl, undefined);
  }
  assertEquals(read({ ...issuer, HOST: "10.0.0.5" }).host, "10.0.0.5");
});

Deno.test("readConfig() of a service of embeddings needs to know where it is and which model", () => {
  assertStringIncludes(
    issues({ EMBEDDER: "openai" }).join(),
    "EMBEDDINGS_URL and EMBEDDINGS_MODEL",
  );
  const EMBEDDINGS_URL = "https://embeddings.test/v1";
  assertStringIncludes(issues({ EMBEDDINGS_URL }).join(), "EMBEDDER must be openai");
  const { embeddings } = read({ EMBEDDER: "openai", EMBEDDINGS_URL, EMBEDDINGS_MODEL: "small" });
  assertEquals(embeddings, {
    url: EMBEDDINGS_URL,
    model: "small",
    key: undefined,
    dimensions: undefined,
  });
  const wrong = { EMBEDDER: "openai", EMBEDDINGS_URL: "v1", EMBEDDINGS_DIMENSIONS: "many" };
  assertStringIncludes(issues(wrong).join(), "EMBEDDINGS_URL must be a URL");
  assertStringIncludes(issues(wrong).join(), "EMBEDDINGS_DIMENSIONS must be a number");
});

Deno.test("the README's table names every variable with its default and meaning", async () => {
  const readme = await Deno.readTextFile("README.md");
  const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\|$/gm)]
    .map((
      [, name, fallback = "", meaning],
    ) => [name, fallback.replace(/^`([^`]*)`$/, "$1"), meaning]);
  assertEquals(rows, Object.entries(VARIABLES).map(([name, row]) => [name, ...row]));
});

Deno.test("the tasks may read every variable", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const task of ["start", "dev", "token", "migrate", "verify", "copy", "backup", "restore"]) {
    const allowed = /--allow-env=(\S+)/.exec(tasks[task].command)?.[1]?.split(",");
    // The driver of PostgreSQL asks for two of its own, whatever it is told.
    const isAlone = ["token", "backup", "restore"].includes(task);
    const driver = isAlone ? [] : ["PGAPPNAME", "PGTARGETSESSIONATTRS"];
    assertEquals(allowed, [
      ...Object.keys(VARIABLES),
      "OTEL_DENO",
      "OTEL_DENO_TRACING",
      "npm_command",
      ...driver,
    ]);
  }
});

Deno.test("readConfig() refuses spans that would hold signatures of files", () => {
  const issue = "OTEL_DENO_TRACING must be false";
  for (const OTEL_DENO of ["true", "1"]) {
    assertStringIncludes(issues({ OTEL_DENO }).join(), issue);
    assertStringIncludes(issues({ OTEL_DENO, OTEL_DENO_TRACING: "true" }).join(), issue);
    assertEquals(read({ OTEL_DENO, OTEL_DENO_TRACING: "false" }), read({}));
  }
  assertEquals(read({ OTEL_DENO: "false" }), read({}));
});

Deno.test("readConfig() bounds files in size and in time", () => {
  const files = (environment: Record<string, string>) => read(environment).files;
  assertEquals(files({ FILES_MAX_BYTES: "9".repeat(12) }).maxBytes, 5 * 1024 ** 3);
  assertEquals(files({ FILES_MAX_BYTES: "1000" }).maxBytes, 1_000);
  assertEquals(files({ FILES_URL_MINUTES: "90" }).life, 90 * 60_000);
  assertEquals(
    issues({ FILES_MAX_BYTES: "5 MB", FILES_URL_MINUTES: "0", FILES: "tape" }).length,
    3,
  );
  assertStringIncludes(
    issues({ FILES_URL_MINUTES: "90", FILES_KEEP_MINUTES: "60" }).join(),
    "must not be less than FILES_URL_MINUTES",
  );
});

Deno.test("readConfig() of a bucket needs its name and keys, and says what is amiss with the rest", () => {
  const given = { FILES: "s3", S3_BUCKET: "recto-files", S3_KEY_ID: "id", S3_SECRET: "secret" };
  assertEquals(read(given).files.s3, {
    endpoint: "https://s3.us-east-1.amazonaws.com",
    bucket: "recto-files",
    region: "us-east-1",
    keyId: "id",
    secret: "secret",
    sessionToken: undefined,
    isVirtualHost: false,
  });
  assertEquals(read({ ...given, S3_STYLE: "virtual" }).files.s3?.isVirtualHost, true);
  const bad = {
    S3_BUCKET: "a/b",
    S3_ENDPOINT: "s3.test",
    S3_STYLE: "x",
    FILES_KEEP_MINUTES: "10081",
  };
  assertEquals(
    issues({ FILES: "s3", ...bad }).map((issue) => issue.split(" ")[0]).toSorted(),
    ["FILES_KEEP_MINUTES", "S3_BUCKET", "S3_ENDPOINT", "S3_KEY_ID", "S3_SECRET", "S3_STYLE"],
  );
  assertEquals(read({ ...given, OTEL_DENO: "true" }).files.s3?.bucket, "recto-files");
});
