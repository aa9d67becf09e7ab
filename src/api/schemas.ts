/**
 * The schemas that the document names: each becomes a component, and a type in generated clients.
 *
 * @module
 */
import { blockSchemas } from "../content/blocks/mod.ts";
import { appendInput } from "../content/blocks/append.ts";
import { color } from "../content/values/colors.ts";
import { cover, coverInput, icon, iconInput } from "../content/values/icons.ts";
import { mention, mentionInput } from "../content/values/mention.ts";
import { page } from "../content/pages/page_json.ts";
import { pageCreateInput, pageUpdateInput } from "../content/pages/pages.ts";
import { pageParentInput, parent } from "../content/schema/parents.ts";
import { propertySchemas } from "../content/properties/schemas.ts";
import { richTextItem, richTextItemInput } from "../content/values/rich_text.ts";
import { databaseSchemas } from "../content/databases/schemas.ts";
import { querySchemas } from "../content/query/schemas.ts";
import { fileUpload, uploadInput } from "../content/values/uploads.ts";
import { partialUser, user } from "../content/values/users.ts";
import type { AnySchema } from "../http/endpoint.ts";
import { searchConditions, searchFilter, searchSort } from "../search/input.ts";
import { blockList } from "./blocks/endpoints.ts";
import { pageMarkdown } from "./pages/markdown.ts";
import { highlight, searchMatch } from "./search/matches.ts";
import { documentMeta } from "./meta/openapi.ts";
import { databaseQueryInput, pageList } from "./databases/query.ts";
import {
  semanticMatch,
  semanticPage,
  semanticResultList,
  semanticSearchInfo,
  semanticSearchInput,
} from "./search/semantic.ts";
import { foundDatabase, foundList, foundPage, searchInput } from "./search/keyword.ts";

export const schemas: Readonly<Record<string, AnySchema>> = {
  ...blockSchemas,
  ...propertySchemas,
  ...databaseSchemas,
  ...querySchemas,
  ...searchConditions,
  BlockAppendInput: appendInput,
  BlockList: blockList,
  Color: color,
  Cover: cover.wrapped,
  CoverInput: coverInput.wrapped,
  DatabaseQueryInput: databaseQueryInput,
  FileUpload: fileUpload,
  FileUploadInput: uploadInput,
  FoundDatabase: foundDatabase,
  FoundList: foundList,
  FoundPage: foundPage,
  Highlight: highlight,
  Icon: icon.wrapped,
  IconInput: iconInput.wrapped,
  SemanticSearchInput: semanticSearchInput,
  SemanticMatch: semanticMatch,
  SemanticSearch: semanticSearchInfo,
  SemanticResultList: semanticResultList,
  SemanticPage: semanticPage,
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
  SearchFilter: searchFilter,
  SearchInput: searchInput,
  SearchMatch: searchMatch,
  SearchSort: searchSort,
  User: user,
};
