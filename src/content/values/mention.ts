/**
 * Mentions in rich text: of users, dates, pages, databases, template values and custom emoji.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { dateInput, dateValue, toDate } from "./dates.ts";
import { idInput, idOutput, normalizeId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import { byKey } from "./union.ts";
import { referredUser, toPartialUser, userReferenceInput } from "./users.ts";

const reference = v.object({ id: idOutput });
const referenceInput = v.strictObject({ id: idInput });

/** A custom emoji in a request. Only its id is used. */
export const customEmojiInput = v.strictObject({
  id: idInput,
  name: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.name)))),
  url: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.url)))),
});

/** A custom emoji in responses. */
export const customEmoji = v.object({
  id: idOutput,
  name: v.nullable(v.string()),
  url: v.nullable(v.string()),
});
export type CustomEmoji = v.InferOutput<typeof customEmoji>;

const templateDay = v.picklist(["today", "now"]);
const templateUser = v.literal("me");

const templateMentionInput = byKey({
  template_mention_date: v.strictObject({
    type: v.exactOptional(v.literal("template_mention_date")),
    template_mention_date: templateDay,
  }),
  template_mention_user: v.strictObject({
    type: v.exactOptional(v.literal("template_mention_user")),
    template_mention_user: templateUser,
  }),
});

const templateMention = v.variant("type", [
  v.object({ type: v.literal("template_mention_date"), template_mention_date: templateDay }),
  v.object({ type: v.literal("template_mention_user"), template_mention_user: templateUser }),
]);
type TemplateMention = v.InferOutput<typeof templateMention>;

/** A mention in a request. Only the service creates link previews. */
export const mentionInput = byKey({
  user: v.strictObject({ type: v.exactOptional(v.literal("user")), user: userReferenceInput }),
  date: v.strictObject({ type: v.exactOptional(v.literal("date")), date: dateInput }),
  page: v.strictObject({ type: v.exactOptional(v.literal("page")), page: referenceInput }),
  database: v.strictObject({
    type: v.exactOptional(v.literal("database")),
    database: referenceInput,
  }),
  template_mention: v.strictObject({
    type: v.exactOptional(v.literal("template_mention")),
    template_mention: templateMentionInput,
  }),
  custom_emoji: v.strictObject({
    type: v.exactOptional(v.literal("custom_emoji")),
    custom_emoji: customEmojiInput,
  }),
});
component(
  mentionInput,
  "MentionInput",
  "A mention to write: exactly one key names its type, which `type` may repeat.",
);
export type MentionInput = v.InferOutput<typeof mentionInput>;

/** A mention in responses. */
export const mention = v.variant("type", [
  v.object({ type: v.literal("user"), user: referredUser }),
  v.object({ type: v.literal("date"), date: dateValue }),
  v.object({ type: v.literal("page"), page: reference }),
  v.object({ type: v.literal("database"), database: reference }),
  v.object({ type: v.literal("template_mention"), template_mention: templateMention }),
  v.object({ type: v.literal("custom_emoji"), custom_emoji: customEmoji }),
  v.object({ type: v.literal("link_preview"), link_preview: v.object({ url: v.string() }) }),
  v.object({ type: v.literal("link_mention"), link_mention: v.looseObject({ href: v.string() }) }),
]);
component(
  mention,
  "Mention",
  "What an item of rich text mentions, in the field that `type` names.",
);
export type Mention = v.InferOutput<typeof mention>;

/** The stored form of a valid mention. */
export function toMention(input: MentionInput): Mention {
  if ("user" in input) return { type: "user", user: toPartialUser(normalizeId(input.user.id)) };
  if ("date" in input) return { type: "date", date: toDate(input.date) };
  if ("page" in input) return { type: "page", page: toReference(input.page) };
  if ("database" in input) return { type: "database", database: toReference(input.database) };
  if ("custom_emoji" in input) {
    return { type: "custom_emoji", custom_emoji: toCustomEmoji(input.custom_emoji) };
  }
  return { type: "template_mention", template_mention: toTemplate(input.template_mention) };
}

/** The stored form of a custom emoji. */
export function toCustomEmoji(input: v.InferOutput<typeof customEmojiInput>): CustomEmoji {
  return { id: normalizeId(input.id), name: input.name ?? null, url: input.url ?? null };
}

/** The plain text of a mention; `""` if it is a name, which is filled in when it is read. */
export function mentionText(mention: Mention): string {
  if (mention.type === "date") return dateText(mention.date);
  if (mention.type === "template_mention") return templateText(mention.template_mention);
  if (mention.type === "custom_emoji") return emojiText(mention.custom_emoji);
  if (mention.type === "link_preview") return mention.link_preview.url;
  return mention.type === "link_mention" ? mention.link_mention.href : "";
}

function toReference(input: v.InferOutput<typeof referenceInput>): v.InferOutput<typeof reference> {
  return { id: normalizeId(input.id) };
}

function toTemplate(input: v.InferOutput<typeof templateMentionInput>): TemplateMention {
  return "template_mention_date" in input
    ? { type: "template_mention_date", template_mention_date: input.template_mention_date }
    : { type: "template_mention_user", template_mention_user: input.template_mention_user };
}

function dateText({ start, end }: v.InferOutput<typeof dateValue>): string {
  return end === null ? start : `${start} → ${end}`;
}

function emojiText({ name }: CustomEmoji): string {
  return name === null ? "" : `:${name}:`;
}

function templateText(template: TemplateMention): string {
  if (template.type === "template_mention_user") return "@Me";
  return template.template_mention_date === "today" ? "@Today" : "@Now";
}
