/**
 * Edits of a page's Markdown, as text.
 *
 * @module
 */
import * as v from "valibot";
import { validationError } from "../../shared/errors.ts";

/** True if child pages and databases may be moved to the trash. */
const allow_deleting_content = v.exactOptional(v.boolean());
const allow_async = v.exactOptional(v.boolean());

const insertion = v.strictObject({
  content: v.string(),
  after: v.exactOptional(v.string()),
  position: v.exactOptional(v.strictObject({ type: v.picklist(["start", "end"]) })),
});
const rangeReplacement = v.strictObject({
  content: v.string(),
  content_range: v.string(),
  allow_deleting_content,
});
const replacements = v.strictObject({
  content_updates: v.pipe(
    v.array(v.strictObject({
      old_str: v.pipe(v.string(), v.minLength(1)),
      new_str: v.string(),
      replace_all_matches: v.exactOptional(v.boolean()),
    })),
    v.maxLength(100),
  ),
  allow_deleting_content,
});

/** The body of an edit: its `type`, and a member of the same name. */
export const markdownEdit = v.variant("type", [
  v.strictObject({ allow_async, type: v.literal("insert_content"), insert_content: insertion }),
  v.strictObject({
    allow_async,
    type: v.literal("replace_content_range"),
    replace_content_range: rangeReplacement,
  }),
  v.strictObject({ allow_async, type: v.literal("update_content"), update_content: replacements }),
  v.strictObject({
    allow_async,
    type: v.literal("replace_content"),
    replace_content: v.strictObject({ new_str: v.string(), allow_deleting_content }),
  }),
]);
export type MarkdownEdit = v.InferOutput<typeof markdownEdit>;

/** Returns whether an edit may move child pages and databases to the trash. */
export function mayDelete(edit: MarkdownEdit): boolean {
  switch (edit.type) {
    case "insert_content":
      return false;
    case "replace_content_range":
      return edit.replace_content_range.allow_deleting_content === true;
    case "update_content":
      return edit.update_content.allow_deleting_content === true;
    case "replace_content":
      return edit.replace_content.allow_deleting_content === true;
  }
}

/** Returns the text after an edit; throws `validation_error` if it does not find its place. */
export function editText(markdown: string, edit: MarkdownEdit): string {
  switch (edit.type) {
    case "insert_content":
      return insert(markdown, edit.insert_content);
    case "replace_content_range": {
      const { content, content_range: range } = edit.replace_content_range;
      const place = findRange(markdown, range, "/replace_content_range/content_range");
      return markdown.slice(0, place.start) + content + markdown.slice(place.end);
    }
    case "update_content":
      return replaceEach(markdown, edit.update_content.content_updates);
    case "replace_content":
      return edit.replace_content.new_str;
  }
}

function insert(
  markdown: string,
  { content, after, position }: v.InferOutput<typeof insertion>,
): string {
  if (after === undefined) {
    return position?.type === "start" ? `${content}\n\n${markdown}` : `${markdown}\n\n${content}`;
  }
  const { end } = findRange(markdown, after, "/insert_content/after");
  const lineEnd = markdown.indexOf("\n", end);
  const at = lineEnd < 0 ? markdown.length : lineEnd;
  return `${markdown.slice(0, at)}\n\n${content}\n\n${markdown.slice(at)}`;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

const ELLIPSIS = "...";

/** Finds `first words...last words`, or a text without an ellipsis as a whole. */
function findRange(markdown: string, range: string, pointer: string): Stretch {
  const dots = range.indexOf(ELLIPSIS);
  const [first, last] = dots < 0
    ? [range, ""]
    : [range.slice(0, dots), range.slice(dots + ELLIPSIS.length)];
  const start = markdown.indexOf(first);
  const from = start + first.length;
  const ending = start < 0 ? -1 : markdown.indexOf(last, from);
  if (range === "" || ending < 0) throw notFoundIn(pointer, range);
  if (markdown.indexOf(first, from) >= 0 && first !== "" && dots < 0) {
    throw ambiguous(pointer, range);
  }
  return { start, end: dots < 0 ? from : ending + last.length };
}

type Replacement = v.InferOutput<typeof replacements>["content_updates"][number];

/** Each replacement applies to the text that those before it left. */
function replaceEach(markdown: string, updates: readonly Replacement[]): string {
  return updates.reduce((text, { old_str: old, new_str: fresh, replace_all_matches }, index) => {
    const pointer = `/update_content/content_updates/${index}/old_str`;
    const at = text.indexOf(old);
    if (at < 0) throw notFoundIn(pointer, old);
    if (replace_all_matches === true) return text.replaceAll(old, () => fresh);
    if (text.indexOf(old, at + 1) >= 0) throw ambiguous(pointer, old);
    return text.slice(0, at) + fresh + text.slice(at + old.length);
  }, markdown);
}

const SHOWN = 55;

function notFoundIn(pointer: string, text: string): Error {
  const shown = JSON.stringify(text.slice(0, SHOWN));
  return validationError([{ pointer, detail: `The page's Markdown does not contain ${shown}.` }]);
}

function ambiguous(pointer: string, text: string): Error {
  const shown = JSON.stringify(text.slice(0, SHOWN));
  return validationError([{
    pointer,
    detail:
      `The page's Markdown contains ${shown} more than once: give more of the text around it.`,
  }]);
}
