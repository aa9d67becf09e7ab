/**
 * The fields of blocks: the input and output schema of each, and what follows from its value.
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

/** A member of a block's value. */
export interface Field<Given = unknown> {
  readonly input: v.GenericSchema<unknown, Given>;
  readonly output: v.GenericSchema;
  /** A new block needs it. */
  readonly required?: true;
  /** It cannot be changed later. */
  readonly fixed?: true;
  /** The value if the client gives none; without it the member is left out. */
  readonly initial?: unknown;
  /** The key in responses, if it differs from the key in requests. */
  readonly readAs?: string;
  /** Name of the attribute that holds the value where Markdown writes the block as a tag. */
  readonly attribute?: string;
  /** Converts input to what is stored and read; without it they are the same. */
  toRead?(given: Given): unknown;
  /** Issues that the input schema cannot find. */
  issues?(given: Given, pointer: string): ValidationIssue[];
  /** Returns whether names or URLs have to be filled in when the value is read. */
  mentions?(read: unknown): boolean;
  /** Texts for people and for search; without it none. */
  texts?(read: unknown): readonly string[];
}

/** A field that a new block needs. */
interface RequiredField<Given> extends Field<Given> {
  readonly required: true;
}

/** Infers the input type of a field from its schema. */
function field<Given>(spec: Field<Given>): Field<Given> {
  return spec;
}

function required<Given>(spec: Field<Given>): RequiredField<Given> {
  return { ...spec, required: true };
}

const richTextField: Field<RichTextInput> = {
  input: richTextInput,
  output: richText,
  toRead: toRichText,
  issues: richTextIssues,
  // Sound because rich text is stored as `toRichText` returns it.
  mentions: (read) => hasMentions(read as RichText),
  texts: (read) => [plainText(read as RichText)],
};

export const text = required(richTextField);
export const caption = field({ ...richTextField, initial: [] });

export const blockColor = field({
  input: color,
  output: color,
  initial: "default",
  attribute: "color",
});

export const flag = field({ input: v.boolean(), output: v.boolean(), initial: false });

export const calloutIcon = field({
  input: iconInput,
  output: icon,
  initial: null,
  toRead: toIcon,
  issues: iconIssues,
  // Sound because an icon is stored as `toIcon` returns it.
  mentions: (read) => isHosted(read as Icon),
});

const languageName = v.picklist(CODE_LANGUAGES);
export const language = required({ input: languageName, output: languageName });

const texFormula = v.pipe(
  v.string(),
  v.maxLength(LIMITS.equation),
  v.description("Equation in KaTeX syntax."),
);
// Sound because the input schema of such a field accepts only strings.
const stringText = (read: unknown): readonly string[] => [read as string];

export const expression = required({
  input: texFormula,
  output: v.string(),
  texts: stringText,
});

export const url = required({ input: urlInput, output: v.string(), texts: stringText });

const nameOfFile = v.pipe(v.string(), v.maxLength(LIMITS.name));
export const fileName = field({
  input: nameOfFile,
  output: v.string(),
  initial: "",
  texts: stringText,
});

export const title = required({ input: v.string(), output: v.string() });

const columnCount = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(LIMITS.array),
  v.description("Number of cells in each row."),
);
export const tableWidth = required({
  input: columnCount,
  output: v.number(),
  fixed: true,
});

export const cells = required<readonly RichTextInput[]>({
  input: v.pipe(v.array(richTextInput), v.maxLength(LIMITS.array)),
  output: v.array(richText),
  toRead: (given) => given.map(toRichText),
  issues: (given, pointer) =>
    given.flatMap((cell, index) => richTextIssues(cell, pointerTo(pointer, index))),
  // Sound because cells are stored as `toRichText` returns them.
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
  // A copy shows the children of its original.
  mentions: (read) => read !== null,
});

export const linkedId = field({
  input: idInput,
  output: idOutput,
  toRead: normalizeId,
  // Markdown shows the title of the linked page or database.
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
