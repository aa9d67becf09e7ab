import fc from "fast-check";
import { compileFormula } from "../../../src/content/formulas/formula.ts";
import { quoted } from "../../../src/content/formulas/lexer.ts";
import { shownExpression, type StoredReference } from "../../../src/content/formulas/references.ts";
import { assertEquals } from "../../assert.ts";
import { anyText, compiled, env, scope, storedScope, TASKS } from "./support.ts";

const NAMES = new Map([["Price#", "Price"], ["Tags#", "Tags"], ["Tasks#", "Tasks"], [
  'A "quoted" \\ name#',
  'A "quoted" \\ name',
]]);

function nameOf({ databaseId, propertyId }: StoredReference): string | undefined {
  return databaseId === undefined ? NAMES.get(propertyId) : propertyId.replace(/#$/, "");
}

Deno.test("the stored form of a formula has ids instead of names and is otherwise unchanged", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['  prop( "Price" )*2 /* prop("Price") */', '  prop( "Price#" )*2 /* prop("Price") */'],
    ['"prop(\\"Price\\")" + prop("Price")', '"prop(\\"Price\\")" + prop("Price#")'],
    ['prop("A \\"quoted\\" \\\\ name")', 'prop("A \\"quoted\\" \\\\ name#")'],
    [
      'prop("Tasks").map(current.prop("Hours")).sum() > prop("Price")',
      `prop("Tasks#").map(current.prop("${TASKS}/Hours#")).sum() > prop("Price#")`,
    ],
    ['length("Price#") + length("Price")', 'length("Price#") + length("Price")'],
    ["1 + 1", "1 + 1"],
  ];
  for (const [expression, stored] of cases) {
    const formula = compiled(expression);
    assertEquals(formula.stored, stored);
    assertEquals(shownExpression(stored, nameOf), expression);
    const again = compiled(stored, storedScope);
    assertEquals(again.stored, stored);
    assertEquals(again.evaluate(env), formula.evaluate(env));
  }
});

Deno.test("renaming a property changes only the shown expression", () => {
  const { stored } = compiled('prop("Price") + 1');
  assertEquals(shownExpression(stored, () => 'Co"st'), 'prop("Co\\"st") + 1');
  assertEquals(compiled(stored, storedScope).evaluate(env), 13.5);
});

Deno.test("a deleted property is shown by its reference and makes the stored formula invalid", () => {
  const { stored } = compiled('prop("Price") + prop("Name").length()');
  const shownText = shownExpression(
    stored,
    (reference) => reference.propertyId === "Price#" ? "Price" : undefined,
  );
  assertEquals(shownText, 'prop("Price") + prop("Name#").length()');
  const gone = {
    ...storedScope,
    names: [],
    property: (id: string) => id === "Name#" ? undefined : storedScope.property(id),
  };
  const issues = compileFormula(stored, gone);
  assertEquals(Array.isArray(issues) && issues.map(({ message }) => message), [
    'There is no property "Name#"',
  ]);
});

Deno.test("related properties are listed once", () => {
  const formula = compiled(
    'prop("Tasks").filter(current.prop("Hours") > 1).map(current.prop("Hours"))',
  );
  assertEquals(formula.related, [{ databaseId: TASKS, propertyId: "Hours#" }]);
  assertEquals(formula.propertyIds, ["Tasks#"]);
});

Deno.test("shownExpression() inverts the stored form for any name", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("", " ", "/* x */"), (name, gap) => {
      const anyName = {
        ...scope,
        property: () => ({ id: "abc", type: { kind: "number" } as const }),
      };
      const expression = `1 + prop(${gap}${quoted(name)}${gap})`;
      const formula = compileFormula(expression, anyName);
      const stored = Array.isArray(formula) ? "" : formula.stored;
      assertEquals(stored, `1 + prop(${gap}"abc"${gap})`);
      assertEquals(shownExpression(stored, () => name), expression);
    }),
  );
});

Deno.test("shownExpression() returns malformed expressions unchanged", () => {
  for (const text of ['prop("x', "prop(", "'", 'prop("a"))(']) {
    assertEquals(shownExpression(text, () => undefined), text);
  }
});
