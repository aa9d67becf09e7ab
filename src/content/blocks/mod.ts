/**
 * Blocks: input, storage, updates and output.
 *
 * @module
 */
export { type AppendInput, appendInput, appendIssues, appendPlace } from "./append.ts";
export type { BlockInput } from "./block_input.ts";
export type { PlannedBlock as Drawn } from "./body.ts";
export { type BlockParent, draftBlocks, draftEachBlock, type DraftOptions } from "./draft.ts";
export { blockIssues, mayStopTakingChildren, nestedCopyIssue, takesChildren } from "./issues.ts";
export { blockChildrenInput, blockInput } from "./input.ts";
export { CODE_LANGUAGES, type CodeLanguage } from "./languages.ts";
export { block, blockJson } from "./read.ts";
export { isShownOriginal, isSynced, originalOf } from "./synced.ts";
export { copiesIn } from "./tree.ts";
export { BLOCK_TYPES, type BlockType } from "./types.ts";
export { type BlockUpdateInput, blockUpdateInput, editBlock, needsNoChildren } from "./update.ts";
