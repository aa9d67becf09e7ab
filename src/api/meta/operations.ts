/**
 * Endpoints for operators: outside `/v2`, without tokens, and without any workspace content.
 *
 * @module
 */
import * as v from "valibot";
import { AppError } from "../../shared/errors.ts";
import type { Tag } from "../../http/endpoint.ts";
import { define } from "../shared/services.ts";
import { describeProtectedResource } from "../shared/protected_resource.ts";

const OPERATIONS: Tag = { name: "Operations", description: "Monitor the service." };
const NO_STORE = "no-store";
const state = v.strictObject({ status: v.string() });

export const operationEndpoints = [
  define({
    method: "GET",
    path: "/healthz",
    operationId: "getHealth",
    tag: OPERATIONS,
    summary: "Check that the process is alive",
    description: "Responds without using the database or the network.",
    response: state,
    operational: true,
    adminPort: "also",
    probe: true,
    handle: () => ({ body: { status: "alive" }, cacheControl: NO_STORE }),
  }),
  define({
    method: "GET",
    path: "/readyz",
    needsPrimary: true,
    operationId: "getReadiness",
    tag: OPERATIONS,
    summary: "Check that requests can be served",
    description:
      "Responds with 503 while the database is unreachable, full, read-only or damaged, while file storage is unreachable, full or read-only, while tokens cannot be verified, or while the server drains. Damaged documents are counted but do not make the service unready: only requests for them fail, with 500. A rejected policy is reported but does not make it unready either: the last valid one stays active.",
    response: v.looseObject({
      status: v.string(),
      storage: v.optional(v.strictObject({ damaged_documents: v.number() })),
      policy: v.looseObject({ digest: v.string() }),
    }),
    operational: true,
    adminPort: "only",
    probe: true,
    handle: async (_call, { readiness, damagedDocuments, policy }) => {
      const issues = await readiness();
      if (issues.length === 0) {
        const damaged = damagedDocuments();
        const storage = damaged === 0 ? {} : { storage: { damaged_documents: damaged } };
        return { body: { status: "ready", ...storage, policy: policy() }, cacheControl: NO_STORE };
      }
      const message = `Not ready: ${issues.map(({ issue }) => issue).join("; ")}`;
      const causes = issues.flatMap(({ cause }) => cause ?? []);
      throw new AppError("service_unavailable", message, {
        headers: { "retry-after": "1" },
        cause: causes.length === 0 ? undefined : new AggregateError(causes, message),
      });
    },
  }),
  define({
    method: "GET",
    path: "/metrics",
    needsPrimary: true,
    operationId: "getMetrics",
    tag: OPERATIONS,
    summary: "Read metrics",
    description: "Metrics of the service in the text format of Prometheus, version 0.0.4.",
    response: v.string(),
    operational: true,
    adminPort: "only",
    probe: true,
    handle: async (_call, { metrics }) => ({
      body: await metrics(),
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      cacheControl: NO_STORE,
    }),
  }),
  define({
    method: "GET",
    path: "/.well-known/oauth-protected-resource",
    operationId: "getProtectedResource",
    tag: OPERATIONS,
    summary: "Read where to get tokens",
    description: "Protected resource metadata (RFC 9728 section 2).",
    response: v.looseObject({ resource: v.string() }),
    operational: true,
    handle: (_call, { publicUrl, protectedResource, scopes }) => ({
      body: describeProtectedResource({ ...protectedResource, publicUrl, scopes }),
      cacheControl: "public, max-age=60",
    }),
  }),
];
