/**
 * The schemas that the document names: each becomes a component, and a type in generated clients.
 *
 * @module
 */
import { blockSchemas } from "../content/blocks.ts";
import { cover, icon } from "../content/icons.ts";
import { page } from "../content/page_json.ts";
import { pageCreateInput, pageUpdateInput } from "../content/pages.ts";
import { parent } from "../content/parents.ts";
import { propertyItemList } from "../content/property_items.ts";
import { richTextItem } from "../content/rich_text.ts";
import { partialUser, user } from "../content/users.ts";
import type { AnySchema } from "../http/endpoint.ts";
import { blockList } from "./blocks.ts";
import { documentMeta } from "./openapi.ts";

export const schemas: Readonly<Record<string, AnySchema>> = {
  ...blockSchemas,
  BlockList: blockList,
  Cover: cover,
  Icon: icon,
  OpenapiMeta: documentMeta,
  Page: page,
  PageCreateInput: pageCreateInput,
  PageUpdateInput: pageUpdateInput,
  Parent: parent,
  PartialUser: partialUser,
  PropertyItemList: propertyItemList,
  RichTextItem: richTextItem,
  User: user,
};
