/**
 * YAML at the start of a text.
 *
 * @module
 */
import type { Root } from "mdast";
import { parseYaml } from "../../yaml.ts";
import type { BlockInput } from "../blocks/block_input.ts";
import { codeBlocks } from "./text_blocks.ts";

export interface FrontMatter {
  /** The names it gives values to. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The same as a block, for a page that has no properties of these names. */
  readonly blocks: readonly BlockInput[];
}

/** The front matter of a parsed text; undefined where there is none. */
export function readFrontMatter({ children: [first] }: Root): FrontMatter | undefined {
  if (first?.type !== "yaml") return undefined;
  return { values: valuesOf(first.value), blocks: codeBlocks(first.value, "yaml") };
}

/** What the YAML maps; nothing where it is no map, or broken. */
function valuesOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseYaml(text, { schema: "core" });
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
