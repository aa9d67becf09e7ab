/**
 * Icons of pages, databases and callouts, and the covers of pages and databases.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { lazy } from "../../shared/lazy.ts";
import {
  fileAddress,
  fileAddressInput,
  fromAddress,
  fromUpload,
  type HostedFile,
  uploadReference,
} from "./hosted_files.ts";
import { iconColor } from "./colors.ts";
import { LIMITS } from "./limits.ts";
import { customEmoji, customEmojiInput, toCustomEmoji } from "./mention.ts";
import { byKey } from "./union.ts";
import { external, externalInput } from "./urls.ts";

const emojiText = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.emoji));

const externalFileInput = v.strictObject({
  type: v.exactOptional(v.literal("external")),
  external: externalInput,
});

/** An uploaded file in a request, by the id of its upload. */
export const fileUploadInput = v.strictObject({
  type: v.exactOptional(v.literal("file_upload")),
  file_upload: uploadReference,
});
export type FileUploadInput = v.InferOutput<typeof fileUploadInput>;

/** An uploaded file in a request, as an earlier response showed it. */
export const hostedFileInput = v.strictObject({
  type: v.exactOptional(v.literal("file")),
  file: fileAddressInput,
});
export type HostedFileInput = v.InferOutput<typeof hostedFileInput>;

/** An icon of the vendor's set, by its name there. The service has no images of these. */
const namedIconInput = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.name)),
  color: v.exactOptional(iconColor),
});

/** An icon in a request; null removes it. */
export const iconInput = v.nullable(byKey({
  emoji: v.strictObject({ type: v.exactOptional(v.literal("emoji")), emoji: emojiText }),
  external: externalFileInput,
  custom_emoji: v.strictObject({
    type: v.exactOptional(v.literal("custom_emoji")),
    custom_emoji: customEmojiInput,
  }),
  icon: v.strictObject({ type: v.exactOptional(v.literal("icon")), icon: namedIconInput }),
  file_upload: fileUploadInput,
  file: hostedFileInput,
}));
component(
  iconInput.wrapped,
  "IconInput",
  "Icon to set: an emoji, a custom emoji, an icon of Notion's by name, an external image or an uploaded image.",
);
export type IconInput = v.InferOutput<typeof iconInput>;

/** A cover in a request; null removes it. */
export const coverInput = v.nullable(
  byKey({ external: externalFileInput, file_upload: fileUploadInput, file: hostedFileInput }),
);
component(
  coverInput.wrapped,
  "CoverInput",
  "Cover image to set: an external image or an uploaded one.",
);
export type CoverInput = v.InferOutput<typeof coverInput>;

const externalFile = v.object({ type: v.literal("external"), external });

const hostedFile = v.object({ type: v.literal("file"), file: fileAddress });

/** An icon in responses. */
export const icon = v.nullable(v.variant("type", [
  v.object({ type: v.literal("emoji"), emoji: v.string() }),
  externalFile,
  hostedFile,
  v.object({ type: v.literal("custom_emoji"), custom_emoji: customEmoji }),
  v.object({
    type: v.literal("icon"),
    icon: v.object({ name: v.string(), color: iconColor }),
  }),
]));
component(
  icon.wrapped,
  "Icon",
  "Icon of a page, database or callout: an emoji, a custom emoji, an icon of Notion's by name, or an image.",
);
/** The stored form of an uploaded file as an icon or cover. */
interface StoredFile {
  readonly type: "file";
  readonly file: HostedFile;
}

/** The stored form of an icon. */
export type Icon = Exclude<v.InferOutput<typeof icon>, { readonly type: "file" }> | StoredFile;

/** A cover in responses. */
export const cover = v.nullable(v.variant("type", [externalFile, hostedFile]));
component(cover.wrapped, "Cover", "Image above a page or database.");
/** The stored form of a cover. */
export type Cover = Exclude<v.InferOutput<typeof cover>, { readonly type: "file" }> | StoredFile;

/** The stored form of a valid icon. */
export function toIcon(input: IconInput): Icon {
  if (input === null) return null;
  if ("emoji" in input) return { type: "emoji", emoji: input.emoji };
  if ("icon" in input) {
    const { name, color = "gray" } = input.icon;
    return { type: "icon", icon: { name, color } };
  }
  if (!("custom_emoji" in input)) return toCover(input);
  return { type: "custom_emoji", custom_emoji: toCustomEmoji(input.custom_emoji) };
}

/** The stored form of a valid cover. */
export function toCover(input: CoverInput): Cover {
  if (input === null) return null;
  if ("external" in input) return { type: "external", external: input.external };
  return toHostedFile(input);
}

/** The stored form of an uploaded file, by its upload or its download URL. */
export function toHostedFile(input: FileUploadInput | HostedFileInput): StoredFile {
  const file = "file" in input ? fromAddress(input.file) : fromUpload(input.file_upload);
  return { type: "file", file };
}

/** Returns whether an icon or cover is an uploaded file, whose URL is filled in when it is read. */
export function isHosted(look: Icon | Cover): look is StoredFile {
  return look?.type === "file";
}

/** Issues of an icon whose emoji is not an emoji. */
export function iconIssues(input: IconInput, pointer: string): ValidationIssue[] {
  if (input === null || !("emoji" in input) || isEmoji(input.emoji)) return [];
  return [bodyIssue(pointerTo(pointer, "emoji"), { expected: "an emoji", received: input.emoji })];
}

const graphemes = lazy(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
const EMOJI_START =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3)/u;

/** Returns whether a text is a single emoji. */
export function isEmoji(text: string): boolean {
  return EMOJI_START.test(text) && [...graphemes().segment(text)].length === 1;
}
