/**
 * Fills in the names of mentioned users, pages and databases, which are stored by id.
 *
 * @module
 */
import { normalizeDate } from "./dates.ts";
import { LIMITS } from "./limits.ts";
import { type Mention, mentionText } from "./mention.ts";

/** Ids of the objects that some content mentions. */
export interface Mentioned {
  readonly users: Set<string>;
  /** Pages and databases. */
  readonly nodes: Set<string>;
}

/** Names of mentioned objects by id. Unknown and inaccessible objects are missing. */
export interface MentionNames {
  readonly users: ReadonlyMap<string, string | null>;
  readonly titles: ReadonlyMap<string, string>;
  urlOf(kind: "page" | "database", id: string): string;
}

/** Returns a title with at most as many characters as a mention shows. */
export function mentionedTitle(title: string): string {
  if (title.length <= LIMITS.mentionedTitle) return title;
  const characters = [...title];
  return characters.length <= LIMITS.mentionedTitle
    ? title
    : `${characters.slice(0, LIMITS.mentionedTitle - 1).join("")}…`;
}

interface MentionItem {
  readonly type: "mention";
  mention: Mention;
  plain_text: string;
  href: string | null;
}

/** Returns whether this JSON text may mention anything. Within a string, the quotes are escaped. */
export function mayMention(json: string): boolean {
  return json.includes('"type":"mention"');
}

/** Adds the users, pages and databases that rich text in this JSON value mentions, at any depth. */
export function collectMentions(value: unknown, { users, nodes }: Mentioned): void {
  visitMentions(value, ({ mention }) => {
    if (mention.type === "user") users.add(mention.user.id);
    if (mention.type === "page") nodes.add(mention.page.id);
    if (mention.type === "database") nodes.add(mention.database.id);
  });
}

/**
 * The JSON text with the names and URLs of its mentions filled in. An unknown user is `@Anonymous`,
 * a page or database without a title is `Untitled`.
 */
export function fillMentions(doc: string, names: MentionNames): string {
  // Documents with files count as mentioning, too, but parsing them changes nothing.
  if (!mayMention(doc)) return doc;
  const value: unknown = JSON.parse(doc);
  visitMentions(value, (item) => fill(item, names));
  return JSON.stringify(value);
}

/**
 * The JSON text with its mentioned dates in the form of `toDate`; earlier versions stored them as
 * clients wrote them.
 */
export function normalizeDates(doc: string): string {
  // Most documents mention no date, so that they need no parsing.
  if (!doc.includes('"mention":{"type":"date"')) return doc;
  const value: unknown = JSON.parse(doc);
  visitMentions(value, (item) => {
    if (item.mention.type !== "date") return;
    item.mention = { type: "date", date: normalizeDate(item.mention.date) };
    item.plain_text = mentionText(item.mention);
  });
  return JSON.stringify(value);
}

function fill(item: MentionItem, names: MentionNames): void {
  const { mention } = item;
  if (mention.type === "user") {
    item.plain_text = `@${names.users.get(mention.user.id) ?? "Anonymous"}`;
  } else if (mention.type === "page") {
    fillNode(item, { kind: "page", id: mention.page.id, names });
  } else if (mention.type === "database") {
    fillNode(item, { kind: "database", id: mention.database.id, names });
  }
}

interface NodeName {
  readonly kind: "page" | "database";
  readonly id: string;
  readonly names: MentionNames;
}

function fillNode(item: MentionItem, { kind, id, names }: NodeName): void {
  // An empty title counts as no title.
  item.plain_text = names.titles.get(id) || "Untitled";
  item.href = names.urlOf(kind, id);
}

function visitMentions(value: unknown, visit: (item: MentionItem) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (isMentionItem(value)) return visit(value);
  for (const inner of Object.values(value)) visitMentions(inner, visit);
}

/** Recognized by its shape, which only `toRichText` creates in a document. */
function isMentionItem(value: object): value is MentionItem {
  return "type" in value && value.type === "mention" && "plain_text" in value;
}
