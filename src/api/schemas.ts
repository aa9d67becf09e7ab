/**
 * The schemas that the document names: each becomes a component, and a type in generated clients.
 *
 * @module
 */
import { blockSchemas } from "../content/blocks.ts";
import { appendInput } from "../content/blocks/append.ts";
import { color } from "../content/colors.ts";
import { cover, coverInput, icon, iconInput } from "../content/icons.ts";
import { mention, mentionInput } from "../content/mention.ts";
import { page } from "../content/page_json.ts";
import { pageCreateInput, pageUpdateInput } from "../content/pages.ts";
import { pageParentInput, parent } from "../content/parents.ts";
import { propertySchemas } from "../content/properties/schemas.ts";
import { richTextItem, richTextItemInput } from "../content/rich_text.ts";
import { databaseSchemas } from "../content/databases/schemas.ts";
import { querySchemas } from "../content/query/schemas.ts";
import { fileUpload, uploadInput } from "../content/uploads.ts";
import { partialUser, user } from "../content/users.ts";
import type { AnySchema } from "../http/endpoint.ts";
import { blockList } from "./blocks.ts";
import { pageMarkdown } from "./markdown.ts";
import { documentMeta } from "./openapi.ts";
import { databaseQueryInput, pageList } from "./query.ts";

export const schemas: Readonly<Record<string, AnySchema>> = {
  ...blockSchemas,
  ...propertySchemas,
  ...databaseSchemas,
  ...querySchemas,
  BlockAppendInput: appendInput,
  BlockList: blockList,
  Color: color,
  Cover: cover.wrapped,
  CoverInput: coverInput.wrapped,
  DatabaseQueryInput: databaseQueryInput,
  FileUpload: fileUpload,
  FileUploadInput: uploadInput,
  Icon: icon.wrapped,
  IconInput: iconInput.wrapped,
  Mention: mention,
  MentionInput: mentionInput,
  OpenapiMeta: documentMeta,
  Page: page,
  PageList: pageList,
  PageCreateInput: pageCreateInput,
  PageMarkdown: pageMarkdown,
  PageParentInput: pageParentInput,
  PageUpdateInput: pageUpdateInput,
  Parent: parent,
  PartialUser: partialUser,
  RichTextItem: richTextItem,
  RichTextItemInput: richTextItemInput,
  User: user,
};
