/**
 * What differs between the answers of two operations.
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";
import { compareContent } from "./content.ts";
import type { Finding, Pair } from "./finding.ts";
import type { OperationComparing } from "./operation.ts";
import type { SchemaReader } from "./shapes.ts";

/** By status, each once by itself. */
export function* compareAnswers(
  operations: Pair<JsonObject>,
  comparing: OperationComparing,
): Generator<Finding> {
  const before = answersOf(operations.before, comparing.readers.before);
  const after = answersOf(operations.after, comparing.readers.after);
  for (const [status, was] of before) {
    const is = after.get(status);
    if (is !== undefined) yield* compareAnswer({ before: was, after: is }, { status, comparing });
    else yield { place: status, detail: "is gone", isBreaking: isSuccess(status) };
  }
  for (const status of after.keys()) {
    if (before.has(status)) continue;
    yield { place: status, detail: "is new", isBreaking: isSuccess(status) };
  }
}

/**
 * What a client works with. Any other status that it does not know it takes for the first of its class
 * (RFC 9110 section 15), so that one more or one less is nothing to it.
 */
function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function answersOf(
  { responses }: JsonObject,
  reader: SchemaReader,
): ReadonlyMap<string, JsonObject> {
  const entries = isSchema(responses) ? Object.entries(responses) : [];
  return new Map(entries.map(([status, answer]) => [status, reader.resolve(answer)]));
}

interface Within {
  readonly status: string;
  readonly comparing: OperationComparing;
}

function* compareAnswer(
  answers: Pair<JsonObject>,
  { status, comparing: { readers, compareSchemas } }: Within,
): Generator<Finding> {
  yield* compareContent(answers, { place: status, compareSchemas: compareSchemas.answer });
  const headers = {
    before: headersOf(answers.before, readers.before),
    after: headersOf(answers.after, readers.after),
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

/** Header fields by their names, which have no case. */
function headersOf({ headers }: JsonObject, reader: SchemaReader): ReadonlyMap<string, JsonObject> {
  const entries = isSchema(headers) ? Object.entries(headers) : [];
  return new Map(entries.map(([name, header]) => [name.toLowerCase(), reader.resolve(header)]));
}
