/**
 * Reads front matter: YAML at the start of a text.
 *
 * @module
 */
import type { Root } from "mdast";
import { parseYaml } from "../../shared/yaml.ts";
import type { BlockInput } from "../blocks/block_input.ts";
import { codeBlocks } from "./text_blocks.ts";

export interface FrontMatter {
  /** The values by name; undefined if the YAML is invalid or not a mapping. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** The front matter as code blocks, for a page without properties of these names. */
  readonly blocks: readonly BlockInput[];
}

/** The front matter of a parsed text; undefined if there is none. */
export function readFrontMatter({ children: [first] }: Root): FrontMatter | undefined {
  if (first?.type !== "yaml") return undefined;
  return { values: valuesOf(first.value), blocks: codeBlocks(first.value, "yaml") };
}

/** The mapping in the YAML; undefined if it is invalid, not a mapping, or not valid as JSON. */
function valuesOf(text: string): FrontMatter["values"] {
  try {
    // An empty document is an empty mapping.
    const value = parseYaml(text, { schema: "core" }) ?? {};
    return typeof value === "object" && !Array.isArray(value) && isValidJson(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns whether all texts, including names, could occur in the JSON of a request. */
function isValidJson(value: object): boolean {
  // Visits each value once, because YAML aliases can repeat a value, even inside itself.
  const visited = new Set<unknown>([value]);
  for (const one of visited) {
    if (typeof one === "string" && (one.includes("\0") || !one.isWellFormed())) return false;
    if (typeof one !== "object" || one === null) continue;
    for (const [name, inner] of Object.entries(one)) visited.add(name).add(inner);
  }
  return true;
}
