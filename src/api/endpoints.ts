/**
 * Every endpoint, in one array: router, validation, policy and document all read it.
 *
 * @module
 */
import type { AnySchema, Endpoint } from "../http/endpoint.ts";
import { blockEndpoints } from "./blocks.ts";
import { databaseEndpoints } from "./databases.ts";
import { fileContentEndpoints } from "./file_contents.ts";
import { fileEndpoints } from "./files.ts";
import { markdownEndpoints } from "./markdown.ts";
import { openapiEndpoints } from "./openapi.ts";
import { operationEndpoints } from "./operations.ts";
import { pageEndpoints } from "./pages.ts";
import { propertyEndpoints } from "./properties.ts";
import { queryEndpoints } from "./query.ts";
import { schemas as named } from "./schemas.ts";
import type { Services } from "./services.ts";
import { siteEndpoints } from "./site.ts";
import { unbuiltEndpoints } from "./unbuilt.ts";
import { userEndpoints } from "./users.ts";

export const endpoints: readonly Endpoint<Services>[] = [
  ...userEndpoints,
  ...pageEndpoints,
  ...propertyEndpoints,
  ...markdownEndpoints,
  ...blockEndpoints,
  ...databaseEndpoints,
  ...queryEndpoints,
  ...fileEndpoints,
  ...unbuiltEndpoints,
  ...openapiEndpoints,
  ...operationEndpoints,
  ...siteEndpoints,
  ...fileContentEndpoints,
];

/** The schemas that the document names, by their name in it. */
export const schemas: Readonly<Record<string, AnySchema>> = named;
