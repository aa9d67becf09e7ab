/**
 * Random valid inputs of content.
 *
 * @module
 */
import fc from "fast-check";
import { color } from "../../src/content/values/colors.ts";
import type { CoverInput, IconInput } from "../../src/content/values/icons.ts";
import { normalizeId } from "../../src/content/values/ids.ts";
import type { MentionInput } from "../../src/content/values/mention.ts";
import type { RichTextInput, RichTextItemInput } from "../../src/content/values/rich_text.ts";

/** A UUID in any spelling. */
export const anyId: fc.Arbitrary<string> = fc
  .tuple(fc.uuid(), fc.boolean(), fc.boolean())
  .map(([id, undashed, upper]) => {
    const text = undashed ? id.replaceAll("-", "") : id;
    return upper ? text.toUpperCase() : text;
  });

export const dashedId: fc.Arbitrary<string> = anyId.map(normalizeId);

const text = fc.string({ unit: "grapheme", maxLength: 40 });
export const url = fc.webUrl({ size: "small" });
const start = fc.constantFrom("1999-12-31", "1999-12-31T23:59:59.123+05:30", "1999-12-30T10:00");
const end = fc.constantFrom("2024-02-29", "2024-02-29T10:00:00Z", "2024-02-29 10:00");
const zonedStart = fc.constantFrom("1999-12-31T10:00", "1999-12-31T23:59:59.123");
const zonedEnd = fc.constantFrom("2024-03-31T02:30", "2024-10-27T02:30:00.5");

export const date = fc.oneof(
  fc.record({ start, end: fc.option(end) }),
  fc.record({ start: fc.oneof(start, end), time_zone: fc.constant(null) }),
  fc.record({
    start: zonedStart,
    end: fc.option(zonedEnd),
    time_zone: fc.constant("Europe/Paris"),
  }),
);

const user = fc.record(
  { id: anyId, object: fc.constant("user" as const), name: text, person: fc.constant({}) },
  { requiredKeys: ["id"] },
);

const customEmoji = fc.record(
  { id: anyId, name: fc.option(text), url: fc.option(url) },
  { requiredKeys: ["id"] },
);

const mention: fc.Arbitrary<MentionInput> = fc.oneof(
  fc.record({ user }),
  fc.record({ date }),
  fc.record({ page: fc.record({ id: anyId }) }),
  fc.record({ type: fc.constant("database" as const), database: fc.record({ id: anyId }) }),
  fc.record({ custom_emoji: customEmoji }),
  fc.constantFrom<MentionInput>(
    { template_mention: { template_mention_date: "today" } },
    { template_mention: { type: "template_mention_date", template_mention_date: "now" } },
    { type: "template_mention", template_mention: { template_mention_user: "me" } },
  ),
);

const annotations = fc.record({
  bold: fc.boolean(),
  italic: fc.boolean(),
  strikethrough: fc.boolean(),
  underline: fc.boolean(),
  code: fc.boolean(),
  color: fc.constantFrom(...color.options),
}, { requiredKeys: [] });

const style = fc.record(
  { annotations, plain_text: text, href: fc.option(url) },
  { requiredKeys: [] },
);

const textItem = fc.record(
  { type: fc.constant("text" as const), text: fc.record({ content: text }) },
  { requiredKeys: ["text"] },
);
const linkedItem = fc.record({
  text: fc.record({ content: text, link: fc.option(fc.record({ url })) }),
});
const equationItem = fc.record({ equation: fc.record({ expression: text }) });

/** An item of rich text in a request. */
export const richTextItem: fc.Arbitrary<RichTextItemInput> = fc
  .tuple(fc.oneof(textItem, linkedItem, fc.record({ mention }), equationItem), style)
  .map(([item, style]) => ({ ...item, ...style }));

export const richText: fc.Arbitrary<RichTextInput> = fc.array(richTextItem, { maxLength: 8 });

const external = fc.record({ external: fc.record({ url }) });

export const icon: fc.Arbitrary<IconInput> = fc.oneof(
  fc.constant(null),
  fc.constantFrom("🚀", "❤", "👩🏽‍🚒", "🇫🇷", "1️⃣").map((emoji) => ({ emoji })),
  external,
  fc.record({
    icon: fc.record(
      {
        name: fc.string({ minLength: 1, maxLength: 20 }),
        color: fc.constant("lightgray" as const),
      },
      { requiredKeys: ["name"] },
    ),
  }),
  fc.record({ custom_emoji: customEmoji }),
);

export const cover: fc.Arbitrary<CoverInput> = fc.oneof(fc.constant(null), external);
