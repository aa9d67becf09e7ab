/**
 * The state that an export leaves in a folder of Markdown, so that the next one reads only what
 * changed: one line for each page, database and file. Editors and Obsidian do not show it.
 *
 * @module
 */
import * as v from "valibot";
import { OperatorError } from "../../store/operator_error.ts";
import { fileSchema, toLines } from "./jsonl_format.ts";

export const STATE = ".recto-export.jsonl";

const head = v.object({
  format: v.literal("recto-markdown"),
  version: v.literal(1),
  root: v.nullable(v.string()),
});
const place = v.object({
  id: v.string(),
  path: v.string(),
  edited: v.string(),
  /** The text that other objects show of it. */
  shown: v.string(),
  /** IDs of the objects that its content names. */
  mentions: v.array(v.string()),
  /** Names of the users in its content, by ID; undefined if an earlier version wrote it. */
  users: v.optional(v.record(v.string(), v.string())),
});
const line = v.union([place, v.object({ file: fileSchema })]);

export type Place = v.InferOutput<typeof place>;

export interface MarkdownState {
  readonly root: string | null;
  readonly places: readonly Place[];
  readonly files: readonly v.InferOutput<typeof fileSchema>[];
}

/** Reads what an export left; undefined if the text is missing. Throws if it is another format. */
export function parseState(text: string | undefined): MarkdownState | undefined {
  if (text === undefined) return undefined;
  try {
    const [first, ...lines] = text.split("\n").filter((one) => one !== "")
      .map((one): unknown => JSON.parse(one));
    const parsed = lines.map((one) => v.parse(line, one));
    return {
      root: v.parse(head, first).root,
      places: parsed.flatMap((one) => "file" in one ? [] : [one]),
      files: parsed.flatMap((one) => "file" in one ? [one.file] : []),
    };
  } catch (error) {
    throw new OperatorError(`${STATE} is damaged or of another version: name another folder`, {
      cause: error,
    });
  }
}

export function printState({ root, places, files }: MarkdownState): string {
  return toLines([
    { format: "recto-markdown", version: 1, root },
    ...places.toSorted((a, b) => a.id < b.id ? -1 : 1),
    ...files.map((file) => ({ file })),
  ]);
}
