/**
 * Functions of the formula language on lists.
 *
 * @module
 */
import { BOOLEAN, commonType, type FormulaType, listOf, NUMBER, TEXT, typeName } from "../types.ts";
import {
  compareValues,
  equalityKey,
  equalValues,
  type FormulaValue,
  isEmpty,
  isList,
  joined,
} from "../values.ts";
import { boundedList } from "../compute_budget.ts";
import {
  define,
  type DerivedType,
  type FormulaFunction,
  itemOfFirst,
  sameAsFirst,
} from "./define.ts";
import { any, body, list, number, optional, rest, text } from "./parameters.ts";

/** The common type of all arguments, all of them lists. */
const commonList: DerivedType = {
  label: "list",
  of: (types) => {
    let common: FormulaType = { kind: "list", of: { kind: "empty" } };
    for (const type of types) {
      const next = commonType(common, type);
      if (next === undefined) {
        return { expected: `lists of one type, got ${types.map(typeName).join(" and ")}` };
      }
      common = next;
    }
    return common;
  },
};

/** Boolean, if the type of the second argument fits the items of the first. */
const hasSuchItems: DerivedType = {
  label: "boolean",
  of: ([first, second]) => {
    if (first?.kind !== "list" || second === undefined) return BOOLEAN;
    if (commonType(first.of, second) !== undefined) return BOOLEAN;
    return {
      expected: `a value of its list's type, got ${typeName(first)} and ${typeName(second)}`,
    };
  },
};

const listOfBody: DerivedType = { label: "list", of: ([, type]) => listOf(type ?? TEXT) };

const flatList: DerivedType = {
  label: "list",
  of: ([type]) => type?.kind === "list" && type.of.kind === "list" ? type.of : type ?? TEXT,
};

/** The item at an index; a negative index counts from the end. */
function itemAt(items: readonly FormulaValue[], index: number): FormulaValue {
  return items.at(Math.trunc(index)) ?? null;
}

function flat(items: readonly FormulaValue[]): readonly FormulaValue[] {
  const all: FormulaValue[] = [];
  for (const item of items) {
    if (isList(item)) all.push(...item);
    else all.push(item);
    boundedList(all);
  }
  return all;
}

const ITEMS: readonly FormulaFunction[] = [
  define({
    name: "at",
    parameters: [list("list"), number("index")],
    returns: itemOfFirst,
    description: "The item at an index, from 0; negative indexes count from the end.",
    examples: [["at([1, 2, 3], 1)", "2"], ["at([1, 2, 3], -1)", "3"], ["at([1], 5)", "empty"]],
    call: ([items, index]) => itemAt(items, index),
  }),
  define({
    name: "first",
    parameters: [list("list")],
    returns: itemOfFirst,
    description: "The first item.",
    examples: [["first([1, 2, 3])", "1"]],
    call: ([items]) => itemAt(items, 0),
  }),
  define({
    name: "last",
    parameters: [list("list")],
    returns: itemOfFirst,
    description: "The last item.",
    examples: [["last([1, 2, 3])", "3"]],
    call: ([items]) => itemAt(items, -1),
  }),
  define({
    name: "slice",
    parameters: [list("list"), number("start"), optional(number("end"))],
    returns: sameAsFirst,
    description: "The items from one index, from 0, up to but not including another.",
    examples: [["slice([1, 2, 3], 1, 2)", "[2]"], ["slice([1, 2, 3], 1)", "[2, 3]"]],
    call: ([items, start, end]) => items.slice(start, end),
  }),
  define({
    name: "count",
    parameters: [list("list")],
    returns: NUMBER,
    description: "The number of items in a list.",
    examples: [["count([1, 2, 3])", "3"]],
    call: ([items]) => items.length,
  }),
  define({
    name: "includes",
    parameters: [list("list"), any("value")],
    returns: hasSuchItems,
    description: "Whether a list contains a value.",
    examples: [['includes(["a", "b"], "b")', "true"]],
    call: ([items, value], frame) => items.some((item) => equalValues(item, value, frame)),
  }),
];

const ORDERS: readonly FormulaFunction[] = [
  define({
    name: "concat",
    parameters: [list("list"), rest(list("lists"))],
    returns: commonList,
    description: "The items of all lists in one.",
    examples: [["concat([1, 2], [3, 4])", "[1, 2, 3, 4]"]],
    call: ([items, others]) => flat([items, ...others]),
  }),
  define({
    name: "sort",
    parameters: [list("list"), optional(body("by"))],
    returns: sameAsFirst,
    description:
      "The items in ascending order, or ordered by an expression evaluated for each; missing values come last.",
    examples: [["sort([3, 1, 2])", "[1, 2, 3]"], [
      'sort(["bb", "a"], length(current))',
      '["a", "bb"]',
    ]],
    call: ([items, by], frame) => {
      // The result is as long: what is too long need not be sorted first.
      boundedList(items);
      const keyed = items.map((item, i) => ({ item, key: by === undefined ? item : by(item, i) }));
      return keyed.sort((a, b) => compareValues(a.key, b.key, frame)).map(({ item }) => item);
    },
  }),
  define({
    name: "reverse",
    parameters: [list("list")],
    returns: sameAsFirst,
    description: "The items in the opposite order.",
    examples: [["reverse([1, 2, 3])", "[3, 2, 1]"]],
    call: ([items]) => items.toReversed(),
  }),
  define({
    name: "unique",
    parameters: [list("list")],
    returns: sameAsFirst,
    description: "The distinct items.",
    examples: [["unique([1, 1, 2])", "[1, 2]"]],
    call: ([items], frame) => {
      const byKey = new Map<unknown, FormulaValue>();
      for (const item of items) {
        const key = equalityKey(item, frame);
        if (!byKey.has(key)) byKey.set(key, item);
      }
      return [...byKey.values()];
    },
  }),
  define({
    name: "flat",
    parameters: [list("list")],
    returns: flatList,
    description: "The list with nested lists flattened by one level.",
    examples: [["flat([[1, 2], [3]])", "[1, 2, 3]"]],
    call: ([items]) => flat(items),
  }),
  define({
    name: "join",
    parameters: [list("list"), text("separator")],
    returns: TEXT,
    description: "The items as one text, joined by a separator.",
    examples: [['join(["a", "b", "c"], ", ")', '"a, b, c"']],
    call: ([items, separator], frame) => joined(items, separator, frame),
  }),
];

const BODIES: readonly FormulaFunction[] = [
  define({
    name: "map",
    parameters: [list("list"), body("value")],
    returns: listOfBody,
    description:
      "The value of an expression for each item, which is `current`; its index, from 0, is `index`.",
    examples: [["map([1, 2, 3], current + index)", "[1, 3, 5]"]],
    call: ([items, value]) => items.map(value),
  }),
  define({
    name: "filter",
    parameters: [list("list"), body("condition")],
    returns: sameAsFirst,
    description: "The items for which a condition holds.",
    examples: [["filter([1, 2, 3], current > 1)", "[2, 3]"]],
    call: ([items, holds]) => items.filter((item, i) => !isEmpty(holds(item, i))),
  }),
  define({
    name: "find",
    parameters: [list("list"), body("condition")],
    returns: itemOfFirst,
    description: "The first item for which a condition holds.",
    examples: [["find([1, 2, 3], current > 1)", "2"], ["find([1], current > 1)", "empty"]],
    call: ([items, holds]) => items.find((item, i) => !isEmpty(holds(item, i))) ?? null,
  }),
  define({
    name: "findIndex",
    parameters: [list("list"), body("condition")],
    returns: NUMBER,
    description:
      "The index of the first item for which a condition holds, from 0; -1 if there is none.",
    examples: [["findIndex([1, 2, 3], current > 1)", "1"], ["findIndex([1], current > 1)", "-1"]],
    call: ([items, holds]) => items.findIndex((item, i) => !isEmpty(holds(item, i))),
  }),
  define({
    name: "some",
    parameters: [list("list"), body("condition")],
    returns: BOOLEAN,
    description: "Whether a condition holds for any item.",
    examples: [["some([1, 2, 3], current == 2)", "true"], ["some([], current)", "false"]],
    call: ([items, holds]) => items.some((item, i) => !isEmpty(holds(item, i))),
  }),
  define({
    name: "every",
    parameters: [list("list"), body("condition")],
    returns: BOOLEAN,
    description: "Whether a condition holds for all items.",
    examples: [["every([1, 2, 3], current > 0)", "true"], ["every([], current)", "true"]],
    call: ([items, holds]) => items.every((item, i) => !isEmpty(holds(item, i))),
  }),
];

export const LISTS: readonly FormulaFunction[] = [...ITEMS, ...ORDERS, ...BODIES];
