/**
 * What the service knows of a type of property.
 *
 * @module
 */
import type * as v from "valibot";
import type { ValidationIssue } from "../../shared/errors.ts";
import type { Property, PropertyOf, PropertyType } from "../schema/property.ts";
import type { Node } from "../schema/node.ts";
import type { Cell } from "../schema/cells.ts";

/** Who writes a value, and what was there before. */
export interface WriteContext<Kept = unknown> {
  readonly by: string;
  readonly kept: Kept | undefined;
}

/** Where a value stands in the request, and what was there before. */
export interface ValidationContext<Kept = unknown> {
  readonly pointer: string;
  readonly kept: Kept | undefined;
}

/** What of an answer is not in a row's own document. */
export interface RowContext {
  readonly node: Pick<Node, "createdTime" | "createdBy" | "editedTime" | "editedBy">;
  /** Ids of the rows that a relation shows, in order. */
  links(property: PropertyOf<"relation">): readonly string[];
  /** The value of a formula or rollup, as it is answered under its type's key. */
  computed(property: PropertyOf<"formula"> | PropertyOf<"rollup">): unknown;
  /** Milliseconds since the epoch: a verification may have expired. */
  readonly now: number;
}

/**
 * One type of property. `Given` is its value as clients write it, `Kept` as it is kept in a row's
 * document, where an empty value is left out, `Read` as it is answered.
 */
export interface PropertyKind<
  P extends Property = Property,
  Given = unknown,
  Kept = unknown,
  Read = unknown,
> {
  /** Without it clients do not write it. */
  readonly input?: v.GenericSchema<unknown, Given>;
  readonly output: v.GenericSchema<unknown, Read>;
  /** One item of it, where it is read item by item. */
  readonly item?: v.GenericSchema;
  /** Members of the answer that stand beside the value. */
  readonly beside?: { readonly has_more: false };
  /** The cell of an empty value; without it the type has no cells. */
  readonly emptyCell?: Cell;
  /** What is kept of an input without faults; undefined where it is empty. */
  keep?(given: Given, property: P, writing: WriteContext<Kept>): Kept | undefined;
  /** What the input schema cannot say. */
  issues?(given: Given, property: P, judging: ValidationContext<Kept>): ValidationIssue[];
  /** `kept` is undefined where the value is empty. */
  answer(kept: Kept | undefined, property: P, row: RowContext): Read;
  /** The cells of a value that is not empty. */
  cells?(kept: Kept): Cell[];
  /** Whether names have to be filled in when it is read. */
  mentions?(kept: Kept): boolean;
  /** What it reads as, so that another type may take it over. */
  toText?(kept: Kept, property: P): string;
  /** The value that reads so; undefined where there is none. */
  fromText?(text: string, property: P): Kept | undefined;
}

/** A type of property: what is given, kept and read follows from its schemas and functions. */
export function propertyKind<T extends PropertyType, Given, Kept, Read>(
  _type: T,
  kind: PropertyKind<PropertyOf<T>, Given, Kept, Read>,
): PropertyKind<PropertyOf<T>, Given, Kept, Read> {
  return kind;
}

/** The values of a row as they are kept, by id of their property; empty ones are left out. */
export type Values = Readonly<Record<string, unknown>>;

/** What is kept of a property's value; undefined where it is empty. */
export function keptOf(values: Values, { id }: Pick<Property, "id">): unknown {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}
