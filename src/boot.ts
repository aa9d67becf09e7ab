/**
 * From a configuration to a running app: opens what lies on disk and refuses what does not agree.
 *
 * @module
 */
import { endpoints } from "./api/endpoints.ts";
import { publish } from "./api/openapi.ts";
import type { PublishedDocument } from "./api/services.ts";
import { type App, createApp } from "./app.ts";
import { authUrlFaults } from "./auth/urls.ts";
import { type Config, ConfigError, isLoopback, type IssuerConfig } from "./config.ts";
import { encodeText } from "./http/encoding.ts";
import { routeName } from "./http/endpoint.ts";
import type { Log } from "./observe.ts";
import { findDrift } from "./policy/drift.ts";
import { parsePolicy, type Policy } from "./policy/schema.ts";
import { findSecurityDrift } from "./openapi/drift.ts";
import { parseMeta, sha256 } from "./openapi/meta.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

const SPEC = { document: "spec/openapi.json", meta: "spec/meta.json" };

export interface Booted {
  readonly app: App;
  readonly publicUrl: string;
}

/** Boots the service; rejects with sentences for the operator where anything is amiss. */
export async function boot(config: Config, log: Log): Promise<Booted> {
  if (config.auth.kind === "issuer") refuse(issuerFaults(config.auth));
  const policy = await openPolicy(config.policyFile);
  const published = await openDocument(policy, config.policyFile);
  const store = openSqliteStore(config.database.path);
  const publicUrl = config.publicUrl ?? originOf(config);
  const fallbackAuthority = fallbackAuthorityOf(config);
  const app = await createApp({
    config,
    publicUrl,
    policy,
    published,
    store,
    log,
    fallbackAuthority,
  });
  return { app, publicUrl };
}

/** Deno names loopback and unspecified addresses `localhost`, every other one as it is. */
function fallbackAuthorityOf({ host, port }: Config): string {
  const isNamed = isLoopback(host) || host === "0.0.0.0" || host === "::" || host === "[::]";
  return isNamed ? `localhost:${port}` : authorityOf(host, port);
}

function authorityOf(host: string, port: number): string {
  return `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

function originOf({ host, port }: Config): string {
  return `http://${authorityOf(host, port)}`;
}

function issuerFaults(
  { issuer, jwksUrl, jwksFile, introspection }: IssuerConfig,
): readonly string[] {
  return authUrlFaults({
    issuer,
    ...(jwksUrl !== undefined && { jwksUrl }),
    ...(jwksFile !== undefined && { jwksFile }),
    ...(introspection && { introspectionUrl: introspection.url }),
  });
}

/** The policy of a file, once its rules and our endpoints name the same routes. */
export async function openPolicy(file: string): Promise<Policy> {
  const policy = parsePolicy(await Deno.readTextFile(file));
  const routes = endpoints.filter(({ operational }) => !operational).map(routeName);
  refuse(findDrift({ policy, policyFile: file, routes }));
  return policy;
}

/** The document in `spec/`, once it is that of its metadata and says of each route what the policy says. */
async function openDocument(policy: Policy, policyFile: string): Promise<PublishedDocument> {
  const text = await Deno.readTextFile(SPEC.document);
  const meta = parseMeta(await Deno.readTextFile(SPEC.meta));
  if (meta === undefined || meta.etag !== await sha256(text)) {
    throw new ConfigError([`${SPEC.meta} is not that of ${SPEC.document}: run \`deno task spec\``]);
  }
  refuse(findSecurityDrift(text, { policy, policyFile }));
  const compact = JSON.stringify(meta);
  const [document, described] = await Promise.all([encodeText(text), encodeText(compact)]);
  return publish({
    document: text,
    etag: meta.etag,
    meta: compact,
    metaEtag: await sha256(compact),
    encodings: { document, meta: described },
  });
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigError(faults);
}
