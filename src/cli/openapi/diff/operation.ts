/**
 * What differs between two operations of one method and path.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../json.ts";
import { compareAnswers } from "./answers.ts";
import { compareContent } from "./content.ts";
import type { Finding, Pair, Side } from "./finding.ts";
import { compareSecurity } from "./security.ts";
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
  yield* compareAnswers(operations, comparing);
}

function* compareNames({ before, after }: Pair<JsonObject>): Generator<Finding> {
  const [was, is] = [before["operationId"], after["operationId"]];
  // The methods of generated clients go by it.
  if (was !== is) {
    yield { place: "operationId", detail: `${was ?? "none"} → ${is ?? "none"}`, isBreaking: true };
  }
  if (after["deprecated"] === true && before["deprecated"] !== true) {
    yield { place: "", detail: "is deprecated", isBreaking: false };
  }
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

/** How a parameter is written, by its kind, unless it says so. */
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

/** Parameters by where they stand and their name, of which that of a header has no case. */
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
