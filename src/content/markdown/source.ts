/**
 * What reading a node of mdast takes beside it.
 *
 * @module
 */
import type { RootContent } from "mdast";
import type { BlockInput } from "../blocks/block_input.ts";
import type { Definitions } from "./from_phrasing.ts";

export interface Source {
  /** The Markdown that was parsed. */
  readonly text: string;
  readonly definitions: Definitions;
  /** The blocks that content stands for, in order. */
  blocks(content: readonly RootContent[]): BlockInput[];
  /** The same with columns, which can be nowhere but in their list. */
  columns(content: readonly RootContent[]): BlockInput[];
}
