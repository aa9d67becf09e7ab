/**
 * The API's own OpenAPI document, open to everyone.
 *
 * @module
 */
import * as v from "valibot";
import { toEncodable } from "../../http/encoding.ts";
import type { Tag } from "../../http/endpoint.ts";
import { component } from "../../shared/component.ts";
import { define, type PublishedDocument } from "../shared/services.ts";

const OPENAPI: Tag = {
  name: "OpenAPI",
  description: "Read this document. No token is required.",
};

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

const documentMeta = v.strictObject({
  etag: v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{64}$/),
    v.maxLength(64),
    v.description("SHA-256 of the document in hexadecimal, as in its `ETag`."),
  ),
  generatedAt: v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.description("When the document last changed."),
  ),
  pathCount: v.pipe(count, v.description("Number of entries under `paths`.")),
  schemaCount: v.pipe(
    count,
    v.description("Number of entries under `components.schemas`."),
  ),
});
component(
  documentMeta,
  "OpenapiMeta",
  "Metadata of the OpenAPI document. Compare the `etag` to see whether the document changed.",
);

const openapiDocument = v.pipe(
  v.looseObject({
    openapi: v.string(),
    info: v.looseObject({ title: v.string(), version: v.string() }),
    paths: v.record(v.string(), v.looseObject({})),
  }),
  v.description("An OpenAPI document."),
);

/**
 * Replies with a document and its metadata, which caches may store for a minute before they revalidate.
 * `onWanted` is called when the document is wanted compressed and is not yet.
 */
export function publish({ document, etag, meta, metaEtag }: {
  readonly document: string;
  readonly etag: string;
  readonly meta: string;
  readonly metaEtag: string;
}, onWanted?: () => void): Omit<PublishedDocument, "policyPage"> {
  const common = { cacheControl: "public, max-age=60, must-revalidate", constant: true };
  const reply = { ...common, body: document, etag: `"${etag}"` };
  const described = { ...common, body: meta, etag: `"${metaEtag}"` };
  return { etag, document: toEncodable(reply, onWanted), meta: toEncodable(described) };
}

export const openapiEndpoints = [
  define({
    method: "GET",
    path: "/v2/openapi.json",
    adminPort: "also",
    operationId: "getOpenapiDocument",
    tag: OPENAPI,
    summary: "Read the OpenAPI document",
    description:
      "Returns the OpenAPI 3.1 document of this API. No token is required; a token that you send is ignored.",
    response: openapiDocument,
    example: {
      response: { openapi: "3.1.1", info: { title: "Recto", version: "2.0.0" }, paths: {} },
    },
    handle: (_call, { published }) => published.document,
  }),
  define({
    method: "GET",
    path: "/v2/openapi/meta",
    operationId: "getOpenapiMeta",
    tag: OPENAPI,
    summary: "Read the document's metadata",
    description:
      "Returns the hash and the date of the OpenAPI document, so that you can tell whether it changed without downloading it. No token is required.",
    response: documentMeta,
    example: {
      response: {
        etag: "521ce1b6b2259eb7c368e10d440fb7fb15849570191b1e0d987d481904c8a690",
        generatedAt: "2026-11-21T10:26:00.888Z",
        pathCount: 15,
        schemaCount: 452,
      },
    },
    handle: (_call, { published }) => published.meta,
  }),
];
