/**
 * Routes for those who run the service: outside `/v2`, open to everyone, telling nothing of content.
 *
 * @module
 */
import * as v from "valibot";
import { AppError } from "../../shared/errors.ts";
import { define } from "../shared/services.ts";

const NO_STORE = "no-store";
const state = v.strictObject({ status: v.string() });

export const operationEndpoints = [
  define({
    method: "GET",
    path: "/healthz",
    operationId: "getHealth",
    tag: "Operations",
    summary: "Tell that the process lives",
    description: "Answers without touching anything.",
    response: state,
    operational: true,
    probe: true,
    handle: () => ({ body: { status: "alive" }, cacheControl: NO_STORE }),
  }),
  define({
    method: "GET",
    path: "/readyz",
    operationId: "getReadiness",
    tag: "Operations",
    summary: "Tell whether requests can be served",
    description:
      "503 while the database is out of reach, full, read-only or damaged, while tokens cannot be verified, or while the server drains. Single documents that are known to be damaged are counted and change nothing: they alone are a 500. A policy that was refused is told of and changes nothing: the last good one decides.",
    response: v.looseObject({
      status: v.string(),
      storage: v.optional(v.strictObject({ damaged_documents: v.number() })),
      policy: v.looseObject({ digest: v.string() }),
    }),
    operational: true,
    probe: true,
    handle: async (_call, { readiness, damagedDocuments, policy }) => {
      const issues = await readiness();
      if (issues.length === 0) {
        const damaged = damagedDocuments();
        const storage = damaged === 0 ? {} : { storage: { damaged_documents: damaged } };
        return { body: { status: "ready", ...storage, policy: policy() }, cacheControl: NO_STORE };
      }
      const told = `Not ready: ${issues.map(({ issue }) => issue).join("; ")}`;
      const causes = issues.flatMap(({ cause }) => cause ?? []);
      throw new AppError("service_unavailable", told, {
        headers: { "retry-after": "1" },
        cause: causes.length === 0 ? undefined : new AggregateError(causes, told),
      });
    },
  }),
  define({
    method: "GET",
    path: "/metrics",
    operationId: "getMetrics",
    tag: "Operations",
    summary: "Tell which policy decides, and how a candidate fares",
    description: "The text format of Prometheus, version 0.0.4.",
    response: v.string(),
    operational: true,
    probe: true,
    handle: (_call, { metrics }) => ({
      body: metrics(),
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      cacheControl: NO_STORE,
    }),
  }),
  define({
    method: "GET",
    path: "/.well-known/oauth-protected-resource",
    operationId: "getProtectedResource",
    tag: "Operations",
    summary: "Tell where tokens come from",
    description: "Protected resource metadata (RFC 9728 section 2).",
    response: v.looseObject({ resource: v.string() }),
    operational: true,
    handle: (_call, { publicUrl, authorizationServers, scopes }) => ({
      body: {
        resource: publicUrl,
        authorization_servers: authorizationServers,
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
        resource_documentation: `${publicUrl}/docs`,
      },
      cacheControl: "public, max-age=60",
    }),
  }),
];
