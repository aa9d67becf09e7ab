/**
 * A small API: a recursive variant, a lazy union, arrays in the query, a public and a closed route.
 *
 * @module
 */
import * as v from "valibot";
import { endpoint } from "../../src/http/endpoint.ts";
import { component } from "../../src/shared/component.ts";
import type { DocumentOptions, OpenApiDocument } from "../../src/cli/openapi/document.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { ERRORS } from "../../src/shared/errors.ts";

const text = v.pipe(v.string(), v.maxLength(10));

const leaf = v.strictObject({ type: v.literal("leaf"), leaf: v.nullable(text) });
const branch = v.strictObject({
  type: v.literal("branch"),
  branch: v.array(v.lazy((): v.GenericSchema<unknown, unknown> => tree)),
});
const tree = v.variant("type", [leaf, branch]);

const negation = v.strictObject({
  not: v.lazy((): v.GenericSchema<unknown, unknown> => filter),
});
const equality = v.strictObject({ equals: text });
/** As unions by key are made: the schema depends on the input, none gives the whole union. */
const filter = v.lazy((input: unknown): v.GenericSchema<unknown, unknown> =>
  input === undefined ? v.union([negation, equality]) : equality
);

component(tree, "Tree", "A tree.");
component(leaf, "Leaf", "A leaf.");
component(branch, "Branch", "A branch.");
component(filter, "Filter", "A filter.");

const TREES = { name: "Trees", description: "Plants." };
const ABOUT = { name: "About", description: "The API itself." };

const common = { tag: TREES, description: "Longer words.", handle: () => ({ body: {} }) };
const params = v.strictObject({
  tree_id: v.pipe(text, v.description("Id of the tree."), v.examples(["oak"])),
});

export const endpoints = [
  endpoint({
    ...common,
    method: "GET",
    path: "/v2/trees/:tree_id",
    operationId: "getTree",
    summary: "Read a tree",
    params,
    query: v.strictObject({
      only: v.optional(v.pipe(v.array(text), v.maxLength(3), v.description("Names."))),
      depth: v.pipe(v.number(), v.integer()),
    }),
    response: tree,
    example: { response: { type: "leaf", leaf: null } },
  }),
  endpoint({
    ...common,
    method: "PATCH",
    path: "/v2/trees/:tree_id",
    operationId: "updateTree",
    summary: "Update a tree",
    params,
    body: v.strictObject({ tree: v.optional(v.nullable(leaf)) }),
    response: tree,
  }),
  endpoint({
    ...common,
    method: "POST",
    path: "/v2/trees/query",
    operationId: "queryTrees",
    summary: "Query trees",
    body: v.strictObject({ filter }),
    response: v.object({ results: v.array(tree) }),
    example: { request: { filter: { equals: "oak" } }, response: { results: [] } },
  }),
  endpoint({
    ...common,
    tag: ABOUT,
    method: "GET",
    path: "/v2/about",
    operationId: "getAbout",
    summary: "Read about it",
    response: v.looseObject({}),
  }),
  endpoint({
    ...common,
    method: "GET",
    path: "/healthz",
    operationId: "getHealth",
    summary: "Live?",
    response: v.looseObject({}),
    operational: true,
  }),
];

export const policy = parsePolicy(JSON.stringify({
  scopes: { "trees.read": "Read trees.", "trees.write": "Change trees.", "admin": "All." },
  routes: {
    "GET /v2/about": "public",
    "GET /v2/trees/:tree_id": ["trees.read"],
    "PATCH /v2/trees/:tree_id": { anyOf: [["trees.read", "trees.write"], ["admin"]] },
    "POST /v2/trees/query": ["trees.read"],
  },
  fields: {},
}));

export const options: DocumentOptions = {
  endpoints,
  policy,
  errors: ERRORS,
  info: { title: "Trees", version: "2.0.0", summary: "Trees.", description: "Trees." },
};

/** Returns the value at a path of names, or undefined. */
export function at(document: OpenApiDocument, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => new Map(Object.entries(Object(value))).get(name),
    document,
  );
}
