/**
 * What clients of every version send although no version's types have it.
 *
 * @module
 */
import { toDatabaseParent } from "./data_source_references.ts";
import { isJson } from "./json.ts";
import type { NotionRequest } from "./step.ts";

/** Returns the request without what only some clients write; mostly the request itself. */
export function normalizeRequest(request: NotionRequest): NotionRequest {
  const { body, query, operation } = request;
  if (query === "" && body === undefined) return request;
  return {
    ...request,
    query: query === "" ? query : withoutNulls(query),
    body: isJson(body) ? normalBody(body, operation) : body,
  };
}

/** Clients that write a null cursor into a query write it as text. */
function withoutNulls(query: string): string {
  return query.split("&").filter((part) => !/^start_cursor=(?:null|undefined)?$/.test(part))
    .join("&");
}

function normalBody(body: Record<string, unknown>, operation: string): unknown {
  if (operation === "createPage" || operation === "movePage") return toDatabaseParent(body);
  const { page_size: size } = body;
  if (typeof size !== "string" || !/^\d{1,3}$/.test(size)) return body;
  return { ...body, page_size: Number(size) };
}
