/**
 * Pages: the schemas of their inputs and the documents that are stored.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { blockChildrenInput, type BlockInput, blockIssues } from "../blocks/mod.ts";
import {
  type Cover,
  type CoverInput,
  coverInput,
  type Icon,
  type IconInput,
  iconInput,
  iconIssues,
  isHosted,
  toCover,
  toIcon,
} from "../values/icons.ts";
import { LIMITS } from "../values/limits.ts";
import { type Edit, firstState, type Node, type NodeContent } from "../schema/node.ts";
import { type PageParent, pageParentInput } from "../schema/parents.ts";
import {
  editProperties,
  type Properties,
  type PropertiesInput,
  propertiesInput,
  propertyIssues,
  titleOf,
  UNTITLED,
} from "../properties/mod.ts";
import { hasMentions, plainText } from "../values/rich_text.ts";

/** The dialect of a text in a request. */
const markdownVariant = v.pipe(
  v.picklist(["commonmark", "enhanced"]),
  v.description(
    "Dialect of `markdown`: CommonMark, or Notion's enhanced Markdown. By default a text with constructs of enhanced Markdown is read as such.",
  ),
);

/** A new page. */
export const pageCreateInput = v.strictObject({
  parent: pageParentInput,
  properties: propertiesInput,
  icon: v.exactOptional(iconInput),
  cover: v.exactOptional(coverInput),
  children: v.exactOptional(blockChildrenInput),
  content: v.exactOptional(
    v.pipe(blockChildrenInput, v.description("Alias of `children`.")),
  ),
  markdown: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(LIMITS.markdown),
      v.description("The content as CommonMark with GFM and math, instead of `children`."),
    ),
  ),
  markdown_variant: v.exactOptional(markdownVariant),
});
component(pageCreateInput, "PageCreateInput", "A new page, or a new row of a database.");
export type PageCreateInput = v.InferOutput<typeof pageCreateInput>;

/** An edit of a page; members that are left out stay. */
export const pageUpdateInput = v.strictObject({
  properties: v.exactOptional(propertiesInput),
  icon: v.exactOptional(iconInput),
  cover: v.exactOptional(coverInput),
  archived: v.exactOptional(
    v.pipe(v.boolean(), v.description("Alias of `in_trash`.")),
  ),
  in_trash: v.exactOptional(
    v.pipe(v.boolean(), v.description("True moves the page to the trash, false restores it.")),
  ),
});
component(
  pageUpdateInput,
  "PageUpdateInput",
  "Changes to a page. Fields that you leave out keep their values.",
);
export type PageUpdateInput = v.InferOutput<typeof pageUpdateInput>;

/** The content of a page's `doc`. */
export interface PageDoc {
  readonly cover: Cover;
  readonly icon: Icon;
  /** True if people should not edit the page; absent if they may. */
  readonly is_locked?: true;
  readonly properties: Properties;
}

export interface NewPage {
  readonly input: PageCreateInput;
  readonly id: string;
  readonly parent: PageParent;
  readonly position: string;
  readonly edit: Edit;
}

/** Creates the node of a page from a valid input. */
export function newPage({ input, id, parent, position, edit }: NewPage): Node {
  return {
    id,
    kind: "page",
    type: "child_page",
    parentKind: parent.kind,
    parentId: parent.id,
    containerId: parent.id,
    position,
    ...editedContent({ cover: null, icon: null, properties: UNTITLED }, input),
    ...firstState(edit),
  };
}

/** A valid edit of a page, and whether people should not edit it from now on. */
export type PageEdit = PageUpdateInput & { readonly is_locked?: boolean };

/** The content of a page after a valid edit; trash and restore are handled elsewhere. */
export function editPage(node: Node, input: PageEdit): NodeContent {
  return editedContent(parsePageDoc(node.doc), input);
}

/** The initial blocks of a new page. */
export function firstBlocks({ children, content }: PageCreateInput): readonly BlockInput[] {
  return children ?? content ?? [];
}

/**
 * All issues of a new page that the schema cannot express, including those of its blocks. The input
 * is at `pointer` in the body.
 */
export function pageCreateIssues(input: PageCreateInput, pointer = ""): ValidationIssue[] {
  const { children, content, markdown } = input;
  // The properties of a row are validated against its database.
  const isRow = "database_id" in input.parent;
  const isTwice = children !== undefined && content !== undefined;
  const isBeside = markdown !== undefined && (children ?? content) !== undefined;
  return [
    ...(isRow ? [] : propertyIssues(input.properties, `${pointer}/properties`)),
    ...appearanceIssues(input, pointer),
    ...blockIssues(children ?? [], `${pointer}/children`),
    ...blockIssues(content ?? [], `${pointer}/content`),
    ...(isTwice ? [{ pointer: `${pointer}/content`, detail: CONTENT_TWICE }] : []),
    ...(isBeside ? [{ pointer: `${pointer}/markdown`, detail: MARKDOWN_BESIDE }] : []),
  ];
}

const CONTENT_TWICE = "Give either `children` or its alias `content`, not both.";
const MARKDOWN_BESIDE = "Give either `children` or `markdown`, not both.";

/** All issues of an edit of a page that is not a row. */
export function pageUpdateIssues(input: PageUpdateInput): ValidationIssue[] {
  return [...propertyIssues(input.properties ?? {}, "/properties"), ...appearanceIssues(input)];
}

/** Parses the `doc` of a page. */
export function parsePageDoc(doc: string): PageDoc {
  // Sound because only `newPage` and `editPage` write it.
  return JSON.parse(doc) as PageDoc;
}

interface ContentInput {
  readonly properties?: PropertiesInput;
  readonly icon?: IconInput;
  readonly cover?: CoverInput;
  /** Only `/v1` has it. */
  readonly is_locked?: boolean;
}

function editedContent(doc: PageDoc, input: ContentInput): NodeContent {
  const properties = editProperties(doc.properties, input.properties ?? {});
  const title = titleOf(properties);
  const content: PageDoc = {
    cover: input.cover === undefined ? doc.cover : toCover(input.cover),
    icon: input.icon === undefined ? doc.icon : toIcon(input.icon),
    ...((input.is_locked ?? doc.is_locked) && { is_locked: true }),
    properties,
  };
  return {
    title: plainText(title),
    doc: JSON.stringify(content),
    hasMentions: hasMentions(title) || isHosted(content.icon) || isHosted(content.cover),
  };
}

/** Issues of an icon that its schema cannot express; covers have none. */
export function appearanceIssues(
  { icon }: Pick<ContentInput, "icon">,
  pointer = "",
): ValidationIssue[] {
  return iconIssues(icon ?? null, `${pointer}/icon`);
}
