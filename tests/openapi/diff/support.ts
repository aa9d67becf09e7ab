/**
 * Small documents around the schemas that a test is about.
 *
 * @module
 */
import { type Change, diffDocuments } from "../../../src/cli/openapi/diff/documents.ts";
import type { Side } from "../../../src/cli/openapi/diff/finding.ts";
import type { JsonObject } from "../../../src/cli/openapi/json.ts";

export const ROUTE = "POST /things";

/** A document of one operation, which has these members. */
export function documentOf(operation: JsonObject, schemas: JsonObject = {}): JsonObject {
  return {
    openapi: "3.1.1",
    paths: { "/things": { post: { operationId: "makeThing", responses: {}, ...operation } } },
    components: { schemas },
  };
}

/** A document whose one operation takes or answers what a schema describes. */
export function documentAbout(side: Side, schema: unknown, schemas: JsonObject = {}): JsonObject {
  const content = { "application/json": { schema } };
  return documentOf(
    side === "request" ? { requestBody: { content } } : { responses: { 200: { content } } },
    schemas,
  );
}

/** Returns the changes between two schemas of one side, as lines; `!` marks breaking ones. */
export function changesOf(side: Side, before: unknown, after: unknown): string[] {
  return linesOf(diffDocuments(documentAbout(side, before), documentAbout(side, after)));
}

/** Changes as lines, without the routes that show them. */
export function linesOf(changes: readonly Change[]): string[] {
  return changes.map(({ schema, place, detail, isBreaking }) => {
    const where = [schema, place.replace(/^(?:body|200)\.?/, "")].filter(Boolean).join(" ");
    return `${isBreaking ? "! " : ""}${where === "" ? "" : `${where}: `}${detail}`;
  });
}
