/**
 * Input that clients of every version send although no version's types have it.
 *
 * @module
 */
import { toDatabaseParent } from "./data_source_references.ts";
import { validationError } from "../shared/errors.ts";
import { bodyIssue } from "../shared/validation_issue.ts";
import { isJson } from "./json.ts";
import type { NotionRequest } from "./step.ts";

/** Returns the request without what only some clients write; mostly the request itself. */
export function normalizeRequest(request: NotionRequest, { userId }: CallerId): NotionRequest {
  const { body, query, operation } = request;
  if (query === "" && body === undefined) return request;
  return {
    ...request,
    query: query === "" ? query : withoutNulls(query),
    body: isJson(body) ? normalBody(body, { operation, userId }) : body,
  };
}

/** Clients that write a null cursor into a query write it as text. */
function withoutNulls(query: string): string {
  return query.split("&").filter((part) => !/^start_cursor=(?:null|undefined)?$/.test(part))
    .join("&");
}

type Body = Record<string, unknown>;

/** How clients call the caller. */
const ME = "me";

interface CallerId {
  readonly userId: string;
}

interface Normalizing extends CallerId {
  readonly operation: string;
}

function normalBody(body: Body, { operation, userId }: Normalizing): unknown {
  if (operation === "createPage" || operation === "movePage") return toDatabaseParent(body);
  if (operation === "search") return normalSearch(withNumber(body));
  const numbered = withNumber(body);
  if (operation !== "queryDatabase" || !isJson(body["filter"])) return numbered;
  return { ...numbered, filter: withCaller(body["filter"], userId) };
}

/** Members of a filter whose conditions are on people. */
const PEOPLE = ["people", "created_by", "last_edited_by"];

/** Returns a filter with the ID of the caller, whom clients call `me`. */
function withCaller(filter: unknown, userId: string): unknown {
  if (Array.isArray(filter)) return filter.map((part) => withCaller(part, userId));
  if (!isJson(filter)) return filter;
  const members = Object.entries(filter).map(([key, value]) => {
    if (!PEOPLE.includes(key) || !isJson(value)) return [key, withCaller(value, userId)];
    const conditions = Object.entries(value).map((
      [operator, id],
    ) => [operator, id === ME ? userId : id]);
    return [key, Object.fromEntries(conditions)];
  });
  return Object.fromEntries(members);
}

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
