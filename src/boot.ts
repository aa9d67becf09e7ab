/**
 * From a configuration to a running app: opens what lies on disk and refuses what does not agree.
 *
 * @module
 */
import { endpoints } from "./api/endpoints.ts";
import type { PublishedDocument } from "./api/services.ts";
import { type App, createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { routeName } from "./http/endpoint.ts";
import type { Log } from "./observe.ts";
import { findDrift } from "./policy/drift.ts";
import { parsePolicy, type Policy } from "./policy/schema.ts";
import { findSecurityDrift, publish } from "./published.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

const SPEC = { document: "spec/openapi.json", meta: "spec/meta.json" };

export interface Booted {
  readonly app: App;
  readonly publicUrl: string;
}

/** Boots the service; rejects with sentences for the operator where anything is amiss. */
export async function boot(config: Config, log: Log): Promise<Booted> {
  const policy = await openPolicy(config.policyFile);
  const document = await openDocument(policy, config.policyFile);
  const store = openSqliteStore(config.database.path);
  const publicUrl = config.publicUrl ?? originOf(config);
  const fallbackAuthority = `localhost:${config.port}`;
  const app = await createApp({
    config,
    publicUrl,
    policy,
    document,
    store,
    log,
    fallbackAuthority,
  });
  return { app, publicUrl };
}

function originOf({ host, port }: Config): string {
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/** The policy of a file, once its rules and our endpoints name the same routes. */
export async function openPolicy(file: string): Promise<Policy> {
  const policy = parsePolicy(await Deno.readTextFile(file));
  const routes = endpoints.filter(({ operational }) => !operational).map(routeName);
  refuse(findDrift({ policy, policyFile: file, routes }));
  return policy;
}

/** The document in `spec/`, once it says of each route what the policy says. */
async function openDocument(policy: Policy, policyFile: string): Promise<PublishedDocument> {
  const document = await Deno.readTextFile(SPEC.document);
  const published = await publish({ document, meta: await Deno.readTextFile(SPEC.meta) });
  refuse(findSecurityDrift(document, { policy, policyFile }));
  return published;
}

function refuse(drift: readonly string[]): void {
  if (drift.length > 0) {
    throw new Error(`Cannot start:\n${drift.map((one) => `  - ${one}`).join("\n")}`);
  }
}
