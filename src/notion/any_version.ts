/**
 * Input that clients of every version send although no version's types have it.
 *
 * @module
 */
import { toDatabaseParent } from "./data_source_references.ts";
import { LIMITS } from "../content/values/limits.ts";
import { validationError } from "../shared/errors.ts";
import { bodyIssue } from "../shared/validation_issue.ts";
import { type Rest, withRests } from "../shared/yield_to_event_loop.ts";
import { isJson, objectsIn } from "./json.ts";
import type { Json, NotionRequest } from "./step.ts";

/**
 * Returns the request without what only some clients write; mostly the request itself. May change
 * its body in place. Lets others run between the conditions of a long filter.
 */
export async function normalizeRequest(
  request: NotionRequest,
  { userId, rest }: Normalizing,
): Promise<NotionRequest> {
  const { body, query, operation } = request;
  if (query === "" && body === undefined) return request;
  if (operation === "queryDatabase" && isJson(body)) {
    await withRests(nameCaller(body["filter"], userId), rest);
  }
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

type Body = Record<string, unknown>;

/** How clients call the caller. */
const ME = "me";

interface Normalizing {
  /** ID of the caller. */
  readonly userId: string;
  readonly rest: Rest;
}

function normalBody(body: Body, operation: string): unknown {
  if (operation === "createPage" || operation === "movePage") return toDatabaseParent(body);
  return operation === "search" ? normalSearch(withNumber(body)) : withNumber(body);
}

/** Members of a filter whose conditions are on people. */
const PEOPLE = ["people", "created_by", "last_edited_by"];

/** Writes the ID of the caller into a filter in place of `me`. */
function* nameCaller(filter: unknown, userId: string): Generator<void, void, void> {
  const parts = partsOf(filter);
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    for (const [key, value] of Object.entries(part)) {
      if (PEOPLE.includes(key) && isJson(value)) nameInCondition(value, userId);
      else for (const inner of partsOf(value)) parts.push(inner);
    }
    yield;
  }
}

/** Returns an object, or those in a list. One that is too long is left to the schema, which refuses it. */
function partsOf(value: unknown): Json[] {
  return isJson(value) ? [value] : objectsIn(value, LIMITS.filterConditions);
}

function nameInCondition(condition: Json, userId: string): void {
  for (const [operator, id] of Object.entries(condition)) {
    if (id === ME) condition[operator] = userId;
  }
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
