/**
 * Every endpoint, in one array: router, validation, policy and document all read it.
 *
 * @module
 */
import { type AnySchema, type Endpoint, routeName } from "../http/endpoint.ts";
import { webEndpoints } from "../web/endpoints.ts";
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
import { searchEndpoints } from "./search.ts";
import { semanticEndpoints } from "./semantic.ts";
import type { Services } from "./services.ts";
import { userEndpoints } from "./users.ts";

export const endpoints: readonly Endpoint<Services>[] = [
  ...userEndpoints,
  ...pageEndpoints,
  ...propertyEndpoints,
  ...markdownEndpoints,
  ...blockEndpoints,
  ...databaseEndpoints,
  ...queryEndpoints,
  ...searchEndpoints,
  ...semanticEndpoints,
  ...fileEndpoints,
  ...openapiEndpoints,
  ...operationEndpoints,
  ...webEndpoints,
  ...fileContentEndpoints,
];

/** The schemas that the document names, by their name in it. */
export const schemas: Readonly<Record<string, AnySchema>> = named;

/** `METHOD path` of every endpoint that a policy must have a rule for. */
export const policyRoutes: readonly string[] = endpoints.filter(({ operational }) => !operational)
  .map(routeName);
