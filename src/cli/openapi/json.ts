/** A JSON object that is part of the document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reference to a component (OpenAPI 3.1.1 section 4.8.23). */
export function createRef(kind: ComponentKind, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

export type ComponentKind = "schemas" | "parameters" | "headers" | "responses";
