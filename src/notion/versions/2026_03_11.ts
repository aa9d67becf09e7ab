/**
 * Version 2026-03-11: trashed objects say so in `in_trash` alone, and blocks are appended at a
 * `position`.
 *
 * @module
 */
import { bodyIssue } from "../../shared/validation_issue.ts";
import { validationError } from "../../shared/errors.ts";
import { isJson, repliedObjects } from "../json.ts";
import type { Json, NotionRequest, VersionStep } from "../step.ts";

export const v2026_03_11: VersionStep = {
  version: "2026-03-11",
  request: refuseOldNames,
  reply: removeArchived,
};

/** The names that this version no longer takes, by operation. */
const APPEND = "appendBlockChildren";

function refuseOldNames(request: NotionRequest): NotionRequest {
  const { body, operation } = request;
  if (!isJson(body)) return request;
  const names = operation === APPEND ? ["archived", "after"] : ["archived"];
  const issues = names.filter((name) => Object.hasOwn(body, name)).map((name) =>
    bodyIssue(`/${name}`, { expected: "not present", received: body[name] })
  );
  if (issues.length > 0) throw validationError(issues);
  return request;
}

function removeArchived(body: Json): Json {
  for (const object of repliedObjects(body)) delete object["archived"];
  return body;
}
