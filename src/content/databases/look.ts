/**
 * What of a database is not its schema: title, description, icon, cover.
 *
 * @module
 */
import type { Fault } from "../../errors.ts";
import {
  type CoverInput,
  iconFaults,
  type IconInput,
  isHosted,
  toCover,
  toIcon,
} from "../icons.ts";
import type { NodeContent } from "../node.ts";
import {
  hasMentions,
  plainText,
  richTextFaults,
  type RichTextInput,
  toRichText,
} from "../rich_text.ts";
import type { DatabaseDoc } from "./database.ts";

/** What a request says of the look of a database. */
export interface LookInput {
  readonly title?: RichTextInput;
  readonly description?: RichTextInput;
  readonly icon?: IconInput;
  readonly cover?: CoverInput;
  readonly is_inline?: boolean;
}

/** The document with what an input without faults says of its look. */
export function withLook(doc: DatabaseDoc, input: LookInput): DatabaseDoc {
  const { title, description, icon, cover, is_inline = doc.is_inline } = input;
  return {
    title: title === undefined ? doc.title : toRichText(title),
    description: description === undefined ? doc.description : toRichText(description),
    icon: icon === undefined ? doc.icon : toIcon(icon),
    cover: cover === undefined ? doc.cover : toCover(cover),
    is_inline,
    properties: doc.properties,
  };
}

/** What the schemas cannot say of an input. */
export function lookFaults({ title, description, icon }: LookInput): Fault[] {
  return [
    ...richTextFaults(title ?? [], "/title"),
    ...richTextFaults(description ?? [], "/description"),
    ...iconFaults(icon ?? null, "/icon"),
  ];
}

/** What a node keeps of a database. */
export function contentOf(doc: DatabaseDoc): NodeContent {
  return {
    title: plainText(doc.title),
    doc: JSON.stringify(doc),
    hasMentions: hasMentions(doc.title) || hasMentions(doc.description) ||
      isHosted(doc.icon) || isHosted(doc.cover),
  };
}
