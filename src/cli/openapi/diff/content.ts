/**
 * What differs between two bodies, by media type.
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";
import type { Finding, Pair } from "./finding.ts";
import type { CompareSchemas } from "./unions.ts";

export interface ContentComparing {
  readonly place: string;
  readonly compareSchemas: CompareSchemas;
}

/** Compares what two request bodies or answers say of their `content`. */
export function* compareContent(
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

/** The schema of each media type; what has none allows any value. */
function schemasOf({ content }: JsonObject): ReadonlyMap<string, unknown> {
  const types = isSchema(content) ? Object.entries(content) : [];
  return new Map(
    types.map(([type, media]) => [type, isSchema(media) ? media["schema"] : undefined]),
  );
}
