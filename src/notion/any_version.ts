/**
 * What clients of every version send although no version's types have it.
 *
 * @module
 */
import { toDatabaseParent } from "./data_source_references.ts";
import { validationError } from "../shared/errors.ts";
import { bodyIssue } from "../shared/validation_issue.ts";
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
  if (operation === "search") return normalSearch(withNumber(body));
  return withNumber(body);
}

type Body = Record<string, unknown>;

/** Clients write sizes as text, too. */
function withNumber(body: Body): Body {
  const { page_size: size } = body;
  if (typeof size !== "string" || !/^\d{1,3}$/.test(size)) return body;
  return { ...body, page_size: Number(size) };
}

/** Best match first is the order without any; and nothing in the trash is found anyway. */
function normalSearch(body: Body): Body {
  const { sort, filter, ...others } = body;
  const isRelevance = isJson(sort) && sort["property"] === "relevance";
  return {
    ...others,
    ...(sort !== undefined && !isRelevance && { sort }),
    ...normalFilter(filter),
  };
}

function normalFilter(filter: unknown): Body {
  if (filter === undefined) return {};
  if (!isJson(filter) || filter["in_trash"] === undefined) return { filter };
  const { in_trash: inTrash, ...others } = filter;
  if (inTrash !== false) {
    const expected = "`false`: objects in the trash are not searched";
    throw validationError([bodyIssue("/filter/in_trash", { expected, received: inTrash })]);
  }
  return Object.keys(others).length === 0 ? {} : { filter: others };
}
