/**
 * Names of schemas: a named schema is a component of the OpenAPI document, and so a type in generated
 * clients.
 *
 * The name is kept beside the schema, which stays the object that it is: the document refers to
 * components by identity, and a pipe with metadata would be another schema.
 *
 * @module
 */
import type * as v from "valibot";

type AnySchema = v.GenericSchema<unknown, unknown>;

export interface Component {
  /** Upper camel case, such as `PageCreateInput`. */
  readonly name: string;
  readonly description: string;
}

const components = new WeakMap<AnySchema, Component>();

/** Names and describes a schema, and returns it. */
export function component<Schema extends AnySchema>(
  schema: Schema,
  name: string,
  description: string,
): Schema {
  components.set(schema, { name, description });
  return schema;
}

/**
 * Names the schema of each type: under the pattern `*Block` that of `to_do` is named `ToDoBlock`, and
 * that of `synced_block` is named `SyncedBlock`.
 */
export function componentOfEach(
  schemas: Readonly<Record<string, AnySchema>>,
  pattern: `${string}*${string}`,
  describe: (type: string) => string,
): void {
  for (const [type, schema] of Object.entries(schemas)) {
    component(schema, nameOf(type, pattern), describe(type));
  }
}

/** Schemas by the constant that each has as its `type`. */
export function byType(schemas: readonly TypedSchema[]): Readonly<Record<string, AnySchema>> {
  return Object.fromEntries(schemas.map((schema) => [schema.entries.type.literal, schema]));
}

type TypedSchema = AnySchema & {
  readonly entries: { readonly type: { readonly literal: string } };
};

/** The name and description of a schema; undefined if it has none. */
export function componentOf(schema: AnySchema): Component | undefined {
  return components.get(schema);
}

function nameOf(type: string, pattern: string): string {
  const words = type.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const [before = "", after = ""] = pattern.split("*");
  if (after.startsWith(words.at(-1) ?? "")) words.pop();
  return `${before}${words.join("")}${after}`;
}
