/**
 * The differences between two operations of one method and path: names, security, parameters,
 * request bodies and responses.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";
import type { Finding, Pair, Side } from "./finding.ts";
import type { SchemaReader } from "./shapes.ts";
import type { CompareSchemas } from "./unions.ts";

export interface OperationComparing {
  readonly documents: Pair<JsonObject>;
  readonly readers: Pair<SchemaReader>;
  readonly compareSchemas: Readonly<Record<Side, CompareSchemas>>;
}

export function* compareOperations(
  operations: Pair<JsonObject>,
  comparing: OperationComparing,
): Generator<Finding> {
  yield* compareNames(operations);
  yield* compareSecurity(operations, comparing.documents);
  yield* compareParameters(operations, comparing);
  yield* compareBodies(operations, comparing);
  yield* compareResponses(operations, comparing);
}

function* compareNames({ before, after }: Pair<JsonObject>): Generator<Finding> {
  const [was, is] = [before["operationId"], after["operationId"]];
  // Generated clients name their methods by it.
  if (was !== is) {
    yield { place: "operationId", detail: `${was ?? "none"} → ${is ?? "none"}`, isBreaking: true };
  }
  if (after["deprecated"] === true && before["deprecated"] !== true) {
    yield { place: "", detail: "is deprecated", isBreaking: false };
  }
}

/** Sets of scopes, each of which is sufficient. An empty set opens the operation to everyone. */
type Alternatives = readonly ReadonlySet<string>[];

/** Compares security requirements. An operation without any has those of its document. */
function* compareSecurity(
  operations: Pair<JsonObject>,
  documents: Pair<JsonObject>,
): Generator<Finding> {
  const before = alternativesOf(operations.before, documents.before);
  const after = alternativesOf(operations.after, documents.after);
  const place = "security";
  for (const lost of before.filter((one) => !isEnough(one, after))) {
    yield { place, detail: `no longer open to ${inWords(lost)}`, isBreaking: true };
  }
  for (const gained of after.filter((one) => !isEnough(one, before))) {
    yield { place, detail: `open to ${inWords(gained)}`, isBreaking: false };
  }
}

function isEnough(held: ReadonlySet<string>, alternatives: Alternatives): boolean {
  return alternatives.some((needed) => needed.isSubsetOf(held));
}

function alternativesOf(operation: JsonObject, document: JsonObject): Alternatives {
  const security = operation["security"] ?? document["security"];
  const list = Array.isArray(security) ? security.filter(isSchema) : [];
  return list.length === 0 ? [new Set()] : list.map(scopesOf);
}

/** Counts the scheme itself as a scope: without it a caller has none of its scopes. */
function scopesOf(requirement: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(requirement).flatMap(([scheme, scopes]) => [
      scheme,
      ...(Array.isArray(scopes) ? scopes.map((scope) => `${scheme} ${scope}`) : []),
    ]),
  );
}

function inWords(held: ReadonlySet<string>): string {
  const scopes = [...held].filter((one) => one.includes(" "));
  if (held.size === 0) return "everyone";
  return (scopes.length === 0 ? [...held] : scopes).join(" + ");
}

function* compareParameters(
  operations: Pair<JsonObject>,
  { readers, compareSchemas }: OperationComparing,
): Generator<Finding> {
  const before = parametersOf(operations.before, readers.before);
  const after = parametersOf(operations.after, readers.after);
  for (const [place, was] of before) {
    const is = after.get(place);
    if (is === undefined) yield { place, detail: "is gone", isBreaking: true };
    else {
      yield* compareForms({ before: was, after: is }, place);
      yield* compareSchemas.request({ before: was["schema"], after: is["schema"] }, place);
    }
  }
  for (const [place, is] of after) {
    if (before.has(place)) continue;
    const isBreaking = is["required"] === true;
    yield { place, detail: isBreaking ? "is new and must be there" : "is new", isBreaking };
  }
}

/** Keywords that decide how a parameter is serialized. */
const FORMS = ["style", "explode", "allowReserved", "content"];

function* compareForms({ before, after }: Pair<JsonObject>, place: string): Generator<Finding> {
  const [was, is] = [before["required"] === true, after["required"] === true];
  if (was !== is) {
    yield { place, detail: is ? "must be there" : "may be left out", isBreaking: is };
  }
  for (const form of FORMS) {
    if (!isDeepStrictEqual(before[form], after[form])) {
      yield { place, detail: `is written otherwise (${form})`, isBreaking: true };
    }
  }
}

/** Returns parameters by location and name. Names of headers are in lower case. */
function parametersOf(
  { parameters }: JsonObject,
  reader: SchemaReader,
): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(parameters) ? parameters.map(reader.resolve) : [];
  return new Map(
    list.map((one) => {
      const name = one["in"] === "header" ? String(one["name"]).toLowerCase() : one["name"];
      return [`${one["in"]} ${name}`, one];
    }),
  );
}

const BODY = "body";

function* compareBodies(
  operations: Pair<JsonObject>,
  { readers, compareSchemas }: OperationComparing,
): Generator<Finding> {
  const before = readers.before.resolve(operations.before["requestBody"]);
  const after = readers.after.resolve(operations.after["requestBody"]);
  const [was, is] = [before["required"] === true, after["required"] === true];
  if (was !== is) {
    yield { place: BODY, detail: is ? "must be there" : "may be left out", isBreaking: is };
  }
  const bodies = { before, after };
  yield* compareContent(bodies, { place: BODY, compareSchemas: compareSchemas.request });
}

interface ContentComparing {
  readonly place: string;
  readonly compareSchemas: CompareSchemas;
}

/** Compares the `content` of two request bodies or responses. */
function* compareContent(
  bodies: Pair<JsonObject>,
  { place, compareSchemas }: ContentComparing,
): Generator<Finding> {
  const [before, after] = [schemasOf(bodies.before), schemasOf(bodies.after)];
  for (const [type, schema] of before) {
    if (after.has(type)) yield* compareSchemas({ before: schema, after: after.get(type) }, place);
    else yield { place, detail: `no longer ${type}`, isBreaking: true };
  }
  for (const type of after.keys()) {
    if (!before.has(type)) yield { place, detail: `also ${type}`, isBreaking: false };
  }
}

/** Returns the schema of each media type. A missing one allows any value. */
function schemasOf({ content }: JsonObject): ReadonlyMap<string, unknown> {
  const types = isSchema(content) ? Object.entries(content) : [];
  return new Map(
    types.map(([type, media]) => [type, isSchema(media) ? media["schema"] : undefined]),
  );
}

function* compareResponses(
  operations: Pair<JsonObject>,
  comparing: OperationComparing,
): Generator<Finding> {
  const before = responsesOf(operations.before, comparing.readers.before);
  const after = responsesOf(operations.after, comparing.readers.after);
  for (const [status, was] of before) {
    const is = after.get(status);
    if (is !== undefined) yield* compareResponse({ before: was, after: is }, { status, comparing });
    else yield { place: status, detail: "is gone", isBreaking: isSuccess(status) };
  }
  for (const status of after.keys()) {
    if (before.has(status)) continue;
    yield { place: status, detail: "is new", isBreaking: isSuccess(status) };
  }
}

/**
 * True for a status that clients rely on. They treat any other status that they do not know as the
 * first of its class (RFC 9110 section 15).
 */
function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function responsesOf(
  { responses }: JsonObject,
  reader: SchemaReader,
): ReadonlyMap<string, JsonObject> {
  const entries = isSchema(responses) ? Object.entries(responses) : [];
  return new Map(entries.map(([status, response]) => [status, reader.resolve(response)]));
}

interface Within {
  readonly status: string;
  readonly comparing: OperationComparing;
}

function* compareResponse(
  responses: Pair<JsonObject>,
  { status, comparing: { readers, compareSchemas } }: Within,
): Generator<Finding> {
  yield* compareContent(responses, { place: status, compareSchemas: compareSchemas.answer });
  const headers = {
    before: headersOf(responses.before, readers.before),
    after: headersOf(responses.after, readers.after),
  };
  for (const [name, was] of headers.before) {
    const is = headers.after.get(name);
    const place = `${status} header ${name}`;
    if (is === undefined) yield { place, detail: "is gone", isBreaking: true };
    else yield* compareSchemas.answer({ before: was["schema"], after: is["schema"] }, place);
  }
  for (const name of headers.after.keys()) {
    if (headers.before.has(name)) continue;
    yield { place: `${status} header ${name}`, detail: "is new", isBreaking: false };
  }
}

/** Returns header fields by name, in lower case. */
function headersOf({ headers }: JsonObject, reader: SchemaReader): ReadonlyMap<string, JsonObject> {
  const entries = isSchema(headers) ? Object.entries(headers) : [];
  return new Map(entries.map(([name, header]) => [name.toLowerCase(), reader.resolve(header)]));
}
