/**
 * Typed re-export of the standard library's YAML; separate from `std.ts`, so that only its readers
 * load it.
 *
 * @module
 */
import { parse } from "@std/yaml/parse";

/** Parses YAML; throws `SyntaxError` if it is malformed. */
export const parseYaml: (
  text: string,
  options: { readonly schema: "core" },
) => unknown = parse;
