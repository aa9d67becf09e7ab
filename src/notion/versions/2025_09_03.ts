/**
 * Version 2025-09-03: a database contains data sources, which have the properties and the rows.
 * Here each database has one.
 *
 * @module
 */
import { AppError, notFound, validationError, type ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";
import { dataSourceIdOf } from "../data_source_ids.ts";
import { isJson, membersOf, rename, repliedObjects } from "../json.ts";
import type { Json, NotionRequest, StepContext, VersionStep } from "../step.ts";
import {
  toDatabaseParent,
  toDatabasePath,
  toDatabaseRelations,
} from "../data_source_references.ts";

export const v2025_09_03: VersionStep = { version: "2025-09-03", request, reply, error };

function request(sent: NotionRequest): NotionRequest {
  const { operation, body, params } = sent;
  const onDatabase = toDatabasePath(sent);
  if (!isJson(body)) return onDatabase;
  const isSource = Object.hasOwn(params, SOURCE);
  return { ...onDatabase, body: REQUESTS[operation]?.(body, isSource) ?? body };
}

/** Translates the request body of each operation. */
const REQUESTS: Readonly<Record<string, (body: Json, isSource: boolean) => Json>> = {
  createPage: toDatabaseParent,
  createDatabase,
  updateDatabase,
  queryDatabase: ({ result_type: _, ...body }) => body,
  search: toDatabaseSearch,
};

/** The first data source of a new database has its properties. */
function createDatabase({ initial_data_source: source = {}, ...body }: Json): Json {
  refuse(body, ["properties"]);
  if (!isJson(source)) {
    throw invalid("/initial_data_source", "an object", source);
  }
  const { properties = { Name: { title: {} } }, ...others } = source;
  refuse(others, Object.keys(others), "/initial_data_source");
  return {
    ...body,
    properties: toDatabaseRelations(properties, "/initial_data_source/properties"),
  };
}

/** A database has the look, its data source the properties; the title belongs to both. */
function updateDatabase(body: Json, isSource: boolean): Json {
  if (isSource) {
    const { properties } = body;
    if (properties === undefined) return body;
    return { ...body, properties: toDatabaseRelations(properties, "/properties") };
  }
  refuse(body, ["properties"]);
  return body;
}

/** The parameter of paths on data sources. */
const SOURCE = "data_source_id";

function toDatabaseSearch(body: Json): Json {
  const { filter } = body;
  if (!isJson(filter) || filter["property"] !== "object") return body;
  const { value } = filter;
  if (value === "page") return body;
  if (value !== "data_source") {
    throw invalid("/filter/value", '`"page"` or `"data_source"`', value);
  }
  return { ...body, filter: { ...filter, value: "database" } };
}

function refuse(body: Json, names: readonly string[], pointer = ""): void {
  const issues = names.filter((name) => Object.hasOwn(body, name)).map((name) =>
    bodyIssue(`${pointer}/${name}`, { expected: "not present", received: body[name] })
  );
  if (issues.length > 0) throw validationError(issues);
}

function invalid(pointer: string, expected: string, received: unknown): AppError {
  return validationError([bodyIssue(pointer, { expected, received })]);
}

function reply(body: Json, { sent }: StepContext): Json {
  if (body["type"] === "page_or_database") {
    rename(body, "page_or_database", "page_or_data_source");
    body["type"] = "page_or_data_source";
    if (isJson(sent.body) && sent.body["result_type"] === "data_source") noResults(body);
  }
  const isSource = Object.hasOwn(sent.params, SOURCE) || body["object"] === "list";
  const replaced = repliedObjects(body).map((object) => toReplied(object, isSource));
  if (body["object"] !== "list") return replaced[0] ?? body;
  return { ...body, results: replaced };
}

/** Only a wiki has data sources among its rows. */
function noResults(body: Json): void {
  Object.assign(body, { results: [], next_cursor: null, has_more: false });
}

function toReplied(object: Json, isSource: boolean): Json {
  if (object["object"] === "database") return isSource ? toDataSource(object) : toContainer(object);
  if (object["object"] === "page") {
    Object.assign(object, { is_archived: false, is_locked: object["is_locked"] ?? false });
  }
  if (object["object"] === "block") addIcon(object);
  if (object["object"] === "page" || object["object"] === "block") addSourceOfParent(object);
  return object;
}

/** Later versions have a member for the icon of a paragraph, which has none here. */
function addIcon({ paragraph }: Json): void {
  if (isJson(paragraph)) paragraph["icon"] ??= null;
}

function addSourceOfParent({ parent }: Json): void {
  if (!isJson(parent) || parent["type"] !== "database_id") return;
  const databaseId = String(parent["database_id"]);
  delete parent["database_id"];
  Object.assign(parent, {
    type: SOURCE,
    data_source_id: dataSourceIdOf(databaseId),
    database_id: databaseId,
  });
}

function toContainer(
  { properties: _, created_by: __, last_edited_by: ___, ...database }: Json,
): Json {
  const id = dataSourceIdOf(String(database["id"]));
  return {
    ...database,
    is_locked: database["is_locked"] ?? false,
    data_sources: [{ id, name: plainText(database["title"]) }],
  };
}

function toDataSource({ is_locked: _, ...database }: Json): Json {
  const { properties } = database;
  for (const { relation } of membersOf(properties)) {
    if (isJson(relation)) {
      relation[SOURCE] = dataSourceIdOf(String(relation["database_id"]));
    }
  }
  return {
    ...database,
    object: "data_source",
    id: dataSourceIdOf(String(database["id"])),
    parent: { type: "database_id", database_id: database["id"] },
    database_parent: database["parent"],
  };
}

function plainText(title: unknown): string {
  const items: unknown[] = Array.isArray(title) ? title : [];
  return items.map((item) => isJson(item) ? String(item["plain_text"]) : "").join("");
}

const MISSING_DATABASE = /^Could not find database with ID: ([0-9a-f-]{36})/;

/** Names what the client named: its data source, and where it wrote the properties. */
function error(thrown: AppError, { sent }: StepContext): AppError {
  const missing = MISSING_DATABASE.exec(thrown.message)?.[1];
  if (Object.hasOwn(sent.params, SOURCE) && missing !== undefined) {
    return notFound("data_source", dataSourceIdOf(missing));
  }
  const issues = thrown.members["errors"];
  if (thrown.code !== "validation_error" || sent.operation !== "createDatabase") return thrown;
  // Sound because `validationError()` sets them.
  return issues === undefined ? thrown : validationError(
    (issues as readonly ValidationIssue[]).map(({ pointer, detail }) => ({
      pointer: pointer.replace(/^\/properties/, "/initial_data_source/properties"),
      detail: detail.replace("body.properties", "body.initial_data_source.properties"),
    })),
  );
}
