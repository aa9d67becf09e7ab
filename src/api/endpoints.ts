/**
 * Every endpoint in one list, which router, validation, policy and OpenAPI document read.
 *
 * @module
 */
import { type Endpoint, routeName } from "../http/endpoint.ts";
import { webEndpoints } from "../web/endpoints.ts";
import { blockEndpoints } from "./blocks/endpoints.ts";
import { databaseEndpoints } from "./databases/endpoints.ts";
import { fileContentEndpoints } from "./files/endpoints.ts";
import { fileEndpoints } from "./files/upload_url.ts";
import { markdownEndpoints } from "./pages/markdown.ts";
import { openapiEndpoints } from "./meta/openapi.ts";
import { operationEndpoints } from "./meta/operations.ts";
import { pageEndpoints } from "./pages/endpoints.ts";
import { propertyEndpoints } from "./pages/properties.ts";
import { queryEndpoints } from "./databases/query.ts";
import { searchEndpoints, semanticEndpoints } from "./search/endpoints.ts";
import type { Services } from "./shared/services.ts";
import { userEndpoints } from "./users/endpoints.ts";

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

/** `METHOD path` of every endpoint that the policy must have a rule for. */
export const policyRoutes: readonly string[] = endpoints.filter(({ operational }) => !operational)
  .map(routeName);
