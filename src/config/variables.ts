/**
 * Every environment variable, declared once with its default, meaning and parser. The table in
 * docs/configuration.md, `--help` and the permissions of every command follow from it.
 *
 * @module
 */
import { type BackupSchedule, SCHEDULE } from "./backup_schedule.ts";
import {
  BASE_URL,
  BOOLEAN,
  BUCKET,
  CONDITIONS,
  CONNECTIONS,
  COUNT,
  DIGEST,
  DIMENSIONS,
  type Form,
  MINUTES,
  NAMES,
  ORIGIN,
  ORIGINS,
  PAGE_URL,
  PORT,
  PROCESSES,
  RATE,
  RETENTION,
  TOKEN_TYPES,
} from "./forms.ts";
import { didYouMean } from "../shared/did_you_mean.ts";
import { fileVariable, findSecret, type ReadFile, type SetVariable } from "./secret_files.ts";

export type Environment = (name: string) => string | undefined;

export interface VariableSpec<T> extends Form<T> {
  /** The default, as shown to people. */
  readonly fallback: string;
  readonly meaning: string;
  /** True if the value is secret: no message quotes it, and it may be in a file. */
  readonly isSecret?: boolean;
}

const ANY = { accepts: () => true, form: "text", parse: (text: string) => text };

function text(fallback: string, meaning: string): VariableSpec<string> {
  return { ...ANY, fallback, meaning };
}

function secret(fallback: string, meaning: string): VariableSpec<string> {
  return { ...text(fallback, meaning), isSecret: true };
}

function oneOf<const T extends string>(
  values: readonly T[],
  fallback: string,
  meaning: string,
): VariableSpec<T> {
  return {
    accepts: (text) => values.some((value) => value === text),
    form: `one of ${values.join(", ")}`,
    // Sound because `accepts` admits only these values.
    parse: (text) => text as T,
    fallback,
    meaning,
  };
}

function matching<T>(form: Form<T>, fallback: string, meaning: string): VariableSpec<T> {
  return { ...form, fallback, meaning };
}

export const VARIABLES = {
  HOST: text("127.0.0.1", "Address to listen on"),
  PORT: matching(PORT, "8000", "Port to listen on"),
  RECTO_PROCESSES: matching<number | "auto">(
    PROCESSES,
    "1",
    "Number of processes that serve the port, or `auto` for one for each core (recommended)",
  ),
  RECTO_ADMIN_PORT: matching(
    PORT,
    "none",
    "Port for operators: `/metrics`, `/readyz`, `/policy` and `/docs` are served there alone",
  ),
  RECTO_ADMIN_HOST: text("127.0.0.1", "Address that `RECTO_ADMIN_PORT` listens on"),
  DATABASE_URL: secret(
    "`recto.db` in `RECTO_DATA_DIR`",
    "`sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`",
  ),
  RECTO_DATA_DIR: text(".data", "Folder of the SQLite file and the local issuer's keys"),
  RECTO_DATABASE_CONNECTIONS: matching(
    CONNECTIONS,
    "10",
    "Connections to PostgreSQL of each process, at least 2",
  ),
  RECTO_PUBLIC_URL: matching(
    ORIGIN,
    "from `HOST` and `PORT`",
    "Origin of all URLs in responses, and the audience of tokens; see below",
  ),
  RECTO_PAGE_URL: matching(
    PAGE_URL,
    "the API's own URLs",
    "URL of pages and databases in your front end, such as `https://wiki.example/{id}`",
  ),
  RECTO_AUTH_ISSUER: text("the local issuer", "Issuer of access tokens"),
  RECTO_AUTH_AUDIENCE: matching(
    NAMES,
    "`RECTO_PUBLIC_URL`; `recto` for the local issuer",
    "Audiences of which tokens must name one, separated by commas",
  ),
  RECTO_AUTH_AUDIENCE_CLAIM: text("aud", "Claim that holds the audience of tokens without `aud`"),
  RECTO_AUTH_TOKEN_TYPES: matching(
    TOKEN_TYPES,
    "at+jwt",
    "Accepted `typ` headers: `at+jwt`, `JWT`, `absent`, separated by commas; see docs/tokens.md",
  ),
  RECTO_AUTH_TOKEN_MARKERS: matching(
    CONDITIONS,
    "none",
    "Claims that only access tokens have; for other types than `at+jwt`; see docs/tokens.md",
  ),
  RECTO_AUTH_JWKS_URL: text(
    "from the issuer's metadata",
    "URL of the issuer's keys; `none` if it signs no tokens, so that all are introspected",
  ),
  RECTO_AUTH_JWKS_FILE: text("none", "File with the issuer's keys, instead of a URL"),
  RECTO_AUTH_INTROSPECTION_URL: text("none", "Introspection endpoint for opaque tokens (RFC 7662)"),
  RECTO_AUTH_CLIENT_ID: text("none", "Client ID for the introspection endpoint"),
  RECTO_AUTH_CLIENT_SECRET: secret("none", "Client secret for the introspection endpoint"),
  RECTO_AUTH_PRIVATE_NETWORK: oneOf(
    BOOLEAN,
    "false",
    "`true` allows private addresses for keys and introspection; see docs/tokens.md",
  ),
  RECTO_AUTH_DPOP: oneOf(
    ["off", "accept", "require"],
    "off",
    "Tokens bound to a key (DPoP): `accept` takes them beside bearer tokens, `require` takes no others",
  ),
  RECTO_AUTH_DPOP_NONCE: oneOf(
    BOOLEAN,
    "true",
    "With DPoP: `false` accepts proofs without a nonce of the server",
  ),
  RECTO_AUTH_PLAIN_HTTP: oneOf(
    BOOLEAN,
    "false",
    "`true` allows `http` to private addresses as well; needs `RECTO_AUTH_PRIVATE_NETWORK`",
  ),
  RECTO_AUTH_SCOPE_CLAIM: matching(
    NAMES,
    "scope, scp",
    "Claims that may hold scopes: the first that a token has counts",
  ),
  RECTO_AUTH_SCOPE_PREFIX: text("none", "Prefix of our scopes: it is removed, others do not count"),
  RECTO_AUTH_ACR_CLAIM: matching(
    NAMES,
    "acr",
    "Claims that may say how the user signed in: the first that a token has counts",
  ),
  RECTO_AUTH_CLIENT_CLAIM: matching(
    NAMES,
    "client_id, azp",
    "Claims that may name the client: the first that a token has counts",
  ),
  RECTO_AUTH_NAME_CLAIM: text("name", "Claim with the name of the user"),
  RECTO_AUTH_EMAIL_CLAIM: text("email", "Claim with the e-mail address of the user"),
  RECTO_AUTH_WORKSPACE_CLAIM: text("workspace_id", "Claim that names the workspace"),
  RECTO_AUTH_DEFAULT_WORKSPACE: text("default", "Workspace of tokens without that claim"),
  RECTO_AUTH_LOCAL_ANYWHERE: oneOf(
    BOOLEAN,
    "false",
    "`true` lets the local issuer serve on addresses other than loopback",
  ),
  RECTO_API_KEYS: oneOf(BOOLEAN, "true", "`false` refuses every API key; see docs/tokens.md"),
  RECTO_NOTION_API: oneOf(
    BOOLEAN,
    "true",
    "`false` switches off `/v1`, for clients of the Notion API; see docs/notion.md",
  ),
  RECTO_FILES: oneOf(
    ["disk", "s3"],
    "disk",
    "Where uploaded files are stored: `disk`, in `RECTO_DATA_DIR`, or `s3`",
  ),
  RECTO_S3_ENDPOINT: matching(
    ORIGIN,
    "AWS in `RECTO_S3_REGION`",
    "Origin of an S3-compatible store",
  ),
  RECTO_S3_BUCKET: matching(BUCKET, "none", "Bucket for files"),
  RECTO_S3_REGION: text("us-east-1", "Region of the bucket"),
  RECTO_S3_KEY_ID: secret("none", "Access key ID"),
  RECTO_S3_SECRET: secret("none", "Secret access key"),
  RECTO_S3_SESSION_TOKEN: secret("none", "Session token of temporary credentials"),
  RECTO_S3_STYLE: oneOf(
    ["path", "virtual"],
    "path",
    "`path`, or `virtual` if the bucket is part of the host name",
  ),
  RECTO_FILES_MAX_BYTES: matching(
    COUNT,
    "5368709120",
    "Maximum file size in bytes (the default is also the upper limit)",
  ),
  RECTO_FILES_URL_MINUTES: matching(
    MINUTES,
    "60",
    "How long a download URL is valid; at least half of it remains when you get one",
  ),
  RECTO_FILES_KEEP_MINUTES: matching(
    MINUTES,
    "60",
    "How long a file without references is stored; at least as long as its URLs are valid",
  ),
  RECTO_FILES_PRIVATE_NETWORK: oneOf(
    BOOLEAN,
    "false",
    "`true` lets clients have files fetched from private addresses, also by `http`",
  ),
  RECTO_TRASH_RETENTION: matching(
    RETENTION,
    "off",
    "How long pages stay in the trash before they are deleted for good, such as `30d`",
  ),
  RECTO_AUDIT_LOG: text(
    "none",
    "File to which every call is appended as a JSON line, or `-` for standard error",
  ),
  RECTO_RATE_LIMIT: matching(
    RATE,
    "100/s",
    "Requests per second for each caller, with bursts of five times as many; or `off`",
  ),
  RECTO_RATE_LIMIT_ADDRESS: matching(
    RATE,
    "200/s",
    "The same for requests without a valid token, for each client address; or `off`",
  ),
  RECTO_TRUSTED_PROXIES: text(
    "none",
    "Proxies whose `X-Forwarded-For` or `Forwarded` is trusted: addresses and ranges, separated by commas",
  ),
  RECTO_GATEWAY_HOST: text("127.0.0.1", "Address that `recto gateway` listens on"),
  RECTO_GATEWAY_PORT: matching(PORT, "8001", "Port that `recto gateway` listens on"),
  RECTO_GATEWAY_POLICIES: text(
    "none",
    "Policies of `recto gateway`: `HOST/PREFIX=FILE`, separated by commas; `*=FILE` for all",
  ),
  RECTO_BACKUP_TO: text(
    "backups",
    "Where `recto backup` puts archives: a folder, or `s3://BUCKET/PREFIX` with `RECTO_S3_…`",
  ),
  RECTO_BACKUP_KEEP: matching(
    COUNT,
    "all",
    "How many archives remain after a backup, such as `7`; older ones are deleted",
  ),
  RECTO_BACKUP_KEY: secret(
    "none",
    "Key that archives are encrypted with: `age1…` or `AGE-SECRET-KEY-1…`, see docs/operations.md",
  ),
  RECTO_BACKUP_SCHEDULE: matching<BackupSchedule>(
    SCHEDULE,
    "none",
    "When `recto serve` makes backups, in UTC: like `daily 03:00` or `every 6h`",
  ),
  RECTO_POLICY_FILE: text("policy/scopes.json", "Path of the policy"),
  RECTO_POLICY_CANDIDATE: text(
    "none",
    "A shadow policy: evaluated beside the policy, never applied",
  ),
  RECTO_POLICY_RELOAD: oneOf(
    ["any", "approved"],
    "any",
    "What a reload may activate: `any` valid policy, or only one that opens nothing or is `approved`",
  ),
  RECTO_POLICY_DIGEST: matching(
    DIGEST,
    "none",
    "The only policy digest that may be active",
  ),
  RECTO_DECISION_LOG: text("none", "File to which every decision is appended as JSON lines"),
  RECTO_CORS_ORIGINS: matching(
    ORIGINS,
    "none",
    "Origins whose pages may call the API, separated by commas",
  ),
  RECTO_EMBEDDER: oneOf(
    ["local", "openai"],
    "local",
    "What turns text into vectors: `local`, a model trained on the content, or `openai`",
  ),
  RECTO_EMBEDDINGS_URL: matching(
    BASE_URL,
    "none",
    "With `openai`: base URL of the embeddings API, `https://…/v1`",
  ),
  RECTO_EMBEDDINGS_MODEL: text("none", "With `openai`: model"),
  RECTO_EMBEDDINGS_KEY: secret("none", "With `openai`: API key, if the API needs one"),
  RECTO_EMBEDDINGS_DIMENSIONS: matching(
    DIMENSIONS,
    "the model's own",
    "With `openai`: dimensions to request",
  ),
  RECTO_QUESTION_PREFIX: text(
    "none",
    "With `openai`: text before each question, such as `query:`",
  ),
  RECTO_DOCUMENT_PREFIX: text(
    "none",
    "With `openai`: text before each other text, such as `passage:`",
  ),
  RECTO_SERVER: matching(
    ORIGIN,
    "`http://127.0.0.1:8000`",
    "Server that `export` and `import` call",
  ),
  RECTO_TOKEN: secret("none", "Access token that `export` and `import` send"),
  RECTO_LOG_LEVEL: oneOf(
    ["debug", "info", "warn", "error", "off"],
    "info",
    "`debug`, which adds the requests of monitors, `info`, `warn`, `error` or `off`",
  ),
} as const satisfies Readonly<Record<string, VariableSpec<unknown>>>;

export type Variable = keyof typeof VARIABLES;

/** Parsed values by variable; undefined if a variable is not set or is invalid. */
export type Settings = {
  readonly [Name in Variable]: ReturnType<typeof VARIABLES[Name]["parse"]> | undefined;
};

export interface ReadVariables {
  readonly settings: Settings;
  readonly issues: readonly string[];
  /** One sentence for each deprecated setting. */
  readonly warnings: readonly string[];
}

const PREFIX = "RECTO_";
/** Names that had the prefix from the start. */
const NEVER_WITHOUT = new Set([
  ...["RECTO_SERVER", "RECTO_TOKEN", "RECTO_PROCESSES", "RECTO_ADMIN_PORT", "RECTO_ADMIN_HOST"],
  ...["RECTO_BACKUP_TO", "RECTO_BACKUP_KEEP", "RECTO_BACKUP_KEY", "RECTO_BACKUP_SCHEDULE"],
]);
/** Variables of Deno, npm and the PostgreSQL driver that are read as well. */
const FOREIGN = [
  ...["OTEL_DENO", "OTEL_DENO_TRACING", "OTEL_DENO_CONSOLE", "OTEL_PROPAGATORS"],
  ...["OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_METRIC_EXPORT_INTERVAL"],
  ...["npm_command", "PGAPPNAME", "PGTARGETSESSIONATTRS"],
];

/**
 * Reads every variable, and collects what is wrong with them. An empty one counts as not set.
 * Secrets are also read from the files in the variables `NAME_FILE`.
 */
export function readVariables(environment: Environment, readFile?: ReadFile): ReadVariables {
  const issues: string[] = [];
  const warnings: string[] = [];
  const entries = Object.entries<VariableSpec<unknown>>(VARIABLES).map(([name, spec]) => {
    const found = findSetting(environment, name);
    const set = spec.isSecret ? findSecret(name, found, environment, readFile) : found;
    if (set === undefined) return [name, undefined];
    if ("issue" in set) {
      issues.push(set.issue);
      return [name, undefined];
    }
    if (set.name !== name) warnings.push(`${set.name} is deprecated: rename it to ${name}`);
    if (spec.accepts(set.text)) return [name, spec.parse(set.text)];
    issues.push(`${name} must be ${spec.form}${spec.isSecret ? "" : `: "${set.text}"`}`);
    return [name, undefined];
  });
  // Sound because each value was parsed by the spec of its name.
  return { settings: Object.fromEntries(entries) as Settings, issues, warnings };
}

/** Finds a variable under its name, or under its deprecated name without the prefix. */
export function findSetting(
  environment: Environment,
  name: string,
): SetVariable | undefined {
  const names = wasWithoutPrefix(name) ? [name, name.slice(PREFIX.length)] : [name];
  for (const one of names) {
    const text = environment(one);
    if (text) return { name: one, text };
  }
  return undefined;
}

function wasWithoutPrefix(name: string): boolean {
  return name.startsWith(PREFIX) && !NEVER_WITHOUT.has(name);
}

/** Returns one sentence for each name with our prefix that is not a variable. */
export function unknownVariables(names: Iterable<string>): string[] {
  const ours = [...Object.keys(VARIABLES), ...fileVariables()];
  return [...names].filter((name) => name.startsWith(PREFIX) && !ours.includes(name))
    .map((name) => [`${name} is not a setting`, didYouMean(name, ours)].filter(Boolean).join(": "));
}

/** Returns the name of every variable that the configuration reads. */
export function variableNames(): string[] {
  const ours = Object.keys(VARIABLES);
  const before = ours.filter(wasWithoutPrefix)
    .map((name) => name.slice(PREFIX.length));
  return [...ours, ...fileVariables(), ...before, ...FOREIGN];
}

/** Returns the names of the variables with the paths of files that hold secrets. */
export function fileVariables(): string[] {
  return Object.entries<VariableSpec<unknown>>(VARIABLES)
    .filter(([, { isSecret }]) => isSecret)
    .map(([name]) => fileVariable(name));
}
