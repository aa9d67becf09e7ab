/**
 * Icons of pages, databases and callouts, and the covers of pages and databases.
 *
 * @module
 */
import * as v from "valibot";
import type { Fault } from "../errors.ts";
import { bodyFault, pointerTo } from "../faults.ts";
import { idInput } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { customEmoji, customEmojiInput, toCustomEmoji } from "./mention.ts";
import { byKey } from "./union.ts";
import { external, externalInput } from "./urls.ts";

const emojiText = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.emoji));

const externalFileInput = v.strictObject({
  type: v.exactOptional(v.literal("external")),
  external: externalInput,
});

/** A file uploaded before, by its id. */
export const fileUploadInput = v.strictObject({
  type: v.exactOptional(v.literal("file_upload")),
  file_upload: v.strictObject({ id: idInput }),
});
export type FileUploadInput = v.InferOutput<typeof fileUploadInput>;

/** An icon as a client writes it; null clears it. */
export const iconInput = v.nullable(byKey({
  emoji: v.strictObject({ type: v.exactOptional(v.literal("emoji")), emoji: emojiText }),
  external: externalFileInput,
  custom_emoji: v.strictObject({
    type: v.exactOptional(v.literal("custom_emoji")),
    custom_emoji: customEmojiInput,
  }),
  file_upload: fileUploadInput,
}));
export type IconInput = v.InferOutput<typeof iconInput>;

/** A cover as a client writes it; null clears it. */
export const coverInput = v.nullable(
  byKey({ external: externalFileInput, file_upload: fileUploadInput }),
);
export type CoverInput = v.InferOutput<typeof coverInput>;

const externalFile = v.object({ type: v.literal("external"), external });

const hostedFile = v.object({
  type: v.literal("file"),
  file: v.object({
    url: v.string(),
    expiry_time: v.pipe(v.string(), v.description("When `url` ends; read again to renew it.")),
  }),
});

/** An icon as it is answered. */
export const icon = v.nullable(v.variant("type", [
  v.object({ type: v.literal("emoji"), emoji: v.string() }),
  externalFile,
  hostedFile,
  v.object({ type: v.literal("custom_emoji"), custom_emoji: customEmoji }),
]));
export type Icon = v.InferOutput<typeof icon>;

/** A cover as it is answered. */
export const cover = v.nullable(v.variant("type", [externalFile, hostedFile]));
export type Cover = v.InferOutput<typeof cover>;

/** The icon of an input without faults. */
export function toIcon(input: IconInput): Icon {
  if (input === null) return null;
  if ("emoji" in input) return { type: "emoji", emoji: input.emoji };
  if (!("custom_emoji" in input)) return toCover(input);
  return { type: "custom_emoji", custom_emoji: toCustomEmoji(input.custom_emoji) };
}

/** The cover of an input without faults. */
export function toCover(input: CoverInput): Cover {
  // `coverFaults` refuses every upload, so none gets here.
  if (input === null || "file_upload" in input) return null;
  return { type: "external", external: input.external };
}

/** An emoji that is none, and an upload that does not exist. */
export function iconFaults(input: IconInput, pointer: string): Fault[] {
  if (input === null) return [];
  if ("file_upload" in input) return [uploadFault(input, pointer)];
  if (!("emoji" in input) || isEmoji(input.emoji)) return [];
  return [bodyFault(pointerTo(pointer, "emoji"), { expected: "an emoji", received: input.emoji })];
}

/** An upload that does not exist. */
export function coverFaults(input: CoverInput, pointer: string): Fault[] {
  return input !== null && "file_upload" in input ? [uploadFault(input, pointer)] : [];
}

/** The fault of naming an upload: there are none yet. */
export function uploadFault({ file_upload }: FileUploadInput, pointer: string): Fault {
  const detail = `Could not find file_upload with ID: ${file_upload.id}.`;
  return { pointer: `${pointer}/file_upload/id`, detail };
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const EMOJI_START =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u;

/** Whether a text is one emoji. */
export function isEmoji(text: string): boolean {
  return EMOJI_START.test(text) && [...graphemes.segment(text)].length === 1;
}
