import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { coverInput, iconInput } from "../../src/content/values/icons.ts";
import { page } from "../../src/content/pages/page_json.ts";
import { pageCreateInput, pageUpdateInput } from "../../src/content/pages/pages.ts";
import { propertyItemList } from "../../src/content/properties/property_items.ts";
import { richText, richTextInput } from "../../src/content/values/rich_text.ts";
import { user } from "../../src/content/values/users.ts";
import { assertEquals } from "../assert.ts";

const SCHEMAS: Readonly<Record<string, v.GenericSchema>> = {
  coverInput,
  iconInput,
  page,
  pageCreateInput,
  pageUpdateInput,
  propertyItemList,
  richText,
  richTextInput,
  user,
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  Deno.test(`${name} has a JSON Schema`, () => {
    const json = toJsonSchema(schema, { target: "draft-2020-12" });
    assertEquals(json.$schema, "https://json-schema.org/draft/2020-12/schema");
  });
}
