/**
 * The API's own document, open to everyone.
 *
 * @module
 */
import * as v from "valibot";
import { toEncodable } from "../../http/encoding.ts";
import { define, type PublishedDocument } from "../shared/services.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000));

/** What a client compares before it fetches the document again. */
export const documentMeta = v.pipe(
  v.strictObject({
    etag: v.pipe(
      v.string(),
      v.regex(/^[0-9a-f]{64}$/),
      v.maxLength(64),
      v.description("SHA-256 of the document, as in its `ETag`."),
    ),
    generatedAt: v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.description("When the document last changed."),
    ),
    pathCount: v.pipe(count, v.description("Entries under `paths`.")),
    schemaCount: v.pipe(
      count,
      v.description("Entries under `components.schemas`."),
    ),
  }),
  v.description("What a client compares before it fetches the document again."),
);

const openapiDocument = v.pipe(
  v.looseObject({
    openapi: v.string(),
    info: v.looseObject({ title: v.string(), version: v.string() }),
    paths: v.record(v.string(), v.looseObject({})),
  }),
  v.description("An OpenAPI document."),
);

/** A document and its metadata as answers that caches may keep for a minute and then ask about. */
export function publish({ document, etag, meta, metaEtag }: {
  readonly document: string;
  readonly etag: string;
  readonly meta: string;
  readonly metaEtag: string;
}): Omit<PublishedDocument, "policyPage"> {
  const common = { cacheControl: "public, max-age=60, must-revalidate", constant: true };
  const made = { ...common, body: document, etag: `"${etag}"` };
  const described = { ...common, body: meta, etag: `"${metaEtag}"` };
  return { etag, document: toEncodable(made), meta: toEncodable(described) };
}

export const openapiEndpoints = [
  define({
    method: "GET",
    path: "/v2/openapi.json",
    operationId: "getOpenapiDocument",
    tag: "OpenAPI",
    summary: "Read the OpenAPI document",
    description:
      "The OpenAPI document of this API. No token is needed, and one that is sent is ignored.",
    response: openapiDocument,
    handle: (_call, { published }) => published.document,
  }),
  define({
    method: "GET",
    path: "/v2/openapi/meta",
    operationId: "getOpenapiMeta",
    tag: "OpenAPI",
    summary: "Read the document's metadata",
    description: "Tells whether the OpenAPI document changed, without fetching it.",
    response: documentMeta,
    handle: (_call, { published }) => published.meta,
  }),
];
