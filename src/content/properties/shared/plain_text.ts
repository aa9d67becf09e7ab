/**
 * Properties that are one short text: addresses, phone numbers.
 *
 * @module
 */
import * as v from "valibot";
import { EMPTY, textCell } from "../../schema/cells.ts";
import { propertyKind } from "../property_kind.ts";
import { textCells, whole } from "./collect.ts";
import { yamlText } from "./front_matter.ts";
import { NO_CONFIG } from "./no_config.ts";
import { texts } from "./operators.ts";

/** A type whose values are texts of at most `maxLength` UTF-16 code units. */
export function plainTextKind(maxLength: number) {
  const text = v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
  return propertyKind({
    config: NO_CONFIG,
    input: v.nullable(text),
    output: v.nullable(v.string()),
    toStored: (given) => given ?? undefined,
    isSelfContained: true,
    toRead: (stored) => stored ?? null,
    emptyCell: EMPTY,
    cell: textCell,
    conditions: { operators: texts, alsoNamed: ["rich_text", "text"] },
    formula: { type: "text", value: (read) => read },
    collect: { parts: whole((read) => read), cells: textCells },
    texts: (stored) => [stored],
    toText: (stored) => stored,
    fromText: (given) => v.is(text, given) ? given : undefined,
    fromYaml: yamlText,
  });
}
