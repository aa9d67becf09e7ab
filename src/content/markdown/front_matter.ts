/**
 * YAML at the start of a text.
 *
 * @module
 */
import type { Root } from "mdast";
import { parseYaml } from "../../shared/yaml.ts";
import type { BlockInput } from "../blocks/block_input.ts";
import { codeBlocks } from "./text_blocks.ts";

export interface FrontMatter {
  /** The names it gives values to; undefined where it cannot be read so. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** The same as a block, for a page that has no properties of these names. */
  readonly blocks: readonly BlockInput[];
}

/** The front matter of a parsed text; undefined where there is none. */
export function readFrontMatter({ children: [first] }: Root): FrontMatter | undefined {
  if (first?.type !== "yaml") return undefined;
  return { values: valuesOf(first.value), blocks: codeBlocks(first.value, "yaml") };
}

/** What the YAML maps; undefined where it is no map, broken, or says what no JSON may say. */
function valuesOf(text: string): FrontMatter["values"] {
  try {
    // Nothing at all maps nothing.
    const value = parseYaml(text, { schema: "core" }) ?? {};
    return typeof value === "object" && !Array.isArray(value) && isSayable(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether JSON that a request is written in could hold these texts, names among them. */
function isSayable(value: object): boolean {
  // Each once, for YAML may name one thing in many places, inside itself too.
  const met = new Set<unknown>([value]);
  for (const one of met) {
    if (typeof one === "string" && (one.includes("\0") || !one.isWellFormed())) return false;
    if (typeof one !== "object" || one === null) continue;
    for (const [name, inner] of Object.entries(one)) met.add(name).add(inner);
  }
  return true;
}
