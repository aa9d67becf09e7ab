import { LIMITS } from "../../src/content/values/limits.ts";
import { fillUsers, userTexts } from "../../src/content/values/user_details.ts";
import { assertEquals } from "../assert.ts";

const ID = "00000000-0000-4000-8000-00000000000";
const reference = (digit: number) => ({ object: "user", id: `${ID}${digit}` });
const address = (length: number) => "https://e.test/".padEnd(length, "a");

/** Fills a list of references to the users 1, 2 and 1, of whom 1 has a picture at this address. */
function fillList(avatarUrl: string | null): unknown[] {
  const user = { id: `${ID}1`, type: "person", name: "Ada", email: null, avatarUrl } as const;
  const json = JSON.stringify([1, 2, 1].map(reference));
  return JSON.parse(fillUsers(json, userTexts([user])));
}

Deno.test("references to users are filled in, and unknown ones stay", () => {
  const ada = { ...reference(1), name: "Ada", avatar_url: null, type: "person", person: {} };
  assertEquals(fillList(null), [ada, reference(2), ada]);
  assertEquals(fillUsers('"no users"', userTexts([])), '"no users"');
});

Deno.test("a reference to a user leaves out a long address of the picture", () => {
  const shown = (length: number) => Object(fillList(address(length))[0]).avatar_url;
  assertEquals(shown(LIMITS.referredAvatar), address(LIMITS.referredAvatar));
  assertEquals(shown(LIMITS.referredAvatar + 1), null);
});
