/**
 * Reads the environment into one configuration, and reports everything wrong with it at once.
 *
 * @module
 */
import { type BackupsConfig, backupsOf } from "./backups.ts";
import { type AdminConfig, adminOf } from "./admin.ts";
import { databaseOf, type PostgresConfig, type SqliteConfig } from "./database.ts";
import { settingsDigest } from "./digest.ts";
import { type DpopConfig, dpopOf } from "./dpop.ts";
import { type EmbeddingsConfig, embeddingsOf } from "./embeddings.ts";
import { type FilesConfig, filesOf } from "./files.ts";
import { type TokensConfig, tokensOf } from "./tokens.ts";
import { processesOf } from "./processes.ts";
import { proxiesOf, type RateConfig, rateOf } from "./rates.ts";
import { type TelemetryConfig, telemetryOf } from "./telemetry.ts";
import { type Environment, readVariables, type Settings } from "./variables.ts";

export { VARIABLES } from "./variables.ts";
export type { Environment } from "./variables.ts";
export type {
  AdminConfig,
  DpopConfig,
  EmbeddingsConfig,
  FilesConfig,
  PostgresConfig,
  SqliteConfig,
};
export type { S3Config } from "./files.ts";

export interface IssuerConfig {
  readonly kind: "issuer";
  readonly issuer: string;
  /** True if the issuer signs tokens; if not, all are introspected. */
  readonly signsTokens: boolean;
  readonly jwksUrl: string | undefined;
  readonly jwksFile: string | undefined;
  readonly introspection: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
  } | undefined;
  /** True if the JWKS and introspection URLs may point to private addresses. */
  readonly privateNetworks: boolean;
  /** True if they may be plain http in private networks. */
  readonly plainHttp: boolean;
}

export interface LocalIssuerConfig {
  readonly kind: "local";
  readonly audience: string | undefined;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** The address for operators; undefined: the same port as for all others. */
  readonly admin: AdminConfig | undefined;
  /** Short name of all settings but the secrets. */
  readonly digest: string;
  /** Number of processes that serve together. */
  readonly processes: number;
  readonly dataDir: string;
  readonly database: SqliteConfig | PostgresConfig;
  /** Undefined: derived from host and port. */
  readonly publicUrl: string | undefined;
  /** URL of pages in a front end, with `{id}`. Undefined: pages have the URL of this API. */
  readonly pageUrl: string | undefined;
  readonly auth: IssuerConfig | LocalIssuerConfig;
  /** True if API keys are accepted. */
  readonly apiKeys: boolean;
  /** True if `/v1` is served. */
  readonly notionApi: boolean;
  /** Undefined: tokens bound to a key are refused. */
  readonly dpop: DpopConfig | undefined;
  readonly tokens: TokensConfig;
  readonly workspaceClaim: string;
  readonly defaultWorkspace: string;
  readonly files: FilesConfig;
  /** Undefined: no limit. */
  readonly rate: RateConfig | undefined;
  /** Limit for each client address, for requests without a valid token. Undefined: no limit. */
  readonly addressRate: RateConfig | undefined;
  readonly trustedProxies: readonly string[];
  readonly backups: BackupsConfig;
  readonly policyFile: string;
  /** Undefined: no shadow policy. */
  readonly policyCandidate: string | undefined;
  /** The policies that a reload may activate. */
  readonly policyReload: "any" | "approved";
  /** Undefined: any policy may be active. */
  readonly policyDigest: string | undefined;
  /** Undefined: decisions are only in the request log. */
  readonly decisionLog: string | undefined;
  /** File that calls are appended to, or `-`. */
  readonly auditLog: string | undefined;
  /** Milliseconds that pages stay in the trash; `Infinity` keeps them. */
  readonly trashRetention: number;
  readonly corsOrigins: readonly string[];
  /** Undefined: a model trained on the content turns texts into vectors. */
  readonly embeddings: EmbeddingsConfig | undefined;
  readonly logLevel: NonNullable<Settings["RECTO_LOG_LEVEL"]>;
  /** The signals that Deno exports with OpenTelemetry; undefined if none. */
  readonly telemetry: TelemetryConfig | undefined;
  /** One sentence for each deprecated setting. */
  readonly warnings: readonly string[];
  /** Command that runs Deno here: `npx` if npm started this process. */
  readonly launcher: string;
}

/** Lists everything wrong with the configuration. */
export class ConfigError extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`Cannot start:\n${issues.map((issue) => `  - ${issue}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Reads the configuration; throws `ConfigError` with all issues. */
export function readConfig(environment: Environment): Config {
  const { settings, warnings, issues: variableIssues } = readVariables(environment);
  const issues = [...variableIssues];
  const config: Config = {
    host: settings.HOST ?? "127.0.0.1",
    port: settings.PORT ?? 8000,
    admin: adminOf(settings, issues),
    digest: settingsDigest(environment),
    processes: processesOf(settings),
    dataDir: settings.RECTO_DATA_DIR ?? ".data",
    database: databaseOf(settings, issues),
    publicUrl: settings.RECTO_PUBLIC_URL,
    pageUrl: settings.RECTO_PAGE_URL,
    auth: authOf(settings, issues),
    apiKeys: settings.RECTO_API_KEYS !== "false",
    notionApi: settings.RECTO_NOTION_API !== "false",
    dpop: dpopOf(settings, issues),
    tokens: tokensOf(settings, issues),
    workspaceClaim: settings.RECTO_AUTH_WORKSPACE_CLAIM ?? "workspace_id",
    defaultWorkspace: settings.RECTO_AUTH_DEFAULT_WORKSPACE ?? "default",
    files: filesOf(settings, issues),
    rate: rateOf(settings.RECTO_RATE_LIMIT ?? 100),
    addressRate: rateOf(settings.RECTO_RATE_LIMIT_ADDRESS ?? 200),
    trustedProxies: proxiesOf(settings, issues),
    backups: backupsOf(settings, issues),
    policyFile: settings.RECTO_POLICY_FILE ?? "policy/scopes.json",
    policyCandidate: settings.RECTO_POLICY_CANDIDATE,
    policyReload: settings.RECTO_POLICY_RELOAD ?? "any",
    policyDigest: settings.RECTO_POLICY_DIGEST,
    decisionLog: settings.RECTO_DECISION_LOG,
    auditLog: settings.RECTO_AUDIT_LOG,
    trashRetention: settings.RECTO_TRASH_RETENTION ?? Infinity,
    corsOrigins: settings.RECTO_CORS_ORIGINS ?? [],
    embeddings: embeddingsOf(settings, issues),
    logLevel: settings.RECTO_LOG_LEVEL ?? "info",
    telemetry: telemetryOf(environment, issues),
    warnings,
    launcher: environment("npm_command") === "exec"
      ? `npx --yes deno@${Deno.version.deno}`
      : "deno",
  };
  issues.push(
    ...exposureIssues(config, settings),
    ...originIssues(config),
    ...processIssues(config),
  );
  if (issues.length > 0) throw new ConfigError(issues);
  return config;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1|\[::1\])$/;

/** Returns whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Returns whether it is the unspecified address: a server listens on all interfaces, but no client
 * can connect to it.
 */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

/** Returns host and port as a URL has them. */
export function authorityOf(host: string, port: number): string {
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

function authOf(settings: Settings, issues: string[]): IssuerConfig | LocalIssuerConfig {
  const issuer = settings.RECTO_AUTH_ISSUER;
  const jwksSetting = settings.RECTO_AUTH_JWKS_URL;
  const jwksUrl = jwksSetting === "none" ? undefined : jwksSetting;
  const jwksFile = settings.RECTO_AUTH_JWKS_FILE;
  const introspection = introspectionOf(settings, issues);
  if (issuer === undefined) {
    if (jwksUrl ?? jwksFile ?? introspection) {
      issues.push("RECTO_AUTH_ISSUER must be set if its keys or introspection endpoint are");
    }
    return { kind: "local", audience: localAudienceOf(settings, issues) };
  }
  if ((settings.RECTO_AUTH_AUDIENCE ?? settings.RECTO_PUBLIC_URL) === undefined) {
    issues.push("RECTO_AUTH_AUDIENCE or RECTO_PUBLIC_URL must be set with RECTO_AUTH_ISSUER");
  }
  if (jwksSetting !== undefined && jwksFile !== undefined) {
    issues.push("RECTO_AUTH_JWKS_URL and RECTO_AUTH_JWKS_FILE must not both be set");
  }
  return {
    kind: "issuer",
    issuer,
    signsTokens: signsTokens(settings, issues),
    jwksUrl,
    jwksFile,
    introspection,
    privateNetworks: settings.RECTO_AUTH_PRIVATE_NETWORK === "true",
    plainHttp: plainHttpOf(settings, issues),
  };
}

function localAudienceOf(settings: Settings, issues: string[]): string | undefined {
  const [audience, ...others] = settings.RECTO_AUTH_AUDIENCE ?? [];
  if (others.length > 0) issues.push("RECTO_AUTH_AUDIENCE must be one name with the local issuer");
  return audience;
}

/** An issuer that is no URL, such as `urn:example:issuer`, has no metadata that names its keys. */
function signsTokens(settings: Settings, issues: string[]): boolean {
  const keys = settings.RECTO_AUTH_JWKS_FILE ?? settings.RECTO_AUTH_JWKS_URL;
  const isIntrospected = settings.RECTO_AUTH_INTROSPECTION_URL !== undefined;
  if (keys === "none" && !isIntrospected) {
    issues.push("RECTO_AUTH_INTROSPECTION_URL must be set if RECTO_AUTH_JWKS_URL is none");
  }
  if (keys !== undefined) return keys !== "none";
  return !isIntrospected || /^https?:/.test(settings.RECTO_AUTH_ISSUER ?? "");
}

function plainHttpOf(settings: Settings, issues: string[]): boolean {
  if (settings.RECTO_AUTH_PLAIN_HTTP !== "true") return false;
  if (settings.RECTO_AUTH_PRIVATE_NETWORK !== "true") {
    issues.push("RECTO_AUTH_PRIVATE_NETWORK must be true if RECTO_AUTH_PLAIN_HTTP is");
  }
  return true;
}

function introspectionOf(settings: Settings, issues: string[]): IssuerConfig["introspection"] {
  const url = settings.RECTO_AUTH_INTROSPECTION_URL;
  const clientId = settings.RECTO_AUTH_CLIENT_ID;
  const clientSecret = settings.RECTO_AUTH_CLIENT_SECRET;
  if (url === undefined) {
    if (clientId ?? clientSecret) {
      issues.push("RECTO_AUTH_INTROSPECTION_URL must be set if RECTO_AUTH_CLIENT_… are");
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
    `HOST must be a loopback address with the local issuer: "${host}". Set RECTO_AUTH_ISSUER, ` +
    "or RECTO_AUTH_LOCAL_ANYWHERE=true if everyone with access to the data folder may mint tokens",
  ];
}

/** No other machine could use URLs derived from an unspecified address. */
function originIssues({ host, auth, publicUrl }: Config): string[] {
  if (auth.kind === "local" || publicUrl !== undefined || !isEveryAddress(host)) return [];
  return [
    `RECTO_PUBLIC_URL must be set with RECTO_AUTH_ISSUER if HOST is the unspecified address: "${host}"`,
  ];
}

/** Maximum length of the path of a Unix socket on all systems, less the name of ours. */
const LONGEST_FOLDER = 85;

function processIssues({ processes, database, dataDir }: Config): string[] {
  if (processes === 1) return [];
  return [
    ...(database.kind === "sqlite" && database.path === ":memory:"
      ? ["RECTO_PROCESSES must be 1 if the database is in memory, where each process has its own"]
      : []),
    ...(new TextEncoder().encode(dataDir).length > LONGEST_FOLDER
      ? [`RECTO_DATA_DIR must have at most ${LONGEST_FOLDER} bytes if RECTO_PROCESSES is not 1`]
      : []),
  ];
}
