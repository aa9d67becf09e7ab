/**
 * Fields that the policy guards: who may not see them cannot search, filter, sort or count by them
 * either.
 *
 * @module
 */
import { isBlockType } from "../../content/blocks/kinds.ts";
import type { FilterInput, SortInput } from "../../content/query/input.ts";
import type { FieldPath } from "../../http/redact.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";

/** A part of a request, and the members of pages and databases that its result depends on. */
export interface Guarded {
  readonly pointer: string;
  readonly members: readonly string[];
}

/** Returns an issue if the caller may not see one of the members, or a part of it. */
export function guardedIssue(
  hidden: readonly FieldPath[],
  { pointer, members }: Guarded,
): ValidationIssue | undefined {
  const field = hidden.find(({ object, keys: [member = ""] }) =>
    isPage(object) && members.includes(member)
  );
  return field && issueAt(pointer, field);
}

/** Members of pages and databases whose text is searched. */
const TEXTS = ["properties", "title", "description"];

/**
 * Returns an issue if the caller may not see some of the text that words are searched in: which pages
 * are found would tell it.
 */
export function guardedTextIssues(
  hidden: readonly FieldPath[],
  pointer: string,
): ValidationIssue[] {
  const field = hidden.find(({ object, keys: [member = ""] }) =>
    (isPage(object) && TEXTS.includes(member)) || (object === "block" && isBlockType(member))
  );
  return field === undefined ? [] : [issueAt(pointer, field)];
}

/** Returns an issue for each part of a query that depends on what the caller may not see. */
export function guardedQueryIssues(
  hidden: readonly FieldPath[],
  { filter, sorts }: {
    readonly filter: FilterInput | undefined;
    readonly sorts: readonly SortInput[];
  },
): ValidationIssue[] {
  if (hidden.length === 0) return [];
  const parts: Guarded[] = [
    { pointer: "/filter", members: filter === undefined ? [] : membersIn(filter) },
    ...sorts.map((sort, index) => ({
      pointer: pointerTo("/sorts", index),
      members: ["timestamp" in sort ? sort.timestamp : "properties"],
    })),
  ];
  return parts.flatMap((part) => guardedIssue(hidden, part) ?? []);
}

/** Returns the members of rows that the conditions of a filter read. */
export function membersIn(filter: FilterInput): string[] {
  if ("and" in filter) return filter.and.flatMap(membersIn);
  if ("or" in filter) return filter.or.flatMap(membersIn);
  return ["timestamp" in filter ? filter.timestamp : "properties"];
}

/** Returns whether the caller may not see the names of users. */
export function hidesNames(hidden: readonly FieldPath[]): boolean {
  return hidden.some(({ object, keys: [member] }) => object === "user" && member === "name");
}

function isPage(object: string): boolean {
  return object === "page" || object === "database";
}

function issueAt(pointer: string, { object, keys }: FieldPath): ValidationIssue {
  const name = [object, ...keys].join(".");
  return { pointer, detail: `Remove this: your token may not see \`${name}\`.` };
}
