/**
 * Parameters of functions: the types that they accept and how they read arguments.
 *
 * @module
 */
import { type FormulaType, itemType } from "../types.ts";
import {
  type FormulaDate,
  type FormulaPage,
  type FormulaPerson,
  type FormulaValue,
  isEmpty,
  isList,
} from "../values.ts";

/** An argument that is evaluated for each item of a list. */
export type Body = (item: FormulaValue, index: number) => FormulaValue;

/** A parameter whose arguments are read as `T`. */
export interface Parameter<T = unknown> {
  readonly name: string;
  /** `a number`, for messages. */
  readonly expects: string;
  readonly presence: "required" | "optional" | "rest";
  /** `body` is compiled with `current` and `index`; `variable` is the name of a new variable. */
  readonly role: "value" | "body" | "variable";
  accepts(type: FormulaType): boolean;
  /**
   * The argument as the function takes it; undefined if the value is missing. Then the result is
   * missing too, or an optional argument counts as left out.
   */
  read(value: FormulaValue): T | undefined;
  /** Units of work that reading an argument other than a literal text costs. */
  cost?(value: FormulaValue): number;
  /** Describes what was expected instead of a literal text that is never valid. */
  expected?(literal: string): string | undefined;
  /** The room that a literal text takes, in about the characters of an expression. */
  size?(literal: string): number;
}

/** Returns whether a type is of this kind or empty. */
function isA(kind: FormulaType["kind"]): (type: FormulaType) => boolean {
  return (type) => type.kind === kind || type.kind === "empty";
}

interface Kind<T> {
  readonly expects: string;
  accepts(type: FormulaType): boolean;
  read(value: FormulaValue): T | undefined;
}

const numberKind: Kind<number> = {
  expects: "a number",
  accepts: isA("number"),
  read: (value) => typeof value === "number" ? value : undefined,
};

const textKind: Kind<string> = {
  expects: "a text",
  accepts: isA("text"),
  read: (value) => typeof value === "string" ? value : "",
};

const dateKind: Kind<FormulaDate> = {
  expects: "a date",
  accepts: isA("date"),
  read: (value) => hasKind(value, "date") ? value : undefined,
};

const listKind: Kind<readonly FormulaValue[]> = {
  expects: "a list",
  accepts: isA("list"),
  read: (value) => isList(value) ? value : [],
};

const anyKind: Kind<FormulaValue> = {
  expects: "a value",
  accepts: () => true,
  read: (value) => value,
};

function parameter<T>(kind: Kind<T>, name: string): Parameter<T> {
  return { ...kind, name, presence: "required", role: "value" };
}

export function number(name: string): Parameter<number> {
  return parameter(numberKind, name);
}

/** A missing text is `""`. */
export function text(name: string): Parameter<string> {
  return parameter(textKind, name);
}

export function date(name: string): Parameter<FormulaDate> {
  return parameter(dateKind, name);
}

/** A missing list is `[]`. */
export function list(name: string): Parameter<readonly FormulaValue[]> {
  return parameter(listKind, name);
}

/** Any value, including the missing one. */
export function any(name: string): Parameter<FormulaValue> {
  return parameter(anyKind, name);
}

/** Any value; true unless it is empty. */
export function condition(name: string): Parameter<boolean> {
  return parameter({ ...anyKind, expects: "a condition", read: (value) => !isEmpty(value) }, name);
}

export function person(name: string): Parameter<FormulaPerson> {
  return parameter({
    expects: "a person",
    accepts: isA("person"),
    read: (value) => hasKind(value, "person") ? value : undefined,
  }, name);
}

export function page(name: string): Parameter<FormulaPage> {
  return parameter({
    expects: "a page",
    accepts: isA("page"),
    read: (value) => hasKind(value, "page") ? value : undefined,
  }, name);
}

/** A number or a list of numbers; missing values are skipped. */
export function numbers(name: string): Parameter<readonly number[]> {
  return parameter({
    expects: "a number or a list of numbers",
    accepts: (type) => isA("number")(itemType(type)),
    read: (value) => {
      const items = isList(value) ? value : [value];
      return items.filter((item) => typeof item === "number");
    },
  }, name);
}

/** A text or a list. */
export function textOrList(name: string): Parameter<string | readonly FormulaValue[]> {
  return parameter({
    expects: "a text or a list",
    accepts: (type) => isA("text")(type) || type.kind === "list",
    read: (value) => typeof value === "string" || isList(value) ? value : "",
  }, name);
}

/** An expression that is evaluated for each item of the list in the first argument. */
export function body(name: string): Parameter<Body> {
  return {
    ...parameter(anyKind, name),
    role: "body",
    // The compiler creates the body.
    read: () => undefined,
  };
}

/** The name of a variable. */
export function variable(name: string): Parameter<never> {
  return {
    name,
    expects: "the name of a variable",
    presence: "required",
    role: "variable",
    accepts: () => true,
    read: () => undefined,
  };
}

/** Makes a parameter optional: it reads as undefined if it is left out or its value is missing. */
export function optional<T>(one: Parameter<T>): Parameter<T | undefined> {
  return { ...one, presence: "optional" };
}

/** Makes a parameter accept any number of arguments; missing values are skipped. */
export function rest<T>(one: Parameter<T>): Parameter<readonly T[]> {
  // Sound because the compiler collects the values of `read` in one array.
  return { ...one, presence: "rest" } as Parameter<unknown> as Parameter<readonly T[]>;
}

/**
 * Restricts a text parameter to the texts that `find` knows, and reads what it returns for them.
 */
export function oneOf<T>(
  one: Parameter<string>,
  choice: {
    readonly expects: string;
    find(text: string): T | undefined;
    cost?(text: string): number;
    size?(text: string): number;
  },
): Parameter<T> {
  const { find, cost, size } = choice;
  return {
    ...one,
    ...(cost !== undefined && { cost: (value) => typeof value === "string" ? cost(value) : 0 }),
    ...(size !== undefined && { size }),
    read: (value) => typeof value === "string" ? find(value) : undefined,
    expected: (literal) => find(literal) === undefined ? choice.expects : undefined,
  };
}

function hasKind<K extends "date" | "person" | "page">(
  value: FormulaValue,
  kind: K,
): value is Extract<FormulaValue, { readonly kind: K }> {
  return value !== null && typeof value === "object" && !isList(value) && value.kind === kind;
}
