/**
 * Converts the values of blocks from requests to their stored form.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { Field } from "./fields.ts";
import type { BlockKind } from "./kinds.ts";
import type { BlockValue } from "./types.ts";

/** The stored form of a block's value. */
export interface PlannedBlock {
  readonly doc: string;
  readonly hasMentions: boolean;
}

/** The value of a new block, with defaults for what the client left out. */
export function newValue(kind: BlockKind, given: BlockValue): BlockValue {
  const value = chosen(kind, given) ?? {};
  for (const [key, field] of kind.own) {
    const member = given[key];
    value[key] = member === undefined ? field.initial : toRead(field, member);
  }
  return value;
}

/** The value after an edit, which replaces whole members. */
export function editedValue(
  kind: BlockKind,
  { current, given }: { readonly current: BlockValue; readonly given: BlockValue },
): BlockValue {
  const value = chosen(kind, given) ?? chosenBefore(kind, current);
  for (const [key, field] of kind.own) {
    const member = given[key];
    value[key] = member === undefined ? current[key] : toRead(field, member);
  }
  return value;
}

/** The value as JSON text, and whether names or URLs have to be filled in when it is read. */
export function planBlock(kind: BlockKind, value: BlockValue): PlannedBlock {
  const hasMentions = kind.writable.some(([key, field]) => {
    return field.mentions?.(value[key]) === true;
  });
  return { doc: JSON.stringify(value), hasMentions };
}

export interface GivenAt {
  readonly given: BlockValue;
  readonly pointer: string;
}

/** Issues of the given members that their schemas cannot find. */
export function valueIssues(kind: BlockKind, { given, pointer }: GivenAt): ValidationIssue[] {
  return kind.writable.flatMap(([key, field]) => {
    const member = given[key];
    if (member === undefined || field.issues === undefined) return [];
    return field.issues(member, pointerTo(pointer, key));
  });
}

/** The keys of the choice that the value has. */
export function choicesIn({ choice }: BlockKind, value: BlockValue): string[] {
  if (choice === undefined) return [];
  return Object.keys(choice.write).filter((key) => value[key] !== undefined);
}

type MutableValue = Record<string, unknown>;

function chosen(kind: BlockKind, given: BlockValue): MutableValue | undefined {
  const [type] = choicesIn(kind, given);
  const field = type === undefined ? undefined : kind.choice?.write[type];
  if (type === undefined || field === undefined) return undefined;
  const { readAs = type } = field;
  return { type: readAs, [readAs]: toRead(field, given[type]) };
}

function chosenBefore({ choice }: BlockKind, { type, ...current }: BlockValue): MutableValue {
  return choice === undefined || typeof type !== "string" ? {} : { type, [type]: current[type] };
}

function toRead(field: Field, given: unknown): unknown {
  return field.toRead === undefined ? given : field.toRead(given);
}
