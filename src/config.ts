/**
 * The environment as one value, and every fault of it at once.
 *
 * @module
 */

/** One variable: its default as a person reads it, and what it means. The README's table is this. */
export const VARIABLES = {
  HOST: ["127.0.0.1", "Address to listen on"],
  PORT: ["8000", "Port to listen on"],
  DATA_DIR: [".data", "Folder of the SQLite file and the local issuer's keys"],
  DATABASE_URL: [
    "`recto.db` in `DATA_DIR`",
    "`sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`",
  ],
  DATABASE_CONNECTIONS: ["10", "Connections to PostgreSQL of each process, 2 or more"],
  PUBLIC_URL: ["from `HOST` and `PORT`", "Origin that answers name; the audience of tokens"],
  AUTH_ISSUER: ["the local issuer", "Who signs tokens"],
  AUTH_AUDIENCE: ["`PUBLIC_URL`, or `recto` of the local issuer", "Whom tokens are for"],
  AUTH_JWKS_URL: ["from the issuer's metadata", "Where its keys are"],
  AUTH_JWKS_FILE: ["none", "Its keys as a file, in place of a URL"],
  AUTH_INTROSPECTION_URL: ["none", "Where opaque tokens are asked about (RFC 7662)"],
  AUTH_CLIENT_ID: ["none", "This service's name there"],
  AUTH_CLIENT_SECRET: ["none", "Its secret there"],
  AUTH_WORKSPACE_CLAIM: ["workspace_id", "Claim that names the workspace"],
  AUTH_DEFAULT_WORKSPACE: ["default", "Workspace of a token without that claim"],
  AUTH_LOCAL_ANYWHERE: [
    "false",
    "`true` lets the local issuer serve on an address beyond loopback",
  ],
  FILES: ["disk", "Where files are kept: `disk`, in `DATA_DIR`"],
  FILES_MAX_BYTES: ["5368709120", "Bytes of the largest file; at most these"],
  FILES_URL_MINUTES: ["60", "How long an address of a file is valid, and half of it at least"],
  FILES_KEEP_MINUTES: ["60", "How long a file stays that nothing refers to; not shorter than that"],
  RATE_LIMIT: ["100/s", "Requests a second for each caller, five times that at once; `off`"],
  POLICY_FILE: ["policy/scopes.json", "The policy"],
  POLICY_CANDIDATE: ["none", "A policy that is tried beside it, and never acts"],
  DECISION_LOG: ["none", "File that every decision is appended to, as lines of JSON"],
  CORS_ORIGINS: ["none", "Origins whose pages may call, separated by commas"],
  LOG_LEVEL: ["info", "`debug`, `info`, `warn`, `error` or `off`"],
} as const satisfies Readonly<Record<string, readonly [fallback: string, meaning: string]>>;

type Variable = keyof typeof VARIABLES;
export type Environment = (name: string) => string | undefined;

export interface IssuerConfig {
  readonly kind: "issuer";
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string | undefined;
  readonly jwksFile: string | undefined;
  readonly introspection: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
  } | undefined;
}

export interface LocalIssuerConfig {
  readonly kind: "local";
  readonly audience: string | undefined;
}

export interface SqliteConfig {
  readonly kind: "sqlite";
  readonly path: string;
}

export interface PostgresConfig {
  readonly kind: "postgres";
  readonly url: string;
  /** Connections of this process. */
  readonly size: number;
}

export interface FilesConfig {
  readonly kind: "disk";
  /** Of one file. */
  readonly maxBytes: number;
  /** Milliseconds that an address of a file is valid for at most. */
  readonly validity: number;
  /** Milliseconds that a file stays while nothing refers to it. */
  readonly life: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: SqliteConfig | PostgresConfig;
  /** Undefined: the origin is that of the address once it is known. */
  readonly publicUrl: string | undefined;
  readonly auth: IssuerConfig | LocalIssuerConfig;
  readonly workspaceClaim: string;
  readonly defaultWorkspace: string;
  readonly files: FilesConfig;
  /** Undefined: no limit. */
  readonly rate: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly policyFile: string;
  /** Undefined: none is tried. */
  readonly policyCandidate: string | undefined;
  /** Undefined: decisions stand in the request log alone. */
  readonly decisionLog: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly logLevel: "debug" | "info" | "warn" | "error" | "off";
  /** How a person runs Deno here: npm's `npx` says that it started us. */
  readonly launcher: string;
}

/** Says all that is wrong with the environment. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`Cannot start:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** The configuration of this environment; throws `ConfigError` with every fault. */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const read = reader(environment, faults);
  const config: Config = {
    host: read.text("HOST") ?? "127.0.0.1",
    port: read.matching("PORT", PORT, Number) ?? 8000,
    dataDir: read.text("DATA_DIR") ?? ".data",
    database: databaseOf(read, faults),
    publicUrl: read.matching("PUBLIC_URL", ORIGIN, (text) => text),
    auth: authOf(read, faults),
    workspaceClaim: read.text("AUTH_WORKSPACE_CLAIM") ?? "workspace_id",
    defaultWorkspace: read.text("AUTH_DEFAULT_WORKSPACE") ?? "default",
    files: filesOf(read, faults),
    rate: rateOf(read),
    policyFile: read.text("POLICY_FILE") ?? "policy/scopes.json",
    policyCandidate: read.text("POLICY_CANDIDATE"),
    decisionLog: read.text("DECISION_LOG"),
    corsOrigins: originsOf(read, faults),
    logLevel: read.oneOf("LOG_LEVEL", ["debug", "info", "warn", "error", "off"]) ?? "info",
    launcher: environment("npm_command") === "exec"
      ? `npx --yes deno@${Deno.version.deno}`
      : "deno",
  };
  faults.push(...exposureFaults(config, read), ...spanFaults(environment));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

const ORIGIN = {
  pattern: /^https?:\/\/[A-Za-z0-9.:[\]-]+$/,
  form: "an origin such as https://recto.example, without a path",
};
const PORT = {
  pattern: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
  form: "a port from 1 to 65535",
};
const CONNECTIONS = { pattern: /^(?:[2-9]|[1-9]\d{1,2})$/, form: "a number from 2 to 999" };
const SSL_MODES = ["disable", "prefer", "require", "verify-full"];
const DATABASES = "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with " +
  `?sslmode= one of ${SSL_MODES.join(", ")}`;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

const BURST_SECONDS = 5;

interface Form {
  readonly pattern: RegExp;
  readonly form: string;
}

interface Reader {
  text(name: Variable): string | undefined;
  matching<T>(name: Variable, form: Form, convert: (text: string) => T): T | undefined;
  oneOf<T extends string>(name: Variable, values: readonly T[]): T | undefined;
}

/** Reads variables one by one and keeps what is wrong with them; an empty one counts as absent. */
function reader(environment: Environment, faults: string[]): Reader {
  const text = (name: Variable): string | undefined => environment(name) || undefined;
  return {
    text,
    matching(name, { pattern, form }, convert) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (pattern.test(value)) return convert(value);
      faults.push(`${name} must be ${form}: "${value}"`);
      return undefined;
    },
    oneOf(name, values) {
      const value = text(name);
      const known = values.find((one) => one === value);
      if (value !== undefined && known === undefined) {
        faults.push(`${name} must be one of ${values.join(", ")}: "${value}"`);
      }
      return known;
    },
  };
}

function databaseOf(read: Reader, faults: string[]): SqliteConfig | PostgresConfig {
  const url = read.text("DATABASE_URL");
  const size = read.matching("DATABASE_CONNECTIONS", CONNECTIONS, Number) ?? 10;
  if (url !== undefined && isPostgresUrl(url)) return { kind: "postgres", url, size };
  const path = /^sqlite:(.+)$/.exec(url ?? "")?.[1];
  // Not shown, because it may hold a password.
  if (url !== undefined && path === undefined) faults.push(`DATABASE_URL must be ${DATABASES}`);
  return { kind: "sqlite", path: path ?? `${read.text("DATA_DIR") ?? ".data"}/recto.db` };
}

function isPostgresUrl(url: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^:@/?#]+(?::[^@/?#]*)?@[^@/?#]+\/[^/?#]+(?:\?[^#]*)?$/.test(url)) {
    return false;
  }
  const sslmode = URL.parse(url)?.searchParams.get("sslmode");
  return sslmode === null || SSL_MODES.some((mode) => mode === sslmode);
}

function authOf(read: Reader, faults: string[]): IssuerConfig | LocalIssuerConfig {
  const issuer = read.text("AUTH_ISSUER");
  const audience = read.text("AUTH_AUDIENCE");
  const jwksUrl = read.text("AUTH_JWKS_URL");
  const jwksFile = read.text("AUTH_JWKS_FILE");
  const introspection = introspectionOf(read, faults);
  if (issuer === undefined) {
    if (jwksUrl ?? jwksFile ?? introspection) {
      faults.push("AUTH_ISSUER must be set where its keys or its introspection are");
    }
    return { kind: "local", audience };
  }
  const audienceOrOrigin = audience ?? read.text("PUBLIC_URL");
  if (audienceOrOrigin === undefined) {
    faults.push("AUTH_AUDIENCE or PUBLIC_URL must be set with AUTH_ISSUER");
  }
  if (jwksUrl !== undefined && jwksFile !== undefined) {
    faults.push("AUTH_JWKS_URL and AUTH_JWKS_FILE must not both be set");
  }
  return {
    kind: "issuer",
    issuer,
    audience: audienceOrOrigin ?? "",
    jwksUrl,
    jwksFile,
    introspection,
  };
}

function introspectionOf(read: Reader, faults: string[]): IssuerConfig["introspection"] {
  const url = read.text("AUTH_INTROSPECTION_URL");
  const clientId = read.text("AUTH_CLIENT_ID");
  const clientSecret = read.text("AUTH_CLIENT_SECRET");
  if (url === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined) {
    faults.push("AUTH_CLIENT_ID and AUTH_CLIENT_SECRET must be set with AUTH_INTROSPECTION_URL");
    return undefined;
  }
  return { url, clientId, clientSecret };
}

const MINUTE = 60_000;

function filesOf(read: Reader, faults: string[]): FilesConfig {
  const count = { pattern: /^[1-9]\d{0,12}$/, form: "a whole number" };
  const minutes = { pattern: /^[1-9]\d{0,5}$/, form: "minutes as a whole number" };
  const validity = read.matching("FILES_URL_MINUTES", minutes, Number) ?? 60;
  const life = read.matching("FILES_KEEP_MINUTES", minutes, Number) ?? Math.max(60, validity);
  if (life < validity) faults.push("FILES_KEEP_MINUTES must not be less than FILES_URL_MINUTES");
  return {
    kind: read.oneOf("FILES", ["disk"]) ?? "disk",
    maxBytes: Math.min(read.matching("FILES_MAX_BYTES", count, Number) ?? Infinity, LARGEST_FILE),
    validity: validity * MINUTE,
    life: life * MINUTE,
  };
}

/** What S3 takes in one piece, and the document promises. */
const LARGEST_FILE = 5 * 1024 ** 3;

function rateOf(read: Reader): Config["rate"] {
  const form = {
    pattern: /^(?:off|[1-9]\d{0,6}\/s)$/,
    form: 'requests a second as "100/s", or off',
  };
  const perSecond = read.matching("RATE_LIMIT", form, (text) => parseInt(text)) ?? 100;
  return Number.isNaN(perSecond) ? undefined : { perSecond, burst: perSecond * BURST_SECONDS };
}

function originsOf(read: Reader, faults: string[]): readonly string[] {
  const origins = (read.text("CORS_ORIGINS") ?? "").split(",").map((text) => text.trim())
    .filter((text) => text !== "");
  for (const origin of origins) {
    if (!ORIGIN.pattern.test(origin)) faults.push(`CORS_ORIGINS must be origins: "${origin}"`);
  }
  return origins;
}

function exposureFaults({ host, auth }: Config, read: Reader): string[] {
  const anywhere = read.oneOf("AUTH_LOCAL_ANYWHERE", ["true", "false"]) === "true";
  if (auth.kind === "issuer" || anywhere || isLoopback(host)) return [];
  return [
    `HOST must be loopback while the local issuer signs tokens: "${host}". Set AUTH_ISSUER, ` +
    "or AUTH_LOCAL_ANYWHERE=true if whoever reaches the data folder may mint tokens",
  ];
}

/** Deno's own spans hold the whole address of each request, and attributes that are set stay beside them. */
function spanFaults(environment: Environment): string[] {
  const isOn = (name: string) => ["true", "1"].includes(environment(name)?.toLowerCase() ?? "");
  const isOff = (name: string) => ["false", "0"].includes(environment(name)?.toLowerCase() ?? "");
  if (!isOn("OTEL_DENO") || isOff("OTEL_DENO_TRACING")) return [];
  return [
    "OTEL_DENO_TRACING must be false where OTEL_DENO is true: Deno's spans would hold the signatures " +
    "of files' addresses. Its metrics and logs do not",
  ];
}
