/**
 * The part of a database besides its schema: title, description, icon, cover, lock and template.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import {
  type CoverInput,
  type IconInput,
  iconIssues,
  isHosted,
  toCover,
  toIcon,
} from "../values/icons.ts";
import { normalizeId } from "../values/ids.ts";
import type { NodeContent } from "../schema/node.ts";
import {
  hasMentions,
  plainText,
  type RichTextInput,
  richTextIssues,
  toRichText,
} from "../values/rich_text.ts";
import type { DatabaseDoc } from "../schema/database.ts";
import { withValidMaterialized } from "./materialized_formulas.ts";

/** The members of a request that set the appearance of a database. */
export interface AppearanceInput {
  readonly title?: RichTextInput;
  readonly description?: RichTextInput;
  readonly icon?: IconInput;
  readonly cover?: CoverInput;
  readonly is_inline?: boolean;
  /** Only `/v1` has it. */
  readonly is_locked?: boolean;
  /** Null removes it. Only `/v1` has it. */
  readonly default_template_id?: string | null;
}

/** The document with the appearance of a valid input; members that are left out stay. */
export function withAppearance(doc: DatabaseDoc, input: AppearanceInput): DatabaseDoc {
  const { title, description, icon, cover, is_inline = doc.is_inline } = input;
  const { is_locked = doc.is_locked, default_template_id: template = doc.default_template_id } =
    input;
  return {
    title: title === undefined ? doc.title : toRichText(title),
    description: description === undefined ? doc.description : toRichText(description),
    icon: icon === undefined ? doc.icon : toIcon(icon),
    cover: cover === undefined ? doc.cover : toCover(cover),
    is_inline,
    ...(is_locked && { is_locked }),
    ...(typeof template === "string" && { default_template_id: normalizeId(template) }),
    properties: doc.properties,
    ...(doc.materialized && { materialized: doc.materialized }),
  };
}

/** Issues of an input that its schema cannot express. */
export function appearanceIssues({ title, description, icon }: AppearanceInput): ValidationIssue[] {
  return [
    ...richTextIssues(title ?? [], "/title"),
    ...richTextIssues(description ?? [], "/description"),
    ...iconIssues(icon ?? null, "/icon"),
  ];
}

/** The content of a node that stores the database. */
export function contentOf(doc: DatabaseDoc): NodeContent {
  return {
    title: plainText(doc.title),
    doc: JSON.stringify(withValidMaterialized(doc)),
    hasMentions: hasMentions(doc.title) || hasMentions(doc.description) ||
      isHosted(doc.icon) || isHosted(doc.cover),
  };
}
