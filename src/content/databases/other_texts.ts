/**
 * Properties whose values are searched by other texts after a change of the schema.
 *
 * @module
 */
import { changesTexts } from "../properties/convert.ts";
import { parseDatabaseDoc } from "../schema/database.ts";
import type { Property } from "../schema/property.ts";

/**
 * Returns the ids of the properties of a database whose stored values stay when this document replaces
 * that one, but are searched by other texts.
 */
export function withOtherTexts(before: string, after: string): string[] {
  const fresh = new Map(propertiesOf(after).map((property) => [property.id, property]));
  return propertiesOf(before).filter((from) => {
    const to = fresh.get(from.id);
    return to !== undefined && changesTexts(from, to);
  }).map(({ id }) => id);
}

function propertiesOf(doc: string): readonly Property[] {
  return parseDatabaseDoc(doc).properties ?? [];
}
