/**
 * The environment as one value, and every fault of it at once.
 *
 * @module
 */
import { databaseOf, type PostgresConfig, type SqliteConfig } from "./database.ts";
import { type EmbeddingsConfig, embeddingsOf } from "./embeddings.ts";
import { type FilesConfig, filesOf } from "./files.ts";
import { proxiesOf, type RateConfig, rateOf } from "./rates.ts";
import { type Environment, readVariables, type Settings } from "./variables.ts";

export { VARIABLES } from "./variables.ts";
export type { Environment } from "./variables.ts";
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
  readonly logLevel: NonNullable<Settings["RECTO_LOG_LEVEL"]>;
  /** Sentences for the operator about settings that are deprecated. */
  readonly warnings: readonly string[];
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
  const { settings, warnings, issues: found } = readVariables(environment);
  const issues = [...found];
  const config: Config = {
    host: settings.HOST ?? "127.0.0.1",
    port: settings.PORT ?? 8000,
    dataDir: settings.RECTO_DATA_DIR ?? ".data",
    database: databaseOf(settings, issues),
    publicUrl: settings.RECTO_PUBLIC_URL,
    auth: authOf(settings, issues),
    workspaceClaim: settings.RECTO_AUTH_WORKSPACE_CLAIM ?? "workspace_id",
    defaultWorkspace: settings.RECTO_AUTH_DEFAULT_WORKSPACE ?? "default",
    files: filesOf(settings, issues),
    rate: rateOf(settings.RECTO_RATE_LIMIT ?? 100),
    addressRate: rateOf(settings.RECTO_RATE_LIMIT_ADDRESS ?? 200),
    trustedProxies: proxiesOf(settings, issues),
    policyFile: settings.RECTO_POLICY_FILE ?? "policy/scopes.json",
    policyCandidate: settings.RECTO_POLICY_CANDIDATE,
    decisionLog: settings.RECTO_DECISION_LOG,
    corsOrigins: settings.RECTO_CORS_ORIGINS ?? [],
    embeddings: embeddingsOf(settings, issues),
    logLevel: settings.RECTO_LOG_LEVEL ?? "info",
    warnings,
    launcher: environment("npm_command") === "exec"
      ? `npx --yes deno@${Deno.version.deno}`
      : "deno",
  };
  issues.push(
    ...exposureIssues(config, settings),
    ...originIssues(config),
    ...spanIssues(config, environment),
  );
  if (issues.length > 0) throw new ConfigError(issues);
  return config;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether it stands for all addresses of this machine, and so for none that a client can ask. */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

function authOf(settings: Settings, issues: string[]): IssuerConfig | LocalIssuerConfig {
  const issuer = settings.RECTO_AUTH_ISSUER;
  const audience = settings.RECTO_AUTH_AUDIENCE;
  const jwksUrl = settings.RECTO_AUTH_JWKS_URL;
  const jwksFile = settings.RECTO_AUTH_JWKS_FILE;
  const introspection = introspectionOf(settings, issues);
  if (issuer === undefined) {
    if (jwksUrl ?? jwksFile ?? introspection) {
      issues.push("RECTO_AUTH_ISSUER must be set where its keys or its introspection are");
    }
    return { kind: "local", audience };
  }
  const audienceOrOrigin = audience ?? settings.RECTO_PUBLIC_URL;
  if (audienceOrOrigin === undefined) {
    issues.push("RECTO_AUTH_AUDIENCE or RECTO_PUBLIC_URL must be set with RECTO_AUTH_ISSUER");
  }
  if (jwksUrl !== undefined && jwksFile !== undefined) {
    issues.push("RECTO_AUTH_JWKS_URL and RECTO_AUTH_JWKS_FILE must not both be set");
  }
  return {
    kind: "issuer",
    issuer,
    audience: audienceOrOrigin ?? "",
    jwksUrl,
    jwksFile,
    introspection,
    privateNetworks: settings.RECTO_AUTH_PRIVATE_NETWORK === "true",
  };
}

function introspectionOf(settings: Settings, issues: string[]): IssuerConfig["introspection"] {
  const url = settings.RECTO_AUTH_INTROSPECTION_URL;
  const clientId = settings.RECTO_AUTH_CLIENT_ID;
  const clientSecret = settings.RECTO_AUTH_CLIENT_SECRET;
  if (url === undefined) {
    if (clientId ?? clientSecret) {
      issues.push("RECTO_AUTH_INTROSPECTION_URL must be set where RECTO_AUTH_CLIENT_… are");
    }
    return undefined;
  }
  if (clientId === undefined || clientSecret === undefined) {
    issues.push(
      "RECTO_AUTH_CLIENT_ID and RECTO_AUTH_CLIENT_SECRET must be set with RECTO_AUTH_INTROSPECTION_URL",
    );
    return undefined;
  }
  return { url, clientId, clientSecret };
}

function exposureIssues({ host, auth }: Config, settings: Settings): string[] {
  const anywhere = settings.RECTO_AUTH_LOCAL_ANYWHERE === "true";
  if (auth.kind === "issuer" || anywhere || isLoopback(host)) return [];
  return [
    `HOST must be loopback while the local issuer signs tokens: "${host}". Set RECTO_AUTH_ISSUER, ` +
    "or RECTO_AUTH_LOCAL_ANYWHERE=true if whoever reaches the data folder may mint tokens",
  ];
}

/** Others could follow no address that a server on every address gives by itself. */
function originIssues({ host, auth, publicUrl }: Config): string[] {
  if (auth.kind === "local" || publicUrl !== undefined || !isEveryAddress(host)) return [];
  return [
    `RECTO_PUBLIC_URL must be set with RECTO_AUTH_ISSUER where HOST is every address: "${host}"`,
  ];
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
