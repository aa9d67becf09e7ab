/**
 * References to data sources in requests, as references to their databases.
 *
 * @module
 */
import * as v from "valibot";
import { idInput } from "../content/values/ids.ts";
import { validationError, type ValidationIssue } from "../shared/errors.ts";
import { bodyIssue, type InputRoot, issueSentence, pointerTo } from "../shared/validation_issue.ts";
import { databaseIdOf } from "./data_source_ids.ts";
import { isJson } from "./json.ts";
import type { Json, NotionRequest } from "./step.ts";

/** Returns a request whose path names a database if it names a data source. */
export function toDatabasePath(request: NotionRequest): NotionRequest {
  const { data_source_id: id, ...params } = request.params;
  if (id === undefined) return request;
  const database_id = databaseIdAt(id, { root: "path", pointer: "/data_source_id" });
  // The other parameter stays, to tell that the reply is a data source.
  return { ...request, params: { ...params, database_id } };
}

/** Returns a body whose parent is a database if it is a data source. */
export function toDatabaseParent(body: Json): Json {
  const { parent } = body;
  if (!isJson(parent) || parent["data_source_id"] === undefined) return body;
  const { data_source_id: id, database_id: _, type: __, ...others } = parent;
  const database_id = databaseIdAt(id, { root: "body", pointer: "/parent/data_source_id" });
  return { ...body, parent: { ...others, type: "database_id", database_id } };
}

/**
 * Returns the properties of a data source with relations to databases. Throws `validation_error` if
 * a relation names no data source.
 */
export function toDatabaseRelations(properties: unknown, pointer: string): unknown {
  if (!isJson(properties)) return properties;
  const issues: ValidationIssue[] = [];
  const entries = Object.entries(properties).map(([name, property]) => {
    if (!isJson(property) || !isJson(property["relation"])) return [name, property] as const;
    const { data_source_id: id, database_id: _, ...config } = property["relation"];
    const here = `${pointerTo(pointer, name)}/relation/data_source_id`;
    if (!isId(id)) {
      const expected = id === undefined ? "defined" : "a valid uuid";
      issues.push(bodyIssue(here, { expected, received: id }));
      return [name, property] as const;
    }
    return [name, { ...property, relation: { database_id: databaseIdOf(id), ...config } }] as const;
  });
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(entries);
}

interface Place {
  readonly root: InputRoot;
  readonly pointer: string;
}

function databaseIdAt(id: unknown, { root, pointer }: Place): string {
  if (isId(id)) return databaseIdOf(id);
  const detail = issueSentence({ root, pointer, expected: "a valid uuid", received: id });
  throw validationError([{ pointer, detail }]);
}

function isId(id: unknown): id is string {
  return v.is(idInput, id);
}
