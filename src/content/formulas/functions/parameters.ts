/**
 * Parameters of functions: which types they accept, and how they read their arguments.
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

/** A body that is evaluated for each item of a list. */
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
  /** Undefined where a value is missing: then the result is, or an optional argument is left out. */
  read(value: FormulaValue): T | undefined;
  /** Units of work of reading an argument that is no literal text; none where absent. */
  cost?(value: FormulaValue): number;
  /** What was expected in the place of a literal text that never works. */
  expected?(literal: string): string | undefined;
}

/** Whether a type is of a kind, or missing. */
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

/** Any value, the missing one too. */
export function any(name: string): Parameter<FormulaValue> {
  return parameter(anyKind, name);
}

/** Any value, read as true unless it is empty. */
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

/** A number or a list of them; missing ones are left out. */
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

/** A body evaluated for each item of the list that is the first argument. */
export function body(name: string): Parameter<Body> {
  return {
    ...parameter(anyKind, name),
    role: "body",
    // The compiler makes the body itself.
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

/** The parameter left out at will; then, and where its value is missing, it reads as undefined. */
export function optional<T>(one: Parameter<T>): Parameter<T | undefined> {
  return { ...one, presence: "optional" };
}

/** The parameter given any number of times; missing values are left out. */
export function rest<T>(one: Parameter<T>): Parameter<readonly T[]> {
  // Sound because the compiler gathers what `read` gives into one array.
  return { ...one, presence: "rest" } as Parameter<unknown> as Parameter<readonly T[]>;
}

/** The parameter as a text that is one of a few words. */
export function oneOf<T>(
  one: Parameter<string>,
  choice: {
    readonly expects: string;
    find(text: string): T | undefined;
    cost?(text: string): number;
  },
): Parameter<T> {
  const { find, cost } = choice;
  return {
    ...one,
    ...(cost !== undefined && { cost: (value) => typeof value === "string" ? cost(value) : 0 }),
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
