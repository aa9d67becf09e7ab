/**
 * The members that block types are made of: how each is written, read, and turned from one to the
 * other.
 *
 * @module
 */
import * as v from "valibot";
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { color } from "../values/colors.ts";
import {
  fileAddress,
  fileAddressInput,
  fromAddress,
  fromUpload,
  uploadReference,
} from "../values/hosted_files.ts";
import { type Icon, icon, iconInput, iconIssues, isHosted, toIcon } from "../values/icons.ts";
import { idInput, idOutput, normalizeId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import {
  hasMentions,
  plainText,
  type RichText,
  richText,
  type RichTextInput,
  richTextInput,
  richTextIssues,
  toRichText,
} from "../values/rich_text.ts";
import { external as externalFile, externalInput, urlInput } from "../values/urls.ts";
import { CODE_LANGUAGES } from "./languages.ts";

/** One member of a block type's value. */
export interface Field<Given = unknown> {
  readonly input: v.GenericSchema<unknown, Given>;
  readonly output: v.GenericSchema;
  /** It must be given when the block is created. */
  readonly required?: true;
  /** It cannot be changed afterwards. */
  readonly fixed?: true;
  /** What is read where nothing was given; without it the member is left out. */
  readonly initial?: unknown;
  /** The name that it is read under; without it that which it is written under. */
  readonly readAs?: string;
  /** What is read of what was given; without it they are the same. */
  toRead?(given: Given): unknown;
  /** What the input schema cannot say. */
  issues?(given: Given, pointer: string): ValidationIssue[];
  /** Whether names have to be filled in when it is read. */
  mentions?(read: unknown): boolean;
  /** What of it people read or look for; without it nothing. */
  texts?(read: unknown): readonly string[];
}

/** Puts a field's input type away; the table of block types holds fields of every kind. */
function field<Given>(spec: Field<Given>): Field {
  // Sound because `toRead` and `faults` meet only what this very `input` let through.
  return spec as Field;
}

const richTextField: Field<RichTextInput> = {
  input: richTextInput,
  output: richText,
  toRead: toRichText,
  issues: richTextIssues,
  // Sound because a rich text field is only ever stored as `toRead` made it.
  mentions: (read) => hasMentions(read as RichText),
  texts: (read) => [plainText(read as RichText)],
};

export const text = field({ ...richTextField, required: true });
export const caption = field({ ...richTextField, initial: [] });

export const blockColor = field({ input: color, output: color, initial: "default" });

export const flag = field({ input: v.boolean(), output: v.boolean(), initial: false });

export const calloutIcon = field({
  input: iconInput,
  output: icon,
  initial: null,
  toRead: toIcon,
  issues: iconIssues,
  // Sound because it is only ever stored as `toIcon` made it.
  mentions: (read) => isHosted(read as Icon),
});

const languageName = v.picklist(CODE_LANGUAGES);
export const language = field({ input: languageName, output: languageName, required: true });

const texFormula = v.pipe(
  v.string(),
  v.maxLength(LIMITS.equation),
  v.description("Equation in KaTeX syntax."),
);
// Sound because such a field is only ever stored as its input let it through.
const ownText = (read: unknown): readonly string[] => [read as string];

export const expression = field({
  input: texFormula,
  output: v.string(),
  required: true,
  texts: ownText,
});

export const url = field({ input: urlInput, output: v.string(), required: true, texts: ownText });

const nameOfFile = v.pipe(v.string(), v.maxLength(LIMITS.name));
export const fileName = field({
  input: nameOfFile,
  output: v.string(),
  initial: "",
  texts: ownText,
});

export const title = field({ input: v.string(), output: v.string(), required: true });

const columnCount = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(LIMITS.array),
  v.description("Number of cells in each row."),
);
export const tableWidth = field({
  input: columnCount,
  output: v.number(),
  required: true,
  fixed: true,
});

export const cells = field({
  input: v.pipe(v.array(richTextInput), v.maxLength(LIMITS.array)),
  output: v.array(richText),
  required: true,
  toRead: (given) => given.map(toRichText),
  issues: (given, pointer) =>
    given.flatMap((cell, index) => richTextIssues(cell, pointerTo(pointer, index))),
  // Sound for the same reason as above.
  mentions: (read) => (read as RichText[]).some(hasMentions),
  texts: (read) => (read as RichText[]).map(plainText),
});

const share = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(1),
  v.description("Width of the column as a fraction of the width of all columns."),
);
export const widthRatio = field({ input: share, output: v.exactOptional(v.number()) });

const original = v.strictObject({
  type: v.exactOptional(v.literal("block_id")),
  block_id: idInput,
});
export const syncedFrom = field({
  input: v.pipe(
    v.nullable(original),
    v.description("The block that this one is a copy of. Null if it is an original."),
  ),
  output: v.nullable(v.object({ type: v.literal("block_id"), block_id: idOutput })),
  initial: null,
  toRead: (given) =>
    given === null ? null : { type: "block_id", block_id: normalizeId(given.block_id) },
});

export const linkedId = field({
  input: idInput,
  output: idOutput,
  toRead: normalizeId,
  // Markdown shows the title of what it leads to.
  mentions: (read) => read !== undefined,
});

export const external = field({ input: externalInput, output: externalFile });

export const fileUpload = field({
  input: uploadReference,
  output: v.never(),
  readAs: "file",
  toRead: fromUpload,
});

export const hostedFile = field({
  input: fileAddressInput,
  output: fileAddress,
  toRead: fromAddress,
  mentions: (read) => read !== undefined,
});
