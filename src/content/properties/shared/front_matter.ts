/**
 * The reading of YAML front matter as property values.
 *
 * @module
 */
import type { OptionInput } from "./options.ts";

/** A text that is not empty, or a number or boolean as text. */
export function yamlText(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** An option by its name. */
export function yamlOption(value: unknown): OptionInput | undefined {
  const name = yamlText(value);
  return name === undefined ? undefined : { name };
}
