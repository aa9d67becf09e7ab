/**
 * Compares two OpenAPI documents: what would a client notice?
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";
import { type ComponentPair, createComponentDiff } from "./components.ts";
import type { Finding, Side } from "./finding.ts";
import { compareOperations } from "./operation.ts";
import { UnusableDocument } from "./references.ts";
import { createSchemaReader } from "./shapes.ts";
import { createComparer } from "./unions.ts";

/** One difference, which one or more operations show. */
export interface Change extends Finding {
  /** The component schema that it is in, with both names if it was renamed. */
  readonly schema?: string;
  /** The side that uses the schema: requests or responses. */
  readonly side?: Side;
  /** `METHOD path` of each operation that shows it. */
  readonly routes: readonly string[];
}

/**
 * Returns every difference: first those of operations, then those of component schemas. Names of
 * schemas, descriptions and examples are ignored. Throws {@linkcode UnusableDocument} if a document
 * is invalid.
 */
export function diffDocuments(before: unknown, after: unknown): Change[] {
  const documents = { before: requireDocument(before), after: requireDocument(after) };
  const readers = {
    before: createSchemaReader(documents.before),
    after: createSchemaReader(documents.after),
  };
  const components = createComponentDiff(readers);
  const found: (Finding & { readonly route: string })[] = [];
  const operations = {
    before: operationsOf(documents.before),
    after: operationsOf(documents.after),
  };
  for (const [route, was] of operations.before) {
    const is = operations.after.get(route);
    if (is === undefined) {
      found.push({ route, place: "", detail: "is gone", isBreaking: true });
      continue;
    }
    const met: ComponentPair[] = [];
    const comparer = (side: Side) =>
      createComparer({ side, readers, meet: (names) => met.push({ side, ...names }) });
    const compareSchemas = { request: comparer("request"), answer: comparer("answer") };
    const pair = { before: was, after: is };
    for (const one of compareOperations(pair, { documents, readers, compareSchemas })) {
      found.push({ route, ...one });
    }
    for (const pair of met) components.reach(pair, route);
  }
  for (const route of operations.after.keys()) {
    if (operations.before.has(route)) continue;
    found.push({ route, place: "", detail: "is new", isBreaking: false });
  }
  return [...gather(found), ...components.changes()];
}

/** Merges equal findings of several operations into one change. */
function gather(found: readonly (Finding & { readonly route: string })[]): Change[] {
  const same = Map.groupBy(found, ({ route: _, ...finding }) => JSON.stringify(finding));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { route, ...finding } = first;
    return [{ ...finding, routes: [route, ...others.map((other) => other.route)] }];
  });
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

function operationsOf({ paths }: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries(isSchema(paths) ? paths : {}).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = isSchema(item) ? item[method] : undefined;
        if (!isSchema(item) || !isSchema(operation)) return [];
        const parameters = [item["parameters"], operation["parameters"]].flat()
          .filter((one) => one !== undefined);
        return [[`${method.toUpperCase()} ${path}`, { ...operation, parameters }] as const];
      })
    ),
  );
}

function requireDocument(value: unknown): JsonObject {
  const isDocument = isSchema(value) && /^3\.[1-9]/.test(String(value["openapi"])) &&
    isSchema(value["paths"]);
  if (!isDocument) throw new UnusableDocument("Not an OpenAPI 3.1 document");
  return value;
}
