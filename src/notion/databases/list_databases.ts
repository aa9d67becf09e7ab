/**
 * The list of databases, which the oldest versions had in place of a search.
 *
 * @module
 */
import * as v from "valibot";
import type { Endpoint } from "../../http/endpoint.ts";
import { pagination } from "../../api/shared/lists.ts";
import type { Services } from "../../api/shared/services.ts";
import { own } from "../endpoint.ts";

/** Declares the endpoint; `search` is the one that finds them. */
export function databaseList(search: Endpoint<Services>): Endpoint<Services> {
  return own({
    method: "GET",
    path: "/v1/databases",
    operationId: "listDatabases",
    query: v.strictObject(pagination),
    response: search.response,
    handle: (call, services) => {
      const filter = { property: "object", value: "database" };
      return search.handle(
        { ...call, query: undefined, body: { ...call.query, filter } },
        services,
      );
    },
  });
}
