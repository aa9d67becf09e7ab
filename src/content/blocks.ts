/**
 * Blocks: how they are written, kept, changed and answered.
 *
 * @module
 */
export { appendFaults, type AppendInput, appendInput, appendPlace } from "./blocks/append.ts";
export type { BlockInput } from "./blocks/block_input.ts";
export type { Drawn } from "./blocks/body.ts";
export { type BlockParent, draftBlocks, type DraftOptions } from "./blocks/draft.ts";
export { blockFaults, takesChildren } from "./blocks/faults.ts";
export { blockChildrenInput, blockInput } from "./blocks/input.ts";
export { CODE_LANGUAGES, type CodeLanguage } from "./blocks/languages.ts";
export { block, blockJson } from "./blocks/read.ts";
export { blockSchemas } from "./blocks/schemas.ts";
export { BLOCK_TYPES, type BlockType } from "./blocks/types.ts";
export { type BlockUpdateInput, blockUpdateInput, editBlock } from "./blocks/update.ts";
