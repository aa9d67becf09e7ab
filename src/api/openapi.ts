/**
 * The API's own document, open to everyone.
 *
 * @module
 */
import * as v from "valibot";
import { define, type PublishedDocument } from "./services.ts";

/** What a client compares before it fetches the document again. */
export const documentMeta = v.pipe(
  v.strictObject({
    etag: v.pipe(
      v.string(),
      v.regex(/^[0-9a-f]{64}$/),
      v.description("SHA-256 of the document, as in its `ETag`."),
    ),
    generatedAt: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.description("When the document last changed."),
    ),
    pathCount: v.pipe(v.number(), v.integer(), v.description("Entries under `paths`.")),
    schemaCount: v.pipe(
      v.number(),
      v.integer(),
      v.description("Entries under `components.schemas`."),
    ),
  }),
  v.description("What a client compares before it fetches the document again."),
);

/** A document and its metadata as answers that caches may keep for a minute and then ask about. */
export function publish({ document, etag, meta, metaEtag }: {
  readonly document: string;
  readonly etag: string;
  readonly meta: string;
  readonly metaEtag: string;
}): Omit<PublishedDocument, "policyPage"> {
  const common = { cacheControl: "public, max-age=60, must-revalidate", constant: true };
  return {
    etag,
    document: { ...common, body: document, etag: `"${etag}"` },
    meta: { ...common, body: meta, etag: `"${metaEtag}"` },
  };
}

export const openapiEndpoints = [
  define({
    method: "GET",
    path: "/v2/openapi.json",
    operationId: "getOpenapiDocument",
    tag: "OpenAPI",
    summary: "Read this document",
    description:
      "The OpenAPI document of this API. No token is needed, and one that is sent is ignored.",
    response: v.pipe(v.looseObject({ openapi: v.string() }), v.description("An OpenAPI document.")),
    handle: (_call, { published }) => published.document,
  }),
  define({
    method: "GET",
    path: "/v2/openapi/meta",
    operationId: "getOpenapiMeta",
    tag: "OpenAPI",
    summary: "Read what identifies this document",
    description: "Tells whether the OpenAPI document changed, without fetching it.",
    response: documentMeta,
    handle: (_call, { published }) => published.meta,
  }),
];
