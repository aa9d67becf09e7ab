import fc from "fast-check";
import { didYouMean, issueSentence } from "../../../src/content/formulas/issues.ts";
import { editsBetween } from "../../../src/search/words/corrections.ts";
import { assert, assertEquals } from "../../assert.ts";
import { compiled, env, issuesOf, issueTexts, shown } from "./support.ts";

function assertShown(cases: readonly (readonly [string, string])[]): void {
  for (const [expression, result] of cases) assertEquals(shown(expression), result, expression);
}

Deno.test("operators have the documented precedence", () => {
  assertShown([
    ["1 + 2 * 3", "7"],
    ["(1 + 2) * 3", "9"],
    ["10 - 3 - 2", "5"],
    ["12 / 3 * 2", "8"],
    ["7 % 4 * 2", "6"],
    ["2 ^ 3 ^ 2", "512"],
    ["-2 ^ 2", "-4"],
    ["2 ^ -1", "0.5"],
    ["2 * -3", "-6"],
    ["- -3", "3"],
    ["+3", "3"],
    ["1 + 1 == 2", "true"],
    ["1 < 2 == true", "true"],
    ["not true == false", "true"],
    ["not false == false", "false"],
    ["not false and false", "false"],
    ["true or true and false", "true"],
    ["true || true && false", "true"],
    ["1 > 2 ? 1 : 2 > 1 ? 3 : 4", "3"],
    ["true ? false ? 1 : 2 : 3", "2"],
    ["1 === 1 and 1 !== 2", "true"],
    ['-"abc".length()', "-3"],
    ["!empty(1)", "true"],
  ]);
});

Deno.test("comparisons with a missing value are false; arithmetic counts it as 0", () => {
  assertShown([
    ["empty() < 1", "false"],
    ["empty() >= 1", "false"],
    ['prop("No date") < now()', "false"],
    ["empty() + 1", "1"],
    ["5 * empty()", "0"],
    ["-empty()", "empty"],
    ['"a" < "b"', "true"],
    ["false < true", "true"],
  ]);
});

Deno.test("literals, comments and both call notations are parsed", () => {
  assertShown([
    ['"a\\"b\\\\c\\n\\t\\d"', '"a\\"b\\\\c\\n\\t\\\\d"'],
    ['"line\nbreak"', '"line\\nbreak"'],
    ["1.5e2 + .5", "150.5"],
    ["5.abs()", "5"],
    ["[]", "[]"],
    ["[1, [2].first(), 1 + 2]", "[1, 2, 3]"],
    ["/* one */ 1 /* + 2 \n */ + /**/ 3", "4"],
    ["\n\t 1\u00a0+ 1 \r\n", "2"],
    ['prop("Tags").map(current.upper()).join("-").length()', "8"],
    ['now().dateAdd(1, "days").year()', "2023"],
    ["let(über_1, 2, über_1)", "2"],
    ["e + pi > 5.8", "true"],
    ["not(true)", "false"],
    ["and(true, or(false, true))", "true"],
  ]);
});

Deno.test("variables are visible only inside their result, and inner ones shadow outer ones", () => {
  assertShown([
    ["let(x, 1, let(x, 2, x) + x)", "3"],
    ["lets(x, 1, x, x + 1, x)", "2"],
    ["map([1, 2], filter([1, 2, 3], current > 2).length() + current)", "[2, 3]"],
    ["let(n, 10, map([1, 2], current * n))", "[10, 20]"],
  ]);
  assertEquals(issueTexts("let(x, 1, x) + x"), ["16: There is no x"]);
  assertEquals(issueTexts("map([1], current) == current"), [
    "22: current is only available inside a function that goes through a list, such as map()",
  ]);
});

Deno.test("an issue has an offset, a line and a column", () => {
  const [issue] = issuesOf('if(true,\n  round("a"),\n  2)');
  assertEquals(issue, {
    offset: 17,
    line: 2,
    column: 9,
    message: "round() expects a number as its 1st argument, got text",
  });
  assert(issue !== undefined);
  assertEquals(
    issueSentence(issue),
    "Line 2, column 9: round() expects a number as its 1st argument, got text.",
  );
});

Deno.test("a syntax error is reported at its start", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["", "1: Expected a value, got the end"],
    ["1 +", "4: Expected a value, got the end"],
    ["1 2", "3: Expected an operator or the end, got 2"],
    ["(1", "3: Expected ), got the end"],
    ["[1,]", "4: Expected a value, got ]"],
    ["round(1", "8: Expected ), got the end"],
    ["1.", "3: Expected the name of a function, got the end"],
    ["true ? 1", "9: Expected :, got the end"],
    ['"a".(1)', "5: Expected the name of a function, got ("],
    ['"a".length', "11: Expected (, got the end"],
    ["* 2", "1: Expected a value, got *"],
    ["1 and", "6: Expected a value, got the end"],
    ["and + 1", "1: Expected a value, got and"],
    ['1 + "abc', '5: The text is not closed: expected "'],
    ["1 /* abc", "3: The comment is not closed: expected */"],
    ["'a'", "1: Texts need straight double quotes, got '"],
    ["“a”", "1: Texts need straight double quotes, got “"],
    ["1 # 2", "3: Unexpected #"],
    ["1 = 2", "3: Unexpected ="],
    ["1 + 😀", "5: Unexpected 😀"],
    ["9e999", "1: The number is too large"],
    ["round", "1: round is a function: expected round("],
    ['prop("Price").prop("Status")', "20: prop() expects a page before its dot, got number"],
    ['prop("Button")', '6: This formula cannot read the property "Button"'],
    ["prop(1)", "6: prop() expects the name of a property in quotes"],
    ['prop("Pr" + "ice")', "6: prop() expects the name of a property in quotes"],
    ['prop("a", "b")', '1: prop() is written prop("Name") or page.prop("Name")'],
    ['"Price".prop()', '9: prop() is written prop("Name") or page.prop("Name")'],
  ];
  for (const [expression, message] of cases) {
    assertEquals(issueTexts(expression)[0], message);
  }
});

Deno.test("a misspelt function, property or variable gets a suggestion", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["lenght(1)", "1: There is no function lenght(); did you mean length()?"],
    ["DateAdd()", "1: There is no function DateAdd(); did you mean dateAdd()?"],
    ["mpa([1], 1)", "1: There is no function mpa(); did you mean map()?"],
    ["xyzzyx()", "1: There is no function xyzzyx()"],
    ['prop("Prise")', '6: There is no property "Prise"; did you mean "Price"?'],
    ['prop("price")', '6: There is no property "price"; did you mean "Price"?'],
    ['prop("Nothing like it")', '6: There is no property "Nothing like it"'],
    [
      'prop("Tasks").map(current.prop("Satus"))',
      '32: There is no property "Satus"; did you mean "Status"?',
    ],
    ["let(total, 1, totl)", "15: There is no totl; did you mean total?"],
    ["flase", "1: There is no flase; did you mean false?"],
  ];
  for (const [expression, message] of cases) assertEquals(issueTexts(expression), [message]);
});

Deno.test("one compilation reports several issues, and each mistake once", () => {
  assertEquals(issueTexts('round("a") + abs(true) + nope'), [
    "7: round() expects a number as its 1st argument, got text",
    "18: abs() expects a number as its 1st argument, got boolean",
    "26: There is no nope",
  ]);
  assertEquals(issueTexts("nope + 1 == first(nope2)").length, 2);
  assertEquals(issuesOf(Array.from({ length: 50 }, () => "nope()").join("+")).length, 20);
});

Deno.test("a compiled formula lists the properties that it reads and has a result type", () => {
  const formula = compiled('prop("Price") + prop("Price") > 1 and prop("Tags").includes("x")');
  assertEquals(formula.propertyIds, ["Price#", "Tags#"]);
  assertEquals(formula.resultType, "boolean");
  assertEquals(formula.usesNow, false);
  assertEquals(compiled("[today()]").usesNow, true);
  assertEquals(compiled("[today()]").resultType, "string");
  assertEquals(compiled("empty()").resultType, "string");
  assertEquals(compiled("now()").resultType, "date");
  assertEquals(compiled("1").evaluate(env), 1);
});

Deno.test("names of the runtime are not functions, constants or properties", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    assertEquals(issuesOf(name).length, 1, name);
    assertEquals(issuesOf(`${name}()`).length, 1, name);
    assertEquals(issuesOf(`prop("${name}")`).length, 1, name);
    assertEquals(issuesOf(`"a".${name}()`).length, 1, name);
    assertEquals(shown(`let(${name}, 1, ${name})`), "1");
  }
});

Deno.test("a name is suggested that differs by two edits at most, and by half its letters", () => {
  const word = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 9 })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(word, word, (written, name) => {
      const most = Math.min(2, Math.floor(name.length / 2));
      const isNear = editsBetween(written, name, most) !== undefined;
      assertEquals(didYouMean(written, [name], String), isNear ? `; did you mean ${name}?` : "");
    }),
    { numRuns: 2_000 },
  );
});
