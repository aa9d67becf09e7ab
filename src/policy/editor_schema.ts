/**
 * The JSON Schema of the policy file for editors: it names the real scopes, routes and fields, so that
 * an editor completes them, marks typing errors and shows what a scope allows.
 *
 * @module
 */

import { ACR_VALUE } from "../shared/acr.ts";
import { MAX_ALTERNATIVES } from "./aliases.ts";

export interface EditorSchemaOptions {
  /** Descriptions by scope. */
  readonly scopes: ReadonlyMap<string, string>;
  /** Summaries by route. */
  readonly routes: ReadonlyMap<string, string>;
  /** Dotted names of the fields that responses can contain. */
  readonly fields: Iterable<string>;
}

const ALIAS = "^(?:GET|POST|PATCH|DELETE) /v1/";

type Schema = Readonly<Record<string, unknown>>;

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const list = (items: Schema, options: Schema = {}): Schema => ({
  type: "array",
  ...options,
  items,
});
const text = (description: string): Schema => ({ description, type: "string", pattern: "\\S" });

/** Returns the JSON Schema (2020-12). */
export function createEditorSchema(options: EditorSchemaOptions): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $comment: "Written by: deno task spec",
    title: "Recto policy",
    description: "The scopes that routes and fields require.",
    type: "object",
    required: ["scopes", "routes", "fields"],
    additionalProperties: false,
    properties: propertiesOf(options),
    $defs: definitionsOf(options),
  };
}

function propertiesOf({ routes }: EditorSchemaOptions): Schema {
  return {
    $schema: { type: "string" },
    scopes: {
      description: "Every scope that a token can have, with a description of what it allows.",
      type: "object",
      propertyNames: ref("newScope"),
      additionalProperties: { type: "string", minLength: 1 },
    },
    routes: {
      description: "One rule for each route of the API. The server refuses routes without a rule.",
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        [...routes].map((
          [route, summary],
        ) => [route, described(`${summary}. ${RULE_MEANING}`, "rule")]),
      ),
    },
    fields: {
      description: "Fields that every response leaves out unless the token satisfies the rule.",
      type: "object",
      propertyNames: ref("field"),
      additionalProperties: described(RULE_MEANING, "rule"),
    },
    aliases: {
      description:
        "Routes that have no rule of their own, each with the route whose rule decides its calls.",
      type: "object",
      propertyNames: ref("alias"),
      additionalProperties: {
        description: "The route whose rule decides these calls, or several that all have to.",
        type: ["string", "array"],
        allOf: [
          { if: { type: "string" }, then: ref("route") },
          { if: { type: "array" }, then: list(ref("route"), { minItems: 2 }) },
        ],
      },
    },
    safe: list(
      { enum: [...routes.keys()].filter((route) => route.startsWith("POST ")) },
      { description: "Routes that only read although their method is POST." },
    ),
    notes: {
      description: "Who answers for a route, field or scope, and why it is as it is.",
      type: "object",
      propertyNames: { anyOf: [ref("scope"), ref("route"), ref("field")] },
      additionalProperties: ref("note"),
    },
    invariants: list(ref("invariant"), {
      description: "Statements that hold for every token; deno task policy check proves them.",
    }),
  };
}

function definitionsOf({ scopes, routes, fields }: EditorSchemaOptions): Schema {
  return {
    scope: {
      description: 'A scope under "scopes". After adding one, run: deno task spec',
      anyOf: [...scopes].map(([name, description]) => ({ const: name, description })),
    },
    newScope: {
      description: "Words joined by dots, such as pages.read; or acr:VALUE for how users sign in.",
      type: "string",
      pattern: `^[a-z][a-z0-9_-]*(?:\\.[a-z][a-z0-9_-]*)*$|^acr:${ACR_VALUE.source.slice(1)}`,
      not: { enum: ["constructor", "prototype"] },
    },
    route: { enum: [...routes.keys()] },
    field: { enum: [...fields].sort() },
    pattern: { description: "* matches any characters.", type: "string", pattern: "\\*" },
    note: NOTE,
    invariant: INVARIANT,
    scopePatterns: list({ anyOf: [ref("scope"), ref("pattern")] }),
    alias: { description: "A route under aliases.", type: "string", pattern: ALIAS },
    calls: list({
      anyOf: [ref("route"), ref("alias"), { enum: ["reads", "writes"] }, ref("pattern")],
    }, {
      minItems: 1,
    }),
    seenFields: list({ anyOf: [ref("field"), ref("pattern")] }, { minItems: 1 }),
    names: list({
      anyOf: [
        ref("route"),
        ref("alias"),
        ref("field"),
        { enum: ["reads", "writes"] },
        ref("pattern"),
      ],
    }, { minItems: 1 }),
    scopeList: list(ref("scope"), { minItems: 1, uniqueItems: true }),
    rule: RULE,
  };
}

const NOTE: Schema = {
  type: "object",
  additionalProperties: false,
  anyOf: [{ required: ["owner"] }, { required: ["because"] }],
  properties: { owner: text("A person or team."), because: text("The reason.") },
};

const described = (description: string, name: string): Schema => ({ description, ...ref(name) });

const INVARIANT: Schema = {
  description: "What all tokens of a kind can or cannot do.",
  type: "object",
  required: ["name", "tokens"],
  additionalProperties: false,
  anyOf: ["canCall", "cannotCall", "canSee", "cannotSee"].map((name) => ({ required: [name] })),
  properties: {
    name: { description: "The statement in words.", type: "string", minLength: 1 },
    tokens: {
      description: "The tokens that it is about; {} selects all. * matches any characters.",
      type: "object",
      additionalProperties: false,
      properties: {
        with: described("They have all of these.", "scopePatterns"),
        only: described("They have no others.", "scopePatterns"),
        without: described("They have none of these.", "scopePatterns"),
      },
    },
    canCall: described("Calls they can make.", "calls"),
    cannotCall: described(
      'Calls they cannot make; "writes" selects all calls that write.',
      "calls",
    ),
    canSee: described("Fields they can see.", "seenFields"),
    cannotSee: described("Fields they cannot see.", "seenFields"),
    except: described("Calls and fields to leave out.", "names"),
  },
};

const RULE_MEANING = '"public", scopes that are all required, or alternatives of such lists.';

/**
 * Conditions instead of alternatives, so that an editor reports only errors of the form in use.
 * Without a description, because an editor would show that in place of the route's.
 */
const RULE: Schema = {
  type: ["string", "array", "object"],
  allOf: [
    { if: { type: "string" }, then: { const: "public" } },
    { if: { type: "array" }, then: ref("scopeList") },
    {
      if: { type: "object" },
      then: {
        required: ["anyOf"],
        additionalProperties: false,
        properties: {
          anyOf: list(ref("scopeList"), {
            description: "Lists of scopes; a token needs all scopes of one list.",
            minItems: 1,
            maxItems: MAX_ALTERNATIVES,
          }),
        },
      },
    },
  ],
};
