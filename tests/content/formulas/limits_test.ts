import fc from "fast-check";
import { compileFormula } from "../../../src/content/formulas/formula.ts";
import { PATTERN, patternOf } from "../../../src/content/formulas/patterns.ts";
import {
  MAX_EXPRESSION,
  MAX_HEIGHT,
  MAX_LIST,
  MAX_NESTING,
  MAX_TEXT,
} from "../../../src/content/formulas/compute_budget.ts";
import {
  equalityKey,
  equalValues,
  type FormulaValue,
} from "../../../src/content/formulas/values.ts";
import { assert, assertEquals } from "../../assert.ts";
import { compiled, env, issueTexts, scope, shown, valueOf } from "./support.ts";

function nested(depth: number, open: string, close: string): string {
  return open.repeat(depth) + "1" + close.repeat(depth);
}

Deno.test("an expression that is nested too deeply is an issue", () => {
  const kinds: readonly (readonly [string, string])[] = [
    ["(", ")"],
    ["[", "]"],
    ["abs(", ")"],
    ["-", ""],
    ["not ", ""],
    ["1^", ""],
    ["if(true, ", ", 2)"],
    ["true ? ", " : 1"],
    ["true ? 1 : ", ""],
    ["let(x, ", ", x)"],
    ["map([1], ", ")"],
  ];
  for (const [open, close] of kinds) {
    const depth = Math.min(10_000, Math.floor((MAX_EXPRESSION - 1) / (open + close).length));
    const issues = issueTexts(nested(depth, open, close));
    assertEquals(issues.length, 1);
    assert(issues[0]?.includes("The formula is nested deeper than 200 levels"), issues[0]);
    const fine = compiled(nested(MAX_NESTING - 2, open, close));
    fine.evaluate(env);
  }
});

Deno.test("an unclosed and very deep expression is an issue too", () => {
  for (const open of ["(", "[", "f(", "/*", '"', "-", "1+", "a?", "prop("]) {
    const expression = open.repeat(10_000);
    assert(Array.isArray(compileFormula(expression, scope)), open);
  }
});

Deno.test("a chain of operators or dots is limited to 500", () => {
  assertEquals(valueOf(Array.from({ length: MAX_HEIGHT }, () => "1").join("+")), MAX_HEIGHT);
  assertEquals(valueOf("1" + ".abs()".repeat(MAX_HEIGHT - 1)), 1);
  for (const chain of ["1" + "+1".repeat(10_000), "1" + ".abs()".repeat(5_000)]) {
    assertEquals(issueTexts(chain), ["1: More than 500 operations are nested"]);
  }
});

Deno.test("an expression that is too long is an issue", () => {
  const fits = "1".padEnd(MAX_EXPRESSION, " ");
  assertEquals(valueOf(fits), 1);
  assertEquals(issueTexts(`${fits} `), [
    `${MAX_EXPRESSION + 1}: The formula is longer than ${MAX_EXPRESSION} characters`,
  ]);
});

Deno.test("texts and lists that would be too long become missing values", () => {
  const cases: readonly (readonly [string, string])[] = [
    [`length(repeat("a", ${MAX_TEXT}))`, `${MAX_TEXT}`],
    [`repeat("a", ${MAX_TEXT + 1})`, "empty"],
    ['repeat("ab", 10 ^ 300)', "empty"],
    ['padStart("a", 10 ^ 9)', "empty"],
    ['padEnd("a", 10 ^ 9)', "empty"],
    [`let(a, repeat("a", ${MAX_TEXT / 2}), length(a + a))`, `${MAX_TEXT}`],
    [`let(a, repeat("a", ${MAX_TEXT / 2}), a + a + "b")`, "empty"],
    [`replaceAll(repeat("a", 500), "a", repeat("b", 1000))`, "empty"],
    [`split(repeat("a", ${MAX_LIST}), "").length()`, `${MAX_LIST}`],
    [`split(repeat("a", ${MAX_LIST + 1}), "")`, "empty"],
    [`let(a, split(repeat("a", ${MAX_LIST}), ""), concat(a, a))`, "empty"],
    [`let(a, split(repeat("a", ${MAX_LIST}), ""), join(a, "aaaaaaaaaa"))`, "empty"],
    [`formatDate(now(), repeat("L", 1000))`, "empty"],
  ];
  for (const [expression, result] of cases) assertEquals(shown(expression), result, expression);
});

function sumOf(count: number, term: string): string {
  return Array.from({ length: count }, () => term).join(" + ");
}

Deno.test("an evaluation that exceeds its budget ends with a missing value", () => {
  const big = `split(repeat("a", ${MAX_LIST}), "")`;
  const hostile = [
    `let(a, ${big}, a.map(a.map(a.map(current))))`,
    `let(a, ${big}, a.map(a.sort()))`,
    `let(a, ${big}, a.filter(a == a.reverse()))`,
    `let(a, ${big}, a.map(a).flat())`,
    `let(a, ${big}, a.map(a).unique())`,
    `let(a, ${big}, a.map(a).format())`,
    `let(a, ${big}, a.map(a.includes("b")))`,
    `let(a, ${big}, a.map(a.join("")))`,
    `let(a, ${big}, a.map(replaceAll(repeat("a", 1000), "a", "b")))`,
    `let(a, ${big}, a.map(repeat("a", ${MAX_TEXT}).lower()))`,
    `replaceAll(repeat("a", ${MAX_TEXT}), "a*?b|a", "c")`,
    `${big}.some(${sumOf(200, "index")} < 0)`,
    `${big}.some(${sumOf(12, 'prop("Price")')} < 0)`,
    `${big}.some(not split("${"a".repeat(64)}", ""))`,
    `${big}.some(repeat("a", ${MAX_TEXT}) == repeat("b", ${MAX_TEXT}))`,
    `let(a, repeat("a", ${MAX_TEXT - 1}), let(b, a + "b", ${big}.some(a > b)))`,
    `${big}.some(not (repeat("a", 9000) + "b"))`,
    big + ".sort(index * 7919 % 10007)".repeat(5),
  ];
  for (const expression of hostile) {
    assertEquals(compiled(expression).evaluate(env), null, expression);
  }
});

Deno.test("each part of a date's format draws on the budget, and so does reading the format", () => {
  const formatted = (format: string) => {
    const shared = { left: 1_000_000 };
    const expression = `map(split(repeat("a,", 99), ","), formatDate(now(), ${format})).length()`;
    assertEquals(compiled(expression).evaluate({ ...env, shared }), 100);
    return 1_000_000 - shared.left;
  };
  const [short, long] = [formatted('"w"'), formatted(`"${"w[".repeat(250)}"`)];
  assert(long - short > 20_000, `${short} and ${long} units`);
  assert(formatted(`"${"w[".repeat(250)}" + ""`) - long > 20_000);
});

Deno.test("a change of case draws on the budget more than other texts do", () => {
  const unitsOf = (expression: string) => {
    const shared = { left: 1_000_000 };
    assertEquals(compiled(expression).evaluate({ ...env, shared }), 64_000);
    return 1_000_000 - shared.left;
  };
  const text = 'repeat("a", 64000)';
  const trimmed = unitsOf(`length(trim(${text}))`);
  for (const name of ["lower", "upper"]) {
    assertEquals(unitsOf(`length(${name}(${text}))`) - trimmed, 4_000);
  }
});

Deno.test("each reference in a replacement draws on the budget for each match", () => {
  const replaced = (references: number) => {
    const shared = { left: 1_000_000 };
    const expression = `length(replaceAll(repeat("a", 100), "()a", repeat("$1", ${references})))`;
    return [compiled(expression).evaluate({ ...env, shared }), 1_000_000 - shared.left] as const;
  };
  const [none, few] = replaced(0);
  const [empty, more] = replaced(5_000);
  assertEquals([none, empty, replaced(50_000)[0]], [0, 0, null]);
  assert(more - few > 50_000, `${few} and ${more} units`);
});

Deno.test("distinct lists of long texts draw on the budget by their characters", () => {
  const lists = (count: number) =>
    `let(t, repeat("a", 64000), unique([map(split(repeat("a,", ${count}), ","), t)]).length())`;
  assertEquals([valueOf(lists(9)), valueOf(lists(9_999))], [1, null]);
  const shared = { left: 1_000_000 };
  assertEquals(compiled(lists(49)).evaluate({ ...env, shared }), 1);
  assert(shared.left < 950_000, `${shared.left}`);
});

Deno.test("keys are the same for equal lists alone, and grow with their depth no faster than it", () => {
  const listOf = (items: fc.Arbitrary<FormulaValue>): fc.Arbitrary<FormulaValue> =>
    fc.option(fc.array(items, { maxLength: 3 }));
  const text = fc.string({ unit: fc.constantFrom("1", ":", '"', "2"), maxLength: 3 });
  const value = listOf(listOf(fc.option(text)));
  fc.assert(
    fc.property(value, value, (a, b) => {
      const budget = { left: 1_000 };
      const areEqual = equalValues(a, b, budget);
      assertEquals(equalityKey(a, budget) === equalityKey(b, budget), areEqual);
    }),
    { numRuns: 2_000 },
  );
  let deep: FormulaValue = '"\\'.repeat(10);
  for (let level = 0; level < 100; level++) deep = [deep];
  assertEquals(String(equalityKey(deep, { left: 1_000 })).length < 1_000, true);
});

Deno.test("the result of a list that is too large for a text is missing", () => {
  const expression = `let(a, split(repeat("a", ${MAX_LIST}), ""), a.map(a))`;
  assertEquals(compiled(`${expression}.format()`).evaluate(env), null);
  assertEquals(compiled(`${expression}.length()`).evaluate(env), MAX_LIST);
});

Deno.test("patterns that block a backtracking engine are matched in linear time", () => {
  const hostile = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^([a-z]+)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(.*)(.*)(.*)(.*)(.*)x$",
    "(x+x+)+y",
    "(a*)*b",
  ];
  for (const pattern of hostile) {
    assertEquals(shown(`test(repeat("a", 25000) + "!", "${pattern}")`), "false");
  }
});

Deno.test("compiling patterns during an evaluation draws on its budget", () => {
  const tests = (count: number) =>
    valueOf(`split(repeat("a,", ${count}), ",").map(test("x", "x{1,100}" + index)).length()`);
  assertEquals([tests(9), tests(900)], [10, null]);
});

Deno.test("patterns that are too long or that RE2 does not support are rejected", () => {
  for (
    const pattern of [
      "(?=a)",
      "(?!a)",
      "(?<=a)b",
      "(a)\\1",
      "[",
      "(",
      "a{1,100000}",
      "((a{100}){100}){100}",
      "a".repeat(501),
    ]
  ) {
    assertEquals(patternOf(pattern), undefined, pattern);
    assertEquals(valueOf(`test("a", prop("Name") + "${pattern.replaceAll("\\", "\\\\")}")`), null);
  }
  for (
    const pattern of ["\\d{3}-\\w+", "(?<year>\\d+)", "[^,]*?", "\\p{L}+", "(?i)a", "^a$|\\bb"]
  ) {
    assert(patternOf(pattern) !== undefined, pattern);
  }
});

Deno.test("patterns whose repetitions, written out, are too long are rejected before they are compiled", () => {
  const refused =
    "11: The regular expressions of the formula repeat too much, or have too many classes: written out, they have more than 300 characters more than the formula";
  assertEquals(issueTexts('test("a", "a{1000}")'), [refused]);
  const many = Array.from({ length: 60 }, (_, at) => `test("a", "b{40}${at}")`).join(" or ");
  assert(issueTexts(many).every((text) => text.includes("repeat too much")), issueTexts(many)[0]);
  assertEquals(shown('test("aaa", "^a{1,140}$")'), "true");
  assertEquals(valueOf('test("a", "a{1000}" + "")'), null);
  assertEquals(shown('test("aaa", "^a{1,390}$" + "")'), "true");
});

Deno.test("what is written between repetitions hides none of them", () => {
  const hiding = [
    `\\Q[\\E${"a{1000}".repeat(69)}]`,
    `\\Q\\e[\\E${"a{1000}".repeat(69)}]`,
    "a{25}(?i){40}".repeat(7),
    "a{30}\\Q\\E{30}",
    "(?:a{20}*(?i){30}b){2}",
  ];
  for (const pattern of hiding) {
    assertEquals(patternOf(pattern), undefined, pattern);
    assert(PATTERN.size(pattern) > 800, `${pattern}: ${PATTERN.size(pattern)}`);
  }
  for (const pattern of ["\\Q[a]{9}\\E{3}", "(?i)a{3}(?-i)", "\\Q[", "[\\]{9}]"]) {
    assert(patternOf(pattern) !== undefined, pattern);
  }
});

Deno.test("patterns with many or large classes are rejected before they are compiled", () => {
  const large = [
    "\\pL".repeat(160),
    `(?i)[${"\\PN".repeat(14)}]`,
    "(?i)[\u0100-\uffff]",
    "(?i:[\\x{100}-\\x{1ffff}])",
    "(?si)[\\101-\u{1f000}]",
  ];
  for (const pattern of large) {
    assertEquals(patternOf(pattern), undefined, pattern);
    assert(PATTERN.size(pattern) > 800, `${pattern}: ${PATTERN.size(pattern)}`);
  }
  const small = [
    "^[^\\p{L}\\p{M}\\p{N}\\p{P}]{2,50}$",
    "(?i)[a-z\u00e0-\u00ff\\d]+",
    "(?i)[\\x41-\\x5a\\t-\\r]",
    "[\u0100-\uffff]{9}",
    "(?-i)[\u0100-\uffff]",
    "(?i)a\\\\pL - \\d",
  ];
  for (const pattern of small) {
    assert(patternOf(pattern) !== undefined, pattern);
    assert(PATTERN.size(pattern) < 400, `${pattern}: ${PATTERN.size(pattern)}`);
  }
});

Deno.test("the regular expressions of a formula have 10,000 characters at most", () => {
  const tests = (count: number) =>
    issueTexts(Array.from({ length: count }, () => `test("a", "${"ab".repeat(250)}")`).join("or "));
  assertEquals(tests(20), []);
  const [issue] = tests(21);
  assert(issue?.includes("more than 10000 characters together"), issue);
});

Deno.test("a formula can have more classes the longer it is", () => {
  const tests = (count: number, pattern: string) =>
    issueTexts(Array.from({ length: count }, (_, n) => `test("a", "${pattern}${n}")`).join(" or "));
  assertEquals(tests(1, "[^\\\\p{L}\\\\p{M}\\\\p{N}\\\\p{P}]"), []);
  assertEquals(tests(40, "(?i)[a-z\u00e0-\u00ff]"), []);
  for (const pattern of ["[\\\\pL\\\\pN]", "(?i)[\u4e00-\u9fa5]"]) {
    const [issue] = tests(40, pattern);
    assert(issue?.includes("too many classes"), issue);
  }
});

Deno.test("a pattern is charged by its text, also if it is rejected", () => {
  assertEquals(PATTERN.cost(`(${"a".repeat(399)}`), PATTERN.cost("a".repeat(400)));
  assertEquals(PATTERN.cost(`[${"\\W".repeat(200)}]`), PATTERN.cost("a".repeat(402)));
  assert(PATTERN.cost("\\pL".repeat(13)) > PATTERN.cost("a".repeat(400)));
  assertEquals(PATTERN.cost("\\pL".repeat(160)), PATTERN.cost("a{1000}"));
  const rejected = 'format(index) + repeat("\\\\pL", 160) + "("';
  const list = 'split(repeat("a,", 99), ",")';
  assertEquals(valueOf(`${list}.map(test("a", ${rejected})).length()`), null);
});

Deno.test("large patterns are kept compiled only for as long as there is room", () => {
  const large = (n: number) => patternOf(`a{390}b{390}${n}`);
  const first = large(0);
  assert(first !== undefined && large(0) === first);
  for (let n = 1; n < 150; n++) large(n);
  assert(large(0) !== first);
});

Deno.test("the size of a pattern tells how many steps it is compiled to", () => {
  const repetition = fc.array(
    fc.constantFrom("?", "*", "{3}", "{2,}", "{0,4}", "{1,9}", "{0}", "(?i)", "\\Q\\E", "\\Q[\\E"),
    { maxLength: 3 },
  ).map((parts) => parts.join(""));
  const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
    pattern: fc.array(
      fc.tuple(
        fc.oneof(
          {
            weight: 3,
            arbitrary: fc.constantFrom(
              ...[
                "a",
                "\\d",
                "[a-z]",
                "\\p{L}",
                "\\x{41}",
                ".",
                "]",
                "[[:alpha:]\\]]",
                "\\Q(\\e[\\E",
              ],
            ),
          },
          { weight: 1, arbitrary: tie("group") },
        ),
        repetition,
      ),
      { minLength: 1, maxLength: 5 },
    ).map((parts) => parts.map((part) => part.join("")).join("")),
    group: fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
  }));
  fc.assert(
    fc.property(pattern, (text) => {
      const steps = patternOf(text)?.programSize() ?? 0;
      const size = PATTERN.size(text);
      assert(steps <= 2 * size + 10, `${text}: ${size} for ${steps} steps`);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("a long text that repeats itself is found and divided as any other", () => {
  const part = 'repeat("a", 20000) + "b" + repeat("a", 20000)';
  const text = `repeat("a", 30000) + "b" + repeat("a", 30000)`;
  assertEquals(shown(`contains(${text}, ${part})`), "true");
  assertEquals(shown(`contains(repeat("a", 100000), ${part})`), "false");
  assertEquals(shown(`split(${text}, ${part}).map(length(current))`), "[10000, 10000]");
});
