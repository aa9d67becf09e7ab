/**
 * The schemas of blocks by the names that generated clients know them by.
 *
 * @module
 */
import type * as v from "valibot";
import { block, outputMembers } from "./read.ts";
import { blockInput, inputMembers } from "./input.ts";
import { documentedUpdate } from "./update.ts";

type Named = Readonly<Record<string, v.GenericSchema>>;

/** Every schema of blocks that deserves a name: `Block`, `ParagraphBlock`, `ParagraphBlockInput`, … */
export const blockSchemas: Named = {
  Block: block,
  ...named(outputMembers, "Block"),
  BlockInput: blockInput.getter(undefined),
  ...named(inputMembers, "BlockInput"),
  BlockUpdateInput: documentedUpdate,
};

function named(members: Named, suffix: string): Named {
  return Object.fromEntries(
    Object.entries(members).map(([type, schema]) => [`${pascal(type)}${suffix}`, schema]),
  );
}

function pascal(type: string): string {
  // `synced_block` would end in two blocks.
  return type.replace(/_block$/, "").split("_").map((word) =>
    `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  ).join("");
}
