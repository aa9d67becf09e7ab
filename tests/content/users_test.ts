import * as v from "valibot";
import { type User, user as userSchema, userObject } from "../../src/content/values/users.ts";
import { assertEquals } from "../assert.ts";

const ANA: User = {
  id: "00000000-0000-4000-8000-00000000000a",
  type: "person",
  name: "Ana",
  email: "ana@example.com",
  avatarUrl: null,
};
const ROBOT: User = { ...ANA, type: "bot", name: null, email: null };
const OTHER = { self: false, workspaceName: "Acme", maxFileBytes: 7 };
const SELF = { self: true, workspaceName: "Acme", maxFileBytes: 7 };

Deno.test("userObject() puts a person's e-mail at person.email", () => {
  const ana = userObject(ANA, OTHER);
  assertEquals(ana, {
    object: "user",
    id: ANA.id,
    name: "Ana",
    avatar_url: null,
    type: "person",
    person: { email: "ana@example.com" },
  });
  assertEquals(v.parse(userSchema, ana), ana);
  assertEquals(userObject(ANA, SELF), ana);
});

Deno.test("userObject() leaves out an unknown e-mail", () => {
  assertEquals(userObject({ ...ANA, email: null }, OTHER), {
    object: "user",
    id: ANA.id,
    type: "person",
    name: "Ana",
    avatar_url: null,
    person: {},
  });
});

Deno.test("userObject() shows the details of a bot only to itself", () => {
  const robot = {
    object: "user",
    id: ROBOT.id,
    name: null,
    avatar_url: null,
    type: "bot",
  } as const;
  assertEquals(userObject(ROBOT, OTHER), { ...robot, bot: {} });
  const self = userObject(ROBOT, SELF);
  assertEquals(self, {
    ...robot,
    bot: {
      owner: { type: "workspace", workspace: true },
      workspace_name: "Acme",
      workspace_limits: { max_file_upload_size_in_bytes: 7 },
    },
  });
  assertEquals(v.parse(userSchema, self), self);
});
