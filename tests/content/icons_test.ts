import fc from "fast-check";
import * as v from "valibot";
import {
  cover as coverSchema,
  coverInput,
  icon as iconSchema,
  iconInput,
  iconIssues,
  isHosted,
  toCover,
  toIcon,
} from "../../src/content/values/icons.ts";
import { assert, assertEquals } from "../assert.ts";
import { cover, icon } from "./arbitraries.ts";

const ID = "00000000-0000-4000-8000-00000000000a";

Deno.test("toIcon() returns what the output schema accepts, and the same from its own output", () => {
  fc.assert(fc.property(icon, (input) => {
    assert(v.is(iconInput, input));
    assertEquals(iconIssues(input, "/icon"), []);
    const output: unknown = toIcon(input);
    assertEquals(v.parse(iconSchema, output), output);
    assertEquals(toIcon(v.parse(iconInput, output)), output);
  }));
});

Deno.test("toCover() returns what the output schema accepts, and the same from its own output", () => {
  fc.assert(fc.property(cover, (input) => {
    const output: unknown = toCover(input);
    assertEquals(v.parse(coverSchema, output), output);
    assertEquals(toCover(v.parse(coverInput, output)), output);
  }));
});

Deno.test("toIcon() adds the type and completes a custom emoji", () => {
  assertEquals(toIcon(null), null);
  assertEquals(toIcon({ emoji: "🚀" }), { type: "emoji", emoji: "🚀" });
  assertEquals(toIcon({ custom_emoji: { id: ID.toUpperCase() } }), {
    type: "custom_emoji",
    custom_emoji: { id: ID, name: null, url: null },
  });
});

Deno.test("toIcon() gives a named icon the default color, and refuses a color that icons lack", () => {
  const gray = { type: "icon" as const, icon: { name: "pizza", color: "gray" as const } };
  assertEquals(toIcon({ icon: { name: "pizza" } }), gray);
  assertEquals(toIcon(gray), gray);
  for (const color of ["default", "red_background", "teal"]) {
    assert(!v.is(iconInput, { icon: { name: "pizza", color } }), color);
  }
  assert(!v.is(iconInput, { icon: { name: "" } }));
});

Deno.test("coverInput rejects an emoji", () => {
  assert(!v.is(coverInput, { emoji: "🚀" }));
  assert(!v.is(coverInput, { type: "emoji", emoji: "🚀" }));
});

Deno.test("iconIssues() requires a single emoji", () => {
  for (const emoji of ["a", "🚀🚀", "1", "rocket", " 🚀", "🚀 "]) {
    assertEquals(iconIssues({ emoji }, "/icon"), [{
      pointer: "/icon/emoji",
      detail: "body failed validation: body.icon.emoji should be an emoji, instead was " +
        `\`${JSON.stringify(emoji)}\`.`,
    }]);
  }
});

Deno.test("toIcon() and toCover() store an uploaded file by its upload, given by id or by URL", () => {
  const url = `https://recto.example/files/content/dw/${ID}/a.png?expires=1&signature=x`;
  const kept = { type: "file", file: { upload: ID } } as const;
  const inputs = [
    { file_upload: { id: ID.toUpperCase() } },
    { type: "file", file: { url, expiry_time: "2026-01-01T00:00:00.000Z" } },
  ];
  for (const input of inputs) {
    assertEquals(toIcon(v.parse(iconInput, input)), kept);
    assertEquals(toCover(v.parse(coverInput, input)), kept);
  }
  assert(isHosted(kept));
  assert(!v.is(iconInput, { file: { url: "https://example.org/a.png" } }), "an address of others");
});
