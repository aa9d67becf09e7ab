/**
 * A typed door to the standard library's YAML, beside `std.ts` so that it is loaded where it is read.
 *
 * @module
 */
import { parse } from "@std/yaml/parse";

/** Parses YAML; throws `SyntaxError` where it is none. */
export const parseYaml: (
  text: string,
  options: { readonly schema: "core" },
) => unknown = parse;
