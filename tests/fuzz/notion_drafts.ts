/**
 * Requests of `/v1` as a client means them: those of `/v2` in a version of the vendor's wire format, and
 * bodies written here for the routes that only `/v1` has.
 *
 * @module
 */
import fc from "fast-check";
import { notionEndpoints } from "../../src/notion/routes.ts";
import { CORE, VERSION_NAMES } from "../../src/notion/versions.ts";
import type { Contract, Operation } from "../support/contract.ts";
import {
  type Draft,
  draftOf,
  MARKDOWN,
  pathOf,
  type Sources,
  sourcesOf,
  weightOf,
} from "./drafts.ts";
import type { World } from "./world.ts";

const UNKNOWN_VERSIONS = ["2020-01-01", "2099-01-01", `${CORE} `, "2022-6-28", "x", ""];
/** The first version with data sources, and the first one whose blocks have `rich_text`. */
const [DATA_SOURCES, RICH_TEXT] = ["2025-09-03", "2022-02-22"];
/** Operations whose members had the name `text` before. */
const TEXT_OPERATIONS = ["updateBlock", "appendBlockChildren", "queryDatabase"];

/** Drafts of every route of `/v1`, most of them in a version that has it. */
export function notionDraftsOf(contract: Contract, world: World): fc.Arbitrary<Draft> {
  const sources = sourcesOf(contract, world);
  return fc.oneof(
    ...operationsIn(contract).map((operation) => ({
      weight: weightOf(operation),
      arbitrary: fc.tuple(routeDraft(operation, sources), versionFor(operation))
        .map(([draft, version]) => inVersion(draft, version)),
    })),
  );
}

function versionFor({ template }: Operation): fc.Arbitrary<string | undefined> {
  const later = VERSION_NAMES.filter((name) => name >= DATA_SOURCES);
  const usual = template.startsWith("/v1/data_sources") ? later : VERSION_NAMES;
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...usual) },
    { weight: 2, arbitrary: fc.constantFrom(...VERSION_NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, ...UNKNOWN_VERSIONS) },
  );
}

/** The routes of `/v1`, with the request bodies of the operations of `/v2` that handle them. */
function operationsIn({ operations }: Contract): Operation[] {
  return notionEndpoints.map(({ method, path, operationId }) => ({
    method,
    operationId,
    template: path.replaceAll(/:(\w+)/g, "{$1}"),
    pattern: /^/,
    value: operations.find((one) => one.operationId === operationId)?.value ?? {},
  }));
}

function routeDraft(operation: Operation, sources: Sources): fc.Arbitrary<Draft> {
  const { template, operationId } = operation;
  const body = OWN_BODIES[operationId];
  const draft = body === undefined
    ? draftOf(operation, sources)
    : fc.tuple(pathOf(template), body).map(([path, body]) => ({ operation, path, body }));
  if (operationId === "listComments") return draft.map(onPage);
  return template.startsWith("/v1/data_sources/") ? draft.map(onDataSource) : draft;
}

function onPage({ path, ...draft }: Draft): Draft {
  return { ...draft, path: `${path}?block_id=<page>` };
}

/** The same request on the data source of the database that it was meant for. */
function onDataSource({ path, ...draft }: Draft): Draft {
  return {
    ...draft,
    path: path.replace("<table>", "<source>").replace("<database>", "<data_source>"),
  };
}

const rich_text = fc.string({ maxLength: 12 }).map((content) => [{ text: { content } }]);
const markdown = fc.constantFrom(...MARKDOWN);
const parent = fc.constantFrom({ page_id: "<home>" }, { page_id: "<page>" });

/** Bodies of the operations that the document does not have. */
const OWN_BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  updatePageMarkdown: fc.oneof(
    markdown.map((content) => ({ type: "insert_content", insert_content: { content } })),
    markdown.map((new_str) => ({ type: "replace_content", replace_content: { new_str } })),
    markdown.map((new_str) => ({
      type: "update_content",
      update_content: { content_updates: [{ old_str: "b", new_str, replace_all_matches: true }] },
    })),
    markdown.map((content) => ({
      type: "replace_content_range",
      replace_content_range: { content, content_range: "a...b" },
    })),
  ),
  movePage: parent.map((parent) => ({ parent })),
  createComment: fc.record({ parent, rich_text }),
  updateComment: fc.record({ rich_text }),
  createDataSource: fc.constant({ parent: { database_id: "<database>" }, properties: {} }),
  createFileUpload: fc.record({
    mode: fc.constantFrom("single_part", "multi_part"),
    filename: fc.constantFrom("a.txt", "b.png", "c"),
    content_type: fc.constantFrom("text/plain", "image/png"),
    number_of_parts: fc.integer({ min: 0, max: 3 }),
  }, { requiredKeys: [] }),
};

/** The request in the words of this version; undefined is none. */
function inVersion(draft: Draft, version: string | undefined): Draft {
  if (version === undefined) return draft;
  const body = draft.body === undefined ? undefined : JSON.stringify(draft.body);
  return {
    ...draft,
    headers: { "notion-version": version },
    body: body && toVersion(body, { version, operationId: draft.operation.operationId }),
  };
}

interface Wording {
  readonly version: string;
  readonly operationId: string;
}

function toVersion(json: string, { version, operationId }: Wording): unknown {
  if (version < RICH_TEXT && TEXT_OPERATIONS.includes(operationId)) {
    return JSON.parse(json.replaceAll('"rich_text":', '"text":'));
  }
  if (version < DATA_SOURCES) return JSON.parse(json);
  const body = JSON.parse(
    json.replaceAll('{"database_id":"<table>"}', '{"data_source_id":"<source>"}'),
  );
  if (operationId !== "createDatabase") return body;
  const { properties, ...others } = body;
  return { ...others, initial_data_source: { properties } };
}
