/**
 * The definition of a property type. Each file of `types/` defines one kind; whatever
 * depends on the type of a property asks its kind.
 *
 * @module
 */
import type * as v from "valibot";
import type { ValidationIssue } from "../../shared/errors.ts";
import type { Cell } from "../schema/cells.ts";
import type { Node } from "../schema/node.ts";
import type {
  Option,
  Property,
  PropertyCommon,
  RelationConfig,
  RollupConfig,
} from "../schema/property.ts";
import type { DateValue } from "../values/dates.ts";
import type { Operators } from "./shared/operators.ts";
import type { OptionInput } from "./shared/options.ts";

/** The property before a request, seen from the type that it has after it. */
export interface PreviousConfig<Config> {
  /** Its configuration if it had the same type. */
  readonly same: Config | undefined;
  /** Its options, whatever its type. */
  readonly options: readonly Option[];
}

/** The context in which a configuration is drafted. */
export interface Drafting {
  /** The place of the configuration in the request. */
  readonly pointer: string;
  /** Collects what is wrong with it. */
  readonly issues: ValidationIssue[];
  newId(): string;
}

/** Finds what the configuration of a property names outside of itself. */
export interface ConfigScope {
  /** The expression of a formula with names of properties in place of their ids. */
  shownExpression(expression: string): string;
  /**
   * The property that shows the other side of a relation; undefined if it is single or out of
   * sight.
   */
  otherSide(relation: RelationConfig): PropertyCommon | undefined;
  /** The properties that a rollup names; undefined if they are gone or out of sight. */
  rolledUp(rollup: RollupConfig): {
    readonly relation: PropertyCommon | undefined;
    readonly target: PropertyCommon | undefined;
  };
}

/** The configuration of one type: `Config` as it is stored. */
export interface ConfigKind<Config extends object = object, Input = unknown, Output = unknown> {
  /**
   * The form that clients write. A member that is left out has a default; in an update it stays.
   */
  readonly input: v.GenericSchema<unknown, Input>;
  readonly output: v.GenericSchema<unknown, Output>;
  /** The configuration after an input that its schema accepted. */
  draft(input: Input, previous: PreviousConfig<Config>, drafting: Drafting): Config;
  show(property: PropertyCommon & Config, scope: ConfigScope): Output;
}

/** Who writes a value, and what was stored before. */
export interface WriteContext<Stored = unknown> {
  readonly by: string;
  readonly stored: Stored | undefined;
}

/** The place of a value in the request, and the value stored before. */
export interface ValidationContext<Stored = unknown> {
  readonly pointer: string;
  readonly stored: Stored | undefined;
}

/** The history of a row: facts that are not among its values. */
export type RowHistory = Pick<Node, "createdTime" | "createdBy" | "editedTime" | "editedBy">;

/** The facts outside a row's own document that a response shows. */
export interface RowContext {
  readonly node: RowHistory;
  /** Ids of the rows that a relation shows, in order. Only relations ask for them. */
  links(property: PropertyCommon): readonly string[];
  /** The value of a formula or rollup under its type's key. Only those two ask for it. */
  computed(property: PropertyCommon): unknown;
  /** Milliseconds since the epoch: a verification may have expired. */
  readonly now: number;
}

/** How filters name values of a type, and what they may ask. */
export interface Conditions {
  readonly operators: Operators;
  /** Names beside that of the type itself: a created time may be asked for as a `date`. */
  readonly alsoNamed?: readonly string[];
  /** False if items of a rollup cannot be asked so. */
  readonly ofItems?: false;
}

/** The form in which formulas, and functions of rollups, read a value. */
export type FormulaReading<Read> =
  | { readonly type: "text"; value(read: Read): string | null }
  | { readonly type: "texts"; value(read: Read): readonly string[] }
  | { readonly type: "number"; value(read: Read): number | null }
  | { readonly type: "boolean"; value(read: Read): boolean }
  | { readonly type: "date"; value(read: Read): DateValue | null }
  | { readonly type: "person"; value(read: Read): { readonly id: string } }
  | { readonly type: "people"; value(read: Read): readonly { readonly id: string }[] };

/** One item of a value under a key that equal items share; the item is a value of the same type. */
export type CollectedPart = readonly [key: string, item: unknown];

/** How rollups take a value apart. */
export interface Collecting<Read> {
  /** The items in order; none if the value is empty. */
  parts(read: Read): CollectedPart[];
  /** The cells of the value; none if it is empty. */
  cells(read: Read): readonly Cell[];
}

/** A value of another type, with the text that it reads as. */
export interface OtherValue {
  readonly stored: unknown;
  readonly text: string;
}

/** A property as its kind sees it. */
export type PropertyWith<Config extends ConfigKind> = PropertyCommon & ReturnType<Config["draft"]>;

/**
 * One type of property. `Given` is its value as clients write it, `Stored` as a row's document has
 * it, where an empty value is left out, `Read` as responses show it.
 */
export interface PropertyKind<
  Config extends ConfigKind = ConfigKind,
  Given = unknown,
  Stored = unknown,
  Read = unknown,
  Item = unknown,
> {
  readonly config: Config;

  /** The schema of values that clients write; without it the value is computed. */
  readonly input?: v.GenericSchema<unknown, Given>;
  readonly output: v.GenericSchema<unknown, Read>;
  /** The schema of one item, for a value that is read item by item. */
  readonly item?: v.GenericSchema<unknown, Item>;
  /** Members of a response that stand beside the value. */
  readonly beside?: { readonly has_more: false };
  /** Each row has a number, unique in its database, which is the value; one property shows it. */
  readonly isNumber?: true;
  /** The value of a new row that is given none. */
  initial?(property: PropertyWith<Config>): Stored | undefined;
  /** Returns the stored form of an input without issues; undefined if it is empty. */
  toStored?(
    given: Given,
    property: PropertyWith<Config>,
    context: WriteContext<Stored>,
  ): Stored | undefined;
  /** Returns the faults that the input schema cannot express. */
  issues?(
    given: Given,
    property: PropertyWith<Config>,
    context: ValidationContext<Stored>,
  ): ValidationIssue[];
  /** The options that a value names; the schema gets those that are new. */
  namedOptions?(given: Given): readonly OptionInput[];
  /**
   * The value in a response, unless it `mentions` something, follows from the row and the property
   * alone: not from other rows, users or the time.
   */
  readonly isSelfContained?: true;
  /** The value in a response; `stored` is undefined if it is empty. */
  toRead(stored: Stored | undefined, property: PropertyWith<Config>, row: RowContext): Read;

  /** The member of the row itself that filters and sorts look at in place of cells. */
  readonly member?: keyof RowHistory;
  /** The cell of an empty value; without it the type has no cells. */
  readonly emptyCell?: Cell;
  /** The only cell of a value that is not empty. */
  cell?(stored: Stored): Cell;
  /** The cells of a value that is not empty, of a type that has one for each item. */
  cells?(stored: Stored): Cell[];
  /** All values that a cell can have, in ascending order, if they are few. */
  order?(property: PropertyWith<Config>): readonly Pick<Cell, "number" | "key">[];
  /** Ids of the users that the value shows, by whose names it is sorted. */
  userIds?(stored: Stored | undefined, row: RowHistory): readonly string[];
  /** Without it filters cannot ask for the value by its type. */
  readonly conditions?: Conditions;

  /** Without it formulas take the value for what it is computed to, or cannot read it. */
  readonly formula?: FormulaReading<NoInfer<Read>>;
  /** Without it rollups cannot collect the value. */
  readonly collect?: Collecting<NoInfer<Read>>;

  /** Returns whether names or file addresses are filled in when the value is read. */
  mentions?(stored: Stored): boolean;
  /** The texts that search looks at. */
  texts?(stored: Stored, property: PropertyWith<Config>): readonly string[];
  /** Changes if `texts` change though the stored value does not. */
  textsVersion?(property: PropertyWith<Config>): unknown;
  /** Returns the value as text, for a property whose type is changed. */
  toText?(stored: Stored, property: PropertyWith<Config>): string;
  /** The value that reads so; undefined if there is none. */
  fromText?(text: string, property: PropertyWith<Config>): Stored | undefined;
  /** Types whose values it takes over by `takeOver`: their text would say less, or nothing. */
  readonly takesOver?: readonly string[];
  takeOver?(value: OtherValue, property: PropertyWith<Config>): Stored | undefined;
  /** Returns the part of a value of the same type that a new configuration keeps. */
  retained?(stored: Stored, property: PropertyWith<Config>): Stored | undefined;
  /** The value that YAML front matter gives; undefined if it gives none of this type. */
  fromYaml?(value: unknown): Given | undefined;
}

/**
 * A type of property; what is given, stored and read is inferred from its schemas and functions.
 */
export function propertyKind<
  Config extends ConfigKind,
  Given,
  Stored,
  Read,
  Item = never,
>(
  kind: PropertyKind<Config, Given, Stored, Read, Item>,
): PropertyKind<Config, Given, Stored, Read, Item> {
  return kind;
}

/** The values of a row as they are stored, by id of their property; empty ones are left out. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the stored value of a property; undefined if it is empty. */
export function storedIn(values: Values, { id }: Pick<Property, "id">): unknown {
  return Object.hasOwn(values, id) ? values[id] : undefined;
}
