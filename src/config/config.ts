/**
 * The environment as one value, and every fault of it at once.
 *
 * @module
 */
import { databaseOf, type PostgresConfig, type SqliteConfig } from "./database.ts";
import { type EmbeddingsConfig, embeddingsOf } from "./embeddings.ts";
import { type FilesConfig, filesOf } from "./files.ts";
import { proxiesOf, type RateConfig, rateOf } from "./rates.ts";
import { ORIGIN, type Reader, reader } from "./reader.ts";

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
  PUBLIC_URL: [
    "from `HOST` and `PORT`",
    "Origin that answers name; the audience of tokens; see below",
  ],
  AUTH_ISSUER: ["the local issuer", "Who signs tokens"],
  AUTH_AUDIENCE: ["`PUBLIC_URL`, or `recto` of the local issuer", "Whom tokens are for"],
  AUTH_JWKS_URL: ["from the issuer's metadata", "Where its keys are"],
  AUTH_JWKS_FILE: ["none", "Its keys as a file, in place of a URL"],
  AUTH_INTROSPECTION_URL: ["none", "Where opaque tokens are asked about (RFC 7662)"],
  AUTH_CLIENT_ID: ["none", "This service's name there"],
  AUTH_CLIENT_SECRET: ["none", "Its secret there"],
  AUTH_PRIVATE_NETWORK: [
    "false",
    "`true` lets keys and introspection be at private addresses; see docs/tokens.md",
  ],
  AUTH_WORKSPACE_CLAIM: ["workspace_id", "Claim that names the workspace"],
  AUTH_DEFAULT_WORKSPACE: ["default", "Workspace of a token without that claim"],
  AUTH_LOCAL_ANYWHERE: [
    "false",
    "`true` lets the local issuer serve on an address beyond loopback",
  ],
  FILES: ["disk", "Where files are kept: `disk`, in `DATA_DIR`, or `s3`"],
  S3_ENDPOINT: ["that of AWS in `S3_REGION`", "Origin of an S3-compatible store"],
  S3_BUCKET: ["none", "Bucket for files"],
  S3_REGION: ["us-east-1", "Region of the bucket"],
  S3_KEY_ID: ["none", "Access key"],
  S3_SECRET: ["none", "Its secret"],
  S3_SESSION_TOKEN: ["none", "Its session token, where it is a temporary one"],
  S3_STYLE: ["path", "`path`, or `virtual` where the bucket is a part of the host's name"],
  FILES_MAX_BYTES: ["5368709120", "Bytes of the largest file; at most these"],
  FILES_URL_MINUTES: ["60", "How long an address of a file is valid, and half of it at least"],
  FILES_KEEP_MINUTES: ["60", "How long a file stays that nothing refers to; not shorter than that"],
  RATE_LIMIT: ["100/s", "Requests a second for each caller, five times that at once; `off`"],
  RATE_LIMIT_ADDRESS: [
    "200/s",
    "Requests a second without a good token for each address, five times that at once; `off`",
  ],
  TRUSTED_PROXIES: [
    "none",
    "Proxies whose `X-Forwarded-For` or `Forwarded` is believed: addresses and ranges, with commas",
  ],
  POLICY_FILE: ["policy/scopes.json", "The policy"],
  POLICY_CANDIDATE: ["none", "A policy that is tried beside it, and never acts"],
  DECISION_LOG: ["none", "File that every decision is appended to, as lines of JSON"],
  CORS_ORIGINS: ["none", "Origins whose pages may call, separated by commas"],
  EMBEDDER: ["local", "What turns texts into vectors: `local`, learnt from them, or `openai`"],
  EMBEDDINGS_URL: ["none", "Of `openai`: what `/embeddings` is put behind, `https://…/v1`"],
  EMBEDDINGS_MODEL: ["none", "Its model"],
  EMBEDDINGS_KEY: ["none", "Its key, where it asks for one"],
  EMBEDDINGS_DIMENSIONS: ["those of the model", "Dimensions that are asked for"],
  LOG_LEVEL: ["info", "`info`, `warn`, `error` or `off`"],
} as const satisfies Readonly<Record<string, readonly [fallback: string, meaning: string]>>;

export type Variable = keyof typeof VARIABLES;
export type Environment = (name: string) => string | undefined;

export type { EmbeddingsConfig, FilesConfig, PostgresConfig, SqliteConfig };
export type { S3Config } from "./files.ts";

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
  /** Whether keys and introspection may be at private addresses. */
  readonly privateNetworks: boolean;
}

export interface LocalIssuerConfig {
  readonly kind: "local";
  readonly audience: string | undefined;
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
  readonly rate: RateConfig | undefined;
  /** For what comes without a good token, by address. Undefined: no limit. */
  readonly addressRate: RateConfig | undefined;
  readonly trustedProxies: readonly string[];
  readonly policyFile: string;
  /** Undefined: none is tried. */
  readonly policyCandidate: string | undefined;
  /** Undefined: decisions stand in the request log alone. */
  readonly decisionLog: string | undefined;
  readonly corsOrigins: readonly string[];
  /** Undefined: texts are embedded by what is learnt from them. */
  readonly embeddings: EmbeddingsConfig | undefined;
  readonly logLevel: "info" | "warn" | "error" | "off";
  /** How a person runs Deno here: npm's `npx` says that it started us. */
  readonly launcher: string;
}

/** Says all that is wrong with the environment. */
export class ConfigError extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`Cannot start:\n${issues.map((issue) => `  - ${issue}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** The configuration of this environment; throws `ConfigError` with every fault. */
export function readConfig(environment: Environment): Config {
  const issues: string[] = [];
  const read = reader(environment, issues);
  const config: Config = {
    host: read.text("HOST") ?? "127.0.0.1",
    port: read.matching("PORT", PORT, Number) ?? 8000,
    dataDir: read.text("DATA_DIR") ?? ".data",
    database: databaseOf(read, issues),
    publicUrl: read.matching("PUBLIC_URL", ORIGIN, (text) => text),
    auth: authOf(read, issues),
    workspaceClaim: read.text("AUTH_WORKSPACE_CLAIM") ?? "workspace_id",
    defaultWorkspace: read.text("AUTH_DEFAULT_WORKSPACE") ?? "default",
    files: filesOf(read, issues),
    rate: rateOf(read, "RATE_LIMIT", 100),
    addressRate: rateOf(read, "RATE_LIMIT_ADDRESS", 200),
    trustedProxies: proxiesOf(read, issues),
    policyFile: read.text("POLICY_FILE") ?? "policy/scopes.json",
    policyCandidate: read.text("POLICY_CANDIDATE"),
    decisionLog: read.text("DECISION_LOG"),
    corsOrigins: originsOf(read, issues),
    embeddings: embeddingsOf(read, issues),
    logLevel: read.oneOf("LOG_LEVEL", ["info", "warn", "error", "off"]) ?? "info",
    launcher: environment("npm_command") === "exec"
      ? `npx --yes deno@${Deno.version.deno}`
      : "deno",
  };
  issues.push(
    ...exposureIssues(config, read),
    ...originIssues(config),
    ...spanIssues(config, environment),
  );
  if (issues.length > 0) throw new ConfigError(issues);
  return config;
}

const PORT = {
  pattern: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
  form: "a port from 1 to 65535",
};
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether it stands for all addresses of this machine, and so for none that a client can ask. */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

function authOf(read: Reader, issues: string[]): IssuerConfig | LocalIssuerConfig {
  const issuer = read.text("AUTH_ISSUER");
  const audience = read.text("AUTH_AUDIENCE");
  const jwksUrl = read.text("AUTH_JWKS_URL");
  const jwksFile = read.text("AUTH_JWKS_FILE");
  const introspection = introspectionOf(read, issues);
  if (issuer === undefined) {
    if (jwksUrl ?? jwksFile ?? introspection) {
      issues.push("AUTH_ISSUER must be set where its keys or its introspection are");
    }
    return { kind: "local", audience };
  }
  const audienceOrOrigin = audience ?? read.text("PUBLIC_URL");
  if (audienceOrOrigin === undefined) {
    issues.push("AUTH_AUDIENCE or PUBLIC_URL must be set with AUTH_ISSUER");
  }
  if (jwksUrl !== undefined && jwksFile !== undefined) {
    issues.push("AUTH_JWKS_URL and AUTH_JWKS_FILE must not both be set");
  }
  return {
    kind: "issuer",
    issuer,
    audience: audienceOrOrigin ?? "",
    jwksUrl,
    jwksFile,
    introspection,
    privateNetworks: read.oneOf("AUTH_PRIVATE_NETWORK", ["true", "false"]) === "true",
  };
}

function introspectionOf(read: Reader, issues: string[]): IssuerConfig["introspection"] {
  const url = read.text("AUTH_INTROSPECTION_URL");
  const clientId = read.text("AUTH_CLIENT_ID");
  const clientSecret = read.text("AUTH_CLIENT_SECRET");
  if (url === undefined) {
    if (clientId ?? clientSecret) {
      issues.push("AUTH_INTROSPECTION_URL must be set where AUTH_CLIENT_… are");
    }
    return undefined;
  }
  if (clientId === undefined || clientSecret === undefined) {
    issues.push("AUTH_CLIENT_ID and AUTH_CLIENT_SECRET must be set with AUTH_INTROSPECTION_URL");
    return undefined;
  }
  return { url, clientId, clientSecret };
}

function originsOf(read: Reader, issues: string[]): readonly string[] {
  const origins = (read.text("CORS_ORIGINS") ?? "").split(",").map((text) => text.trim())
    .filter((text) => text !== "");
  for (const origin of origins) {
    if (!ORIGIN.pattern.test(origin)) issues.push(`CORS_ORIGINS must be origins: "${origin}"`);
  }
  return origins;
}

function exposureIssues({ host, auth }: Config, read: Reader): string[] {
  const anywhere = read.oneOf("AUTH_LOCAL_ANYWHERE", ["true", "false"]) === "true";
  if (auth.kind === "issuer" || anywhere || isLoopback(host)) return [];
  return [
    `HOST must be loopback while the local issuer signs tokens: "${host}". Set AUTH_ISSUER, ` +
    "or AUTH_LOCAL_ANYWHERE=true if whoever reaches the data folder may mint tokens",
  ];
}

/** Others could follow no address that a server on every address gives by itself. */
function originIssues({ host, auth, publicUrl }: Config): string[] {
  if (auth.kind === "local" || publicUrl !== undefined || !isEveryAddress(host)) return [];
  return [`PUBLIC_URL must be set with AUTH_ISSUER where HOST is every address: "${host}"`];
}

/** Deno's own spans hold the whole address of each request, and attributes that are set stay beside them. */
function spanIssues({ files }: Config, environment: Environment): string[] {
  const isOn = (name: string) => ["true", "1"].includes(environment(name)?.toLowerCase() ?? "");
  const isOff = (name: string) => ["false", "0"].includes(environment(name)?.toLowerCase() ?? "");
  // Addresses of a bucket are signed here, and asked for elsewhere.
  if (files.s3 !== undefined || !isOn("OTEL_DENO") || isOff("OTEL_DENO_TRACING")) return [];
  return [
    "OTEL_DENO_TRACING must be false where OTEL_DENO is true: Deno's spans would hold the signatures " +
    "of files' addresses. Its metrics and logs do not",
  ];
}
