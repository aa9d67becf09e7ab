/**
 * Edits of a page's Markdown, as text.
 *
 * @module
 */
import * as v from "valibot";
import { validationError } from "../../shared/errors.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { createTextFinder, type TextFinder } from "./find_text.ts";
import { createTextWriter } from "./write_text.ts";

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

/** UTF-16 code units of a page that can be edited as text, and of the text after each edit. */
export const MAX_LENGTH = 1_048_576;
/** Matches that all replacements of a request may replace: each of them takes time. */
const MAX_MATCHES = 1_048_576;

/**
 * Returns the text after an edit. Throws `validation_error` if the edit does not find its place, or
 * if replacements make the text too long or replace too many matches. Other requests are served in
 * between.
 */
export async function editText(
  markdown: string,
  edit: MarkdownEdit,
  rest: Rest = createRest(),
): Promise<string> {
  switch (edit.type) {
    case "insert_content":
      return await insert(markdown, edit.insert_content, rest);
    case "replace_content_range": {
      const { content, content_range: range } = edit.replace_content_range;
      const pointer = "/replace_content_range/content_range";
      const place = await findRange(markdown, { range, pointer }, rest);
      return markdown.slice(0, place.start) + content + markdown.slice(place.end);
    }
    case "update_content":
      return await replaceEach(markdown, edit.update_content.content_updates, rest);
    case "replace_content":
      return edit.replace_content.new_str;
  }
}

async function insert(
  markdown: string,
  { content, after, position }: v.InferOutput<typeof insertion>,
  rest: Rest,
): Promise<string> {
  if (after === undefined) {
    return position?.type === "start" ? `${content}\n\n${markdown}` : `${markdown}\n\n${content}`;
  }
  const wanted = { range: after, pointer: "/insert_content/after" };
  const { end } = await findRange(markdown, wanted, rest);
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
async function findRange(
  markdown: string,
  { range, pointer }: { readonly range: string; readonly pointer: string },
  rest: Rest,
): Promise<Stretch> {
  const dots = range.indexOf(ELLIPSIS);
  const [first, last] = dots < 0
    ? [range, ""]
    : [range.slice(0, dots), range.slice(dots + ELLIPSIS.length)];
  const firsts = await createTextFinder(first, rest);
  const start = await firsts.first(markdown);
  if (range === "" || start < 0) throw notFoundIn(pointer, range);
  const from = start + first.length;
  if (dots < 0) {
    if (await firsts.first(markdown, from) >= 0) throw ambiguous(pointer, range);
    return { start, end: from };
  }
  const ending = await (await createTextFinder(last, rest)).first(markdown, from);
  if (ending < 0) throw notFoundIn(pointer, range);
  return { start, end: ending + last.length };
}

type Replacement = v.InferOutput<typeof replacements>["content_updates"][number];

/** Each replacement applies to the text that those before it left. */
async function replaceEach(
  markdown: string,
  updates: readonly Replacement[],
  rest: Rest,
): Promise<string> {
  let text = markdown;
  let matches = 0;
  for (const [index, update] of updates.entries()) {
    const pointer = `/update_content/content_updates/${index}`;
    const addMatches = (count: number) => {
      matches += count;
      if (matches > MAX_MATCHES) throw tooManyMatches(`${pointer}/old_str`);
    };
    const finder = await createTextFinder(update.old_str, rest);
    const replace = update.replace_all_matches === true ? replaceAll : replaceOne;
    text = await replace(text, update, { pointer, finder, addMatches, rest });
  }
  return text;
}

interface ReplacementContext {
  readonly pointer: string;
  /** Finds the text that is replaced. */
  readonly finder: TextFinder;
  /** Counts matches that are about to be replaced; throws if they are too many in all. */
  readonly addMatches: (count: number) => void;
  readonly rest: Rest;
}

async function replaceOne(
  text: string,
  { old_str: old, new_str: fresh }: Replacement,
  { pointer, finder }: ReplacementContext,
): Promise<string> {
  const start = await finder.first(text);
  if (start < 0) throw notFoundIn(`${pointer}/old_str`, old);
  if (await finder.first(text, start + 1) >= 0) throw ambiguous(`${pointer}/old_str`, old);
  if (text.length + fresh.length - old.length > MAX_LENGTH) {
    throw tooLong(`${pointer}/new_str`, old);
  }
  return text.slice(0, start) + fresh + text.slice(start + old.length);
}

async function replaceAll(
  text: string,
  { old_str: old, new_str: fresh }: Replacement,
  { pointer, finder, addMatches, rest }: ReplacementContext,
): Promise<string> {
  let count = 0;
  await finder.each(text, () => count++);
  if (count === 0) throw notFoundIn(`${pointer}/old_str`, old);
  const length = text.length + count * (fresh.length - old.length);
  // Before the text is built: it could need more than the memory, or than a string can hold.
  if (length > MAX_LENGTH) throw tooLong(`${pointer}/new_str`, old);
  addMatches(count);
  const writer = createTextWriter(length);
  let end = 0;
  await finder.each(text, (start) => {
    writer.write(text, end, start);
    writer.write(fresh);
    end = start + old.length;
  });
  writer.write(text, end);
  return writer.read(rest);
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

function tooLong(pointer: string, text: string): Error {
  const shown = JSON.stringify(text.slice(0, SHOWN));
  const detail =
    `Replacing ${shown} makes the page's Markdown longer than ${MAX_LENGTH} characters: append, update and delete blocks.`;
  return validationError([{ pointer, detail }]);
}

function tooManyMatches(pointer: string): Error {
  const detail =
    `The edits replace more than ${MAX_MATCHES} matches in all: send fewer of them in one request.`;
  return validationError([{ pointer, detail }]);
}
