/**
 * The routes, scopes and fields that the published OpenAPI document declares.
 *
 * @module
 */
import { acrValuesIn, scopesIn, toAcr } from "../shared/acr.ts";
import type { Rule } from "./schema.ts";

export interface PublishedApi {
  /** The `security` of each operation, as a rule, by `METHOD path`. */
  readonly routes: ReadonlyMap<string, Rule>;
  /** Dotted names of the fields that responses can contain, such as `user.person.email`. */
  readonly fields: ReadonlySet<string>;
}

type Members = ReadonlyMap<string, unknown>;

/** The security scheme whose names are `acr` values, which no OAuth scope can express. */
export const STEP_UP = "stepUp";

/** Returns an alternative of a rule as a security requirement of the document. */
export function toRequirement(names: readonly string[]): Record<string, string[]> {
  const values = acrValuesIn(names);
  return { oauth2: scopesIn(names), ...(values.length > 0 && { [STEP_UP]: values }) };
}

/** Returns a security requirement as an alternative of a rule. */
export function fromRequirement(
  requirement: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(requirement).flatMap(([scheme, names]) =>
    scheme === STEP_UP ? names.map(toAcr) : names
  );
}

/** Stands for a requirement that any token satisfies. A policy cannot express it. */
const ANY_TOKEN = "(any token)";
const METHODS: ReadonlySet<string> = new Set(["get", "post", "patch", "delete", "put"]);
/** The deepest nesting of objects in a response. */
const DEPTH = 4;

/** Reads a parsed OpenAPI document and ignores everything else in it. */
export function readApi(document: unknown): PublishedApi {
  const root = membersOf(document);
  const routes = new Map<string, Rule>();
  const fields = new Set<string>();
  const walk = createWalk(root, fields);
  for (const { route, members } of operationsOf(root)) {
    routes.set(route, toRule(members.get("security") ?? root.get("security")));
    walk(members.get("responses"));
  }
  return { routes, fields };
}

/** Returns the routes whose responses can contain a field such as `user.person.email`. */
export function findRoutesShowing(field: string, document: unknown): ReadonlySet<string> {
  const root = membersOf(document);
  const routes = operationsOf(root).filter(({ members }) => {
    const fields = new Set<string>();
    createWalk(root, fields)(members.get("responses"));
    return fields.has(field);
  });
  return new Set(routes.map(({ route }) => route));
}

interface Operation {
  /** `METHOD path` as the policy names it. */
  readonly route: string;
  readonly members: Members;
}

function operationsOf(root: Members): Operation[] {
  return [...membersOf(root.get("paths"))].flatMap(([path, operations]) =>
    [...membersOf(operations)].filter(([method]) => METHODS.has(method)).map((
      [method, operation],
    ) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      members: membersOf(operation),
    }))
  );
}

function toRule(security: unknown): Rule {
  const alternatives = itemsOf(security).map((requirement) => {
    const schemes = membersOf(requirement);
    return [...schemes].flatMap(([scheme, scopes]) => {
      const names = itemsOf(scopes).map(String);
      if (scheme === STEP_UP) return names.map(toAcr);
      return names.length === 0 && !schemes.has(STEP_UP) ? [ANY_TOKEN] : names;
    });
  });
  const isPublic = alternatives.length === 0 || alternatives.some((list) => list.length === 0);
  return { public: isPublic, alternatives: isPublic ? [] : alternatives };
}

/** Collects the fields of every schema whose `object` property names its type. */
function createWalk(root: Members, fields: Set<string>): (schema: unknown) => void {
  const seen = new Set<unknown>();
  return function walk(schema) {
    if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
    seen.add(schema);
    const members = membersOf(schema);
    const tag = membersOf(membersOf(members.get("properties")).get("object")).get("const");
    if (typeof tag === "string") collect(schema, tag, DEPTH);
    const target = members.get("$ref");
    if (typeof target === "string") walk(resolve(root, target));
    for (const member of Array.isArray(schema) ? schema : members.values()) walk(member);
  };

  function collect(schema: unknown, prefix: string, depth: number): void {
    const members = membersOf(schema);
    const target = members.get("$ref");
    if (depth === 0) return;
    if (typeof target === "string") collect(resolve(root, target), prefix, depth);
    for (const union of ["oneOf", "anyOf", "allOf"]) {
      for (const option of itemsOf(members.get(union))) collect(option, prefix, depth);
    }
    for (const [name, member] of membersOf(members.get("properties"))) {
      fields.add(`${prefix}.${name}`);
      collect(member, `${prefix}.${name}`, depth - 1);
    }
  }
}

function resolve(root: Members, reference: string): unknown {
  const steps = reference.split("/").slice(1).map((step) =>
    step.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  const first = root.get(steps[0] ?? "");
  return steps.slice(1).reduce<unknown>((value, step) => membersOf(value).get(step), first);
}

function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return new Map();
  return new Map(Object.entries(value));
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
