/**
 * The component schemas of a document: every named schema that its endpoints use.
 *
 * @module
 */
import type * as v from "valibot";
import { componentOf } from "../../shared/component.ts";

type AnySchema = v.GenericSchema<unknown, unknown>;

/** Schemas by the name that they have in the document. */
export type SchemaTable = Readonly<Record<string, AnySchema>>;

/** Returns the named schemas among these and inside them. Throws if two schemas have one name. */
export function componentsIn(schemas: Iterable<AnySchema>): SchemaTable {
  const seen = new Set<AnySchema>();
  const named = new Map<string, AnySchema>();
  const visit = (schema: AnySchema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const name = componentOf(schema)?.name;
    if (name !== undefined && named.has(name)) throw new Error(`Two schemas are named ${name}`);
    if (name !== undefined) named.set(name, schema);
    schemasInside(schema).forEach(visit);
  };
  for (const schema of schemas) visit(schema);
  return Object.fromEntries(named);
}

/** Returns the schemas inside a schema, in whatever member it has them. */
function schemasInside(schema: AnySchema): AnySchema[] {
  const { entries = {}, getter, ...members } = schema as Composite;
  const inner = getter === undefined ? [] : [getter(undefined)];
  return [...Object.values(entries), ...Object.values(members).flat(), ...inner].filter(isSchema);
}

/** The members of objects and lazy schemas that are neither a schema nor a list of schemas. */
type Composite = AnySchema & {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly getter?: (input: unknown) => unknown;
};

function isSchema(value: unknown): value is AnySchema {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}
