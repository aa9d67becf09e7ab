/**
 * The routes of `/v1`: each with the endpoint of `/v2` that handles it, or one of `/v1` alone.
 *
 * @module
 */
import * as v from "valibot";
import { type Endpoint, routeName } from "../http/endpoint.ts";
import { endpoints as coreEndpoints } from "../api/endpoints.ts";
import type { Services } from "../api/shared/services.ts";
import { fileUploadEndpoints } from "./file_uploads/endpoints.ts";
import { pageEndpoints } from "./pages/endpoints.ts";
import { readUser } from "./users/read_user.ts";
import { commentEndpoints } from "./comments/endpoints.ts";
import { createDataSource } from "./databases/create_data_source.ts";
import { databaseList } from "./databases/list_databases.ts";
import { listTemplates } from "./databases/list_templates.ts";
import { updatesDatabase, updatesDataSource } from "./databases/update.ts";
import { markdownUpdate } from "./markdown/update_markdown.ts";
import { withOwnUrls } from "./pages/property_items.ts";
import { ownRoute, route } from "./endpoint.ts";
import { answersEnhanced } from "./enhanced_markdown.ts";
import { vendorSearchInput } from "./search_input.ts";
import { listUsers } from "./users/list_users.ts";

const BEFORE_DATA_SOURCES = { until: "2022-06-28" };
const SINCE_DATA_SOURCES = { since: "2025-09-03" };

const MARKDOWN = answersEnhanced(core("GET /v2/pages/:page_id/content/markdown"));
const SEARCH = core("POST /v2/search");
const UPDATE_DATABASE = core("PATCH /v2/databases/:database_id");

export const notionEndpoints: readonly Endpoint<Services>[] = [
  route("GET /v1/pages/:page_id", core("GET /v2/pages/:page_id")),
  route(
    "GET /v1/pages/:page_id/properties/:property_id",
    withOwnUrls(core("GET /v2/pages/:page_id/properties/:property_id")),
  ),
  route("GET /v1/pages/:page_id/markdown", {
    ...MARKDOWN,
    // Recordings have no transcripts here.
    query: v.strictObject({ include_transcript: v.exactOptional(v.string()) }),
  }),
  ownRoute(markdownUpdate(MARKDOWN)),
  route("GET /v1/blocks/:block_id", core("GET /v2/blocks/:block_id")),
  route("PATCH /v1/blocks/:block_id", core("PATCH /v2/blocks/:block_id")),
  route("DELETE /v1/blocks/:block_id", core("DELETE /v2/blocks/:block_id")),
  route("GET /v1/blocks/:block_id/children", core("GET /v2/blocks/:block_id/children")),
  route("PATCH /v1/blocks/:block_id/children", core("PATCH /v2/blocks/:block_id/children")),
  ownRoute(databaseList(SEARCH), { until: "2021-08-16" }),
  route("POST /v1/databases", core("POST /v2/databases")),
  route("GET /v1/databases/:database_id", core("GET /v2/databases/:database_id")),
  route("PATCH /v1/databases/:database_id", updatesDatabase(UPDATE_DATABASE)),
  route(
    "POST /v1/databases/:database_id/query",
    core("POST /v2/databases/:database_id/query"),
    BEFORE_DATA_SOURCES,
  ),
  ownRoute(createDataSource, SINCE_DATA_SOURCES),
  route(
    "GET /v1/data_sources/:data_source_id",
    core("GET /v2/databases/:database_id"),
    SINCE_DATA_SOURCES,
  ),
  route(
    "PATCH /v1/data_sources/:data_source_id",
    updatesDataSource(UPDATE_DATABASE),
    SINCE_DATA_SOURCES,
  ),
  route(
    "POST /v1/data_sources/:data_source_id/query",
    core("POST /v2/databases/:database_id/query"),
    SINCE_DATA_SOURCES,
  ),
  ownRoute(listTemplates, SINCE_DATA_SOURCES),
  route("POST /v1/search", { ...SEARCH, body: vendorSearchInput }),
  ownRoute(listUsers),
  ownRoute(readUser),
  ...[...pageEndpoints, ...commentEndpoints, ...fileUploadEndpoints].map((endpoint) =>
    ownRoute(endpoint)
  ),
];

/** `METHOD path` of every route of `/v1`, for which the policy must have an alias. */
export const notionRoutes: readonly string[] = notionEndpoints.map(routeName);

/** Returns the endpoint of `/v2` with this name. */
function core(name: string): Endpoint<Services> {
  const found = coreEndpoints.find((endpoint) => routeName(endpoint) === name);
  if (found === undefined) throw new Error(`/v2 has no ${name}`);
  return found;
}
