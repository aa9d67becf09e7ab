import { FUNCTIONS } from "../../../src/content/formulas/functions/table.ts";
import {
  BOOLEAN,
  commonType,
  DATE,
  type FormulaType,
  listOf,
  NUMBER,
  PERSON,
  TEXT,
  typeName,
} from "../../../src/content/formulas/types.ts";
import { assert, assertEquals } from "../../assert.ts";
import { issuesOf, issueTexts, shown } from "./support.ts";

/** Results of each function, for ordinary and for missing values. */
const CASES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  prop: [['prop("Price")', "12.5"], ['prop("No number")', "empty"], [
    'prop("Tags")',
    '["red", "blue"]',
  ]],
  if: [
    ['if(prop("Name"), 1, 2)', "1"],
    ['if(prop("No text"), 1, 2)', "2"],
    ["if(0, 1, 2)", "2"],
    ["if(empty(), 1, empty())", "empty"],
    ["true.if(1, 2)", "1"],
    ["false ? 1 : true ? 2 : 3", "2"],
  ],
  ifs: [["ifs(false, 1, false, 2)", "empty"], ["ifs(true, 1, true, 2, 3)", "1"]],
  and: [["and(1, 1, 0)", "false"], ["and(empty(), true)", "false"], ["true and 1", "true"]],
  or: [["or(0, 0, 1)", "true"], ["or(empty(), false)", "false"], ["false || 1", "true"]],
  not: [["not(empty())", "true"], ["not 1", "false"], ["!(1 > 2)", "true"]],
  empty: [
    ['empty("")', "true"],
    ["empty([])", "true"],
    ["empty(false)", "true"],
    ["empty(empty())", "true"],
    ['empty(prop("No date"))', "true"],
    ['empty(prop("Due"))', "false"],
    ["empty([0])", "false"],
    ["[1].empty()", "false"],
  ],
  equal: [
    ["equal([1, 2], [1, 2])", "true"],
    ["equal([1, 2], [2, 1])", "false"],
    ['prop("No text") == empty()', "true"],
    ['prop("No tags") == empty()', "true"],
    ["0 == empty()", "false"],
    ['prop("Author") == prop("People").first()', "true"],
    ['prop("Due") == parseDate("2023-09-01")', "true"],
    ['prop("Due") == dateRange(prop("Due"), prop("Due"))', "false"],
    ['prop("Tasks").first() == prop("Tasks").last()', "false"],
  ],
  unequal: [["unequal(1, empty())", "true"], ["true != true", "false"]],
  let: [["let(x, 2, let(x, x + 1, x) * x)", "6"], ["let(x, empty(), empty(x))", "true"]],
  lets: [["lets(a, 1, b, a + 1, c, b + 1, [a, b, c])", "[1, 2, 3]"]],
  length: [['length("")', "0"], ["length(empty())", "0"], ['"😀".length()', "2"], [
    "length([])",
    "0",
  ]],
  substring: [
    ['substring("Notion", 4, 1)', '"oti"'],
    ['substring("Notion", -2)', '"Notion"'],
    ['substring("Notion", 9)', '""'],
    ["substring(empty(), 0)", '""'],
    ['substring("Notion", empty())', "empty"],
    ['substring("Notion", 1, empty())', '"otion"'],
  ],
  contains: [['contains("a", "")', "true"], ['contains(empty(), "a")', "false"]],
  split: [['split("", ",")', "[]"], ['split("ab", "")', '["a", "b"]'], [
    'split("ab", ",")',
    '["ab"]',
  ]],
  test: [['test(empty(), "a")', "false"], ['test("", "^$")', "true"], [
    'test("Room", "ROOM")',
    "false",
  ]],
  match: [['match("ab", "x")', "[]"], ['match(empty(), "x")', "[]"], [
    'match("ab", "")',
    '["", "", ""]',
  ]],
  replace: [
    ['replace("abc", "x", "y")', '"abc"'],
    ['replace("abc", "b")', '"ac"'],
    ['replace("abc", "(b)", "[$1$&$$$2]")', '"a[bb$$2]c"'],
    ['replace("abc", "b", "$ $$1$x$")', '"a$ $1$x$c"'],
    ['replace(empty(), "b", "c")', '""'],
  ],
  replaceAll: [['replaceAll("aaa", "a", "b")', '"bbb"'], ['replaceAll("ab", "", "-")', '"-a-b-"']],
  lower: [['lower("ÄÖ")', '"äö"'], ["lower(empty())", '""']],
  upper: [['upper("äö")', '"ÄÖ"'], ["upper(empty())", '""']],
  trim: [['trim("\\n a \\t")', '"a"'], ["trim(empty())", '""']],
  repeat: [['repeat("ab", 0)', '""'], ['repeat("ab", -1)', '""'], ['repeat("ab", 1.9)', '"ab"'], [
    'repeat("ab", empty())',
    "empty",
  ]],
  padStart: [['padStart("a", 3)', '"  a"'], ['padStart("abc", 2, "0")', '"abc"'], [
    'padStart("a", 4, "xy")',
    '"xyxa"',
  ], ['padStart("a", 3, "")', '"a"']],
  padEnd: [['padEnd("a", 3)', '"a  "'], ['padEnd("abc", 2, "0")', '"abc"'], [
    'padEnd(empty(), 1, "x")',
    '"x"',
  ]],
  link: [['link(empty(), "u")', '""'], ['prop("Name").link("u")', '"Desk"']],
  style: [['style("a", "b", "i", "red_background")', '"a"']],
  unstyle: [['unstyle("a")', '"a"'], ["unstyle(empty())", '""']],
  format: [
    ["format(empty())", '""'],
    ["format(true)", '"true"'],
    ["format(-0.5)", '"-0.5"'],
    ["format([1, 2])", '"1, 2"'],
    ['format(prop("People"))', '"Ada, Grace"'],
    ['format(prop("Tasks"))', '"One, Two"'],
    ['format(prop("Due"))', '"September 1, 2023"'],
  ],
  add: [["add(1, empty())", "1"], ['"n: " + prop("No number")', '"n: "'], [
    '1 + "a" + [1, 2]',
    '"1a1, 2"',
  ]],
  subtract: [["subtract(empty(), 1)", "-1"], ["3 - 2 - 1", "0"]],
  multiply: [["multiply(2, empty())", "0"], ["0 * -1", "0"]],
  divide: [["divide(1, empty())", "empty"], ["8 / 4 / 2", "1"]],
  mod: [["mod(5.5, 2)", "1.5"], ["mod(1, 0)", "empty"]],
  pow: [["pow(2, -1)", "0.5"], ["(-8) ^ (1 / 3)", "empty"], ["10 ^ 999", "empty"]],
  min: [["min(empty(), 3)", "3"], ["min()", "empty"], ["min([])", "empty"], [
    "[3, -1].min()",
    "-1",
  ]],
  max: [["max(empty(), -3)", "-3"], ["max([])", "empty"], ["max([1, empty()], 2)", "2"]],
  sum: [["sum()", "0"], ["sum([])", "0"], ["sum(empty(), 1)", "1"], ["[1, 2].sum()", "3"]],
  mean: [["mean([])", "empty"], ["mean(1, empty(), 3)", "2"]],
  median: [["median([])", "empty"], ["median(9, 1, 10, 2)", "5.5"]],
  abs: [["abs(3)", "3"], ["abs(empty())", "empty"]],
  round: [
    ["round(2.5)", "3"],
    ["round(-2.5)", "-2"],
    ["round(1234.5, -2)", "1200"],
    ["round(10 ^ 300, 15)", "1e+300"],
    [
      "round(1.5, empty())",
      "2",
    ],
    ["round(empty())", "empty"],
    ["round(0.0000001, 3)", "0"],
  ],
  ceil: [["ceil(-1.5)", "-1"], ["ceil(empty())", "empty"]],
  floor: [["floor(1.5)", "1"], ["floor(empty())", "empty"]],
  sqrt: [["sqrt(-1)", "empty"], ["sqrt(empty())", "empty"]],
  cbrt: [["cbrt(-8)", "-2"], ["cbrt(empty())", "empty"]],
  exp: [["exp(1) == e", "true"], ["exp(1000)", "empty"], ["exp(empty())", "empty"]],
  ln: [["ln(0)", "empty"], ["ln(1)", "0"], ["ln(empty())", "empty"]],
  log10: [["log10(-1)", "empty"], ["log10(empty())", "empty"]],
  log2: [["log2(0)", "empty"], ["log2(empty())", "empty"]],
  sign: [["sign(0)", "0"], ["sign(empty())", "empty"]],
  pi: [["floor(pi * 100)", "314"], ["pi() == pi", "true"]],
  e: [["floor(e * 100)", "271"], ["let(e, 1, e)", "1"]],
  toNumber: [
    ['toNumber(" -1.5e2x")', "-150"],
    ['toNumber("")', "empty"],
    ["toNumber(empty())", "empty"],
    ["toNumber(false)", "0"],
    ["toNumber(7)", "7"],
    ['toNumber(prop("Due"))', "1693526400000"],
    ["toNumber([1])", "empty"],
    ['toNumber("Infinity")', "empty"],
  ],
  formatNumber: [
    ["formatNumber(empty())", "empty"],
    ['formatNumber(1234.5, "commas", 2)', '"1,234.50"'],
    ['formatNumber(12, "percent", 0)', '"1,200%"'],
    ['formatNumber(1536, "bytes_binary")', '"1.5 KiB"'],
    ['formatNumber(0, "bytes_binary")', '"0 B"'],
    ['formatNumber(-1500, "bytes_decimal")', '"-1.5 KB"'],
    ['formatNumber(1234.5, "yen")', '"¥1,235"'],
    ['formatNumber(1234.5, "euro")', '"€1,234.50"'],
    ['formatNumber(1234.5, "number", 99)', '"1234.500000000000"'],
    ['formatNumber(1e20, "bytes_decimal")', '"100,000 PB"'],
    ['formatNumber(1, prop("Name"))', '"1"'],
  ],
  now: [["now() == fromTimestamp(timestamp(now()))", "true"]],
  today: [["hour(today())", "0"], ["today() < now()", "true"]],
  minute: [['minute(prop("Due"))', "0"], ["minute(empty())", "empty"]],
  hour: [['hour(parseDate("2023-07-10T17:35Z"))', "17"], ["hour(empty())", "empty"]],
  day: [['day(parseDate("2023-07-09"))', "7"], ['day(prop("No date"))', "empty"]],
  date: [['date(parseDate("2024-02-29"))', "29"], ["date(empty())", "empty"]],
  week: [
    ['week(parseDate("2023-01-01"))', "52"],
    ['week(parseDate("2021-01-03"))', "53"],
    ['week(parseDate("2024-12-30"))', "1"],
    ["week(empty())", "empty"],
  ],
  month: [['month(parseDate("2023-01-31"))', "1"], ["month(empty())", "empty"]],
  year: [['year(parseDate("0099-01-31"))', "99"], ["year(empty())", "empty"]],
  dateAdd: [
    ['dateAdd(prop("Due"), 90, "minutes")', "September 1, 2023 01:30"],
    ['dateAdd(prop("Due"), 1, "day")', "September 2, 2023"],
    ['dateAdd(prop("Due"), 1.9, "weeks")', "September 8, 2023"],
    ['dateAdd(prop("Due"), 1.5, "hours")', "September 1, 2023 01:30"],
    ['dateAdd(prop("No date"), 1, "days")', "empty"],
    ['dateAdd(prop("Due"), empty(), "days")', "empty"],
    ['dateAdd(prop("Due"), 1, prop("Name"))', "empty"],
    ['dateAdd(prop("Due"), 9999, "years")', "empty"],
    ['dateAdd(prop("Due"), 10 ^ 300, "months")', "empty"],
    ['dateAdd(prop("Due"), 10 ^ 300, "minutes")', "empty"],
  ],
  dateSubtract: [
    ['dateSubtract(parseDate("2024-02-29"), 1, "years")', "February 28, 2023"],
    ['dateSubtract(prop("Due"), 1, "quarters")', "June 1, 2023"],
    ['dateSubtract(empty(), 1, "days")', "empty"],
  ],
  dateBetween: [
    ['dateBetween(parseDate("2023-03-31"), parseDate("2023-02-28"), "months")', "1"],
    ['dateBetween(parseDate("2023-02-28"), parseDate("2023-01-31"), "months")', "1"],
    ['dateBetween(parseDate("2023-03-01"), parseDate("2023-03-02T12:00"), "days")', "-1"],
    ['dateBetween(parseDate("2025-01-01"), parseDate("2023-01-02"), "years")', "1"],
    ['dateBetween(parseDate("2025-01-01"), parseDate("2023-01-01"), "quarters")', "8"],
    ['dateBetween(prop("Due"), empty(), "days")', "empty"],
  ],
  dateRange: [
    ['dateRange(prop("Due"), empty())', "empty"],
    ['dateRange(prop("Due"), today())', "empty"],
    ['dateRange(today(), dateRange(today(), prop("Due")))', "August 30, 2023 → September 1, 2023"],
  ],
  dateStart: [['dateStart(dateRange(today(), prop("Due")))', "August 30, 2023"], [
    "dateStart(empty())",
    "empty",
  ]],
  dateEnd: [['dateEnd(dateRange(today(), prop("Due")))', "September 1, 2023"], [
    "dateEnd(empty())",
    "empty",
  ]],
  timestamp: [["timestamp(empty())", "empty"], ['timestamp(parseDate("1970-01-01"))', "0"]],
  fromTimestamp: [["fromTimestamp(59999)", "January 1, 1970 00:00"], [
    "fromTimestamp(10 ^ 17)",
    "empty",
  ], [
    "fromTimestamp(empty())",
    "empty",
  ]],
  formatDate: [
    [
      'formatDate(parseDate("2023-07-09T08:05"), "dddd, MMM Do YYYY h:mm a")',
      '"Sunday, Jul 9th 2023 8:05 am"',
    ],
    [
      'formatDate(parseDate("2024-12-30T23:04:05.678"), "GGGG-[W]WW-E DDD Q Qo ww k s SSS X Z ZZ d")',
      '"2025-W01-1 365 4 4th 01 23 5 678 1735599845 +00:00 +0000 1"',
    ],
    [
      'formatDate(prop("Due"), "L | LL | LLL | LLLL | LT")',
      '"09/01/2023 | September 1, 2023 | September 1, 2023 12:00 AM | Friday, September 1, 2023 12:00 AM | 12:00 AM"',
    ],
    ['formatDate(prop("Due"), "hh h kk")', '"12 12 24"'],
    ['formatDate(prop("Due"), "LTLT h[h]h LT")', '"12:00 AM12:00 AM 12h12 12:00 AM"'],
    ['formatDate(prop("Due"), "[D] [[] []D] D [M")', '"D [ 1] 1 [9"'],
    ['formatDate(prop("Due"), "")', '""'],
    ['formatDate(empty(), "YYYY")', "empty"],
  ],
  parseDate: [
    ['parseDate("2024-02-29")', "February 29, 2024"],
    ['parseDate("2023-02-29")', "empty"],
    ['parseDate("2023-13-01")', "empty"],
    ['parseDate("2023-01-01T25:00")', "empty"],
    ['parseDate("2023-01-01T10:00+02:00")', "January 1, 2023 08:00"],
    ['parseDate("2023-01-01T10:00:30.123456-0130")', "January 1, 2023 11:30"],
    ['parseDate("2023-01-01 10:00")', "January 1, 2023 10:00"],
    ['parseDate("2023-05")', "May 1, 2023"],
    ['parseDate("2023")', "January 1, 2023"],
    ['parseDate("0000-01-01")', "empty"],
    ['parseDate("")', "empty"],
    ["parseDate(empty())", "empty"],
  ],
  at: [['prop("Tags").at(0)', '"red"'], ["at([], 0)", "empty"], ["at([1], empty())", "empty"]],
  first: [["first([])", "empty"], ["first(empty())", "empty"]],
  last: [["last([])", "empty"], ["last(empty())", "empty"]],
  slice: [["slice([1, 2, 3], -2)", "[2, 3]"], ["slice([], 1)", "[]"], [
    "slice([1], empty())",
    "empty",
  ]],
  count: [["count([])", "0"], ["count(empty())", "0"]],
  includes: [['prop("Tags").includes("red")', "true"], ["includes([], 1)", "false"], [
    "includes([1, empty()], empty())",
    "true",
  ]],
  concat: [["concat([1])", "[1]"], ["concat([], [1], empty(), [2])", "[1, 2]"]],
  sort: [
    ['sort(["b", "a", "C"])', '["C", "a", "b"]'],
    ["sort([2, empty(), 1])", "[1, 2, empty]"],
    [
      "sort([true, false])",
      "[false, true]",
    ],
    ['prop("People").sort(0 - length(current.name())).map(current.name())', '["Grace", "Ada"]'],
    [
      'sort([today(), parseDate("2020-01-01")]).map(year(current))',
      "[2020, 2023]",
    ],
    ["sort(empty())", "[]"],
    ["sort([[2], [1]])", "[[1], [2]]"],
  ],
  reverse: [["reverse([])", "[]"], ["reverse(empty())", "[]"]],
  unique: [
    ["unique([2, 1, 2])", "[2, 1]"],
    ["unique([[1, 2], [1, 2], [2]])", "[[1, 2], [2]]"],
    ["unique([today(), today()]).length()", "1"],
    ['unique(concat(prop("People"), [prop("Author")])).length()', "2"],
    ["unique([1, empty(), empty()]).length()", "2"],
    ['unique(["", empty()])', '[""]'],
    ["unique(empty())", "[]"],
  ],
  flat: [["flat([[[1]], [[2]]])", "[[1], [2]]"], ["flat([1, 2])", "[1, 2]"], ["flat([])", "[]"]],
  join: [['join([1, 2], "-")', '"1-2"'], ['join([], ",")', '""'], [
    'join(["a", empty()], ",")',
    '"a,"',
  ]],
  map: [
    ["map([], current)", "[]"],
    ["map([1, 2], map([10, 20], current + index))", "[[10, 21], [10, 21]]"],
    ["map([1, 2], let(outer, current, map([10], current + outer)))", "[[11], [12]]"],
    ['prop("Tasks").map(current.prop("Hours")).sum()', "7"],
    ["map(empty(), 1)", "[]"],
  ],
  filter: [
    ['prop("Tasks").filter(current.prop("Status") != "Done").length()', "1"],
    ['filter(["a", ""], current)', '["a"]'],
    ["filter([5, 6, 7], index != 1)", "[5, 7]"],
    ["filter(empty(), true)", "[]"],
  ],
  find: [["find([], true)", "empty"], [
    'prop("People").find(current.name() == "Grace").name()',
    '"Grace"',
  ]],
  findIndex: [["findIndex([], true)", "-1"], ["findIndex([4, 5], current == 5)", "1"]],
  some: [["some([1], empty())", "false"], ["some(empty(), true)", "false"]],
  every: [["every([1], empty())", "false"], ["every(empty(), false)", "true"]],
  name: [["name(empty())", "empty"], ['prop("People").map(current.name())', '["Ada", "Grace"]']],
  email: [["email(empty())", "empty"], [
    'prop("People").map(email(current))',
    '["ada@example.com", empty]',
  ]],
  id: [['id(prop("Tasks").first())', '"t1"'], ['prop("Tasks").map(current.id())', '["t1", "t2"]']],
};

Deno.test("the examples of every function have the results that they show", () => {
  for (const { name, examples } of FUNCTIONS.values()) {
    assert(examples.length > 0, name);
    for (const [expression, result] of examples) {
      assertEquals(shown(expression), result, expression);
    }
  }
});

Deno.test("every function handles ordinary and missing values as expected", () => {
  assertEquals(Object.keys(CASES).sort(), [...FUNCTIONS.keys()].sort());
  for (const [expression, result] of Object.values(CASES).flat()) {
    assertEquals(shown(expression), result, expression);
  }
});

const SAMPLES: readonly (readonly [string, FormulaType])[] = [
  ['"text"', TEXT],
  ["1", NUMBER],
  ["true", BOOLEAN],
  ["now()", DATE],
  ['prop("Author")', PERSON],
  ["[true]", listOf(BOOLEAN)],
];

Deno.test("every function accepts a missing value as any argument", () => {
  for (const { name, parameters, form } of FUNCTIONS.values()) {
    if (form !== undefined) continue;
    const given = parameters.filter(({ presence }) => presence === "required").map(() => "empty()");
    assertEquals(issueTexts(`${name}(${given.join(", ")})`), [], name);
    shown(`${name}(${given.join(", ")})`);
  }
});

Deno.test("every function rejects an argument of a wrong type and says what it expects", () => {
  let refused = 0;
  for (const { name, parameters, form } of FUNCTIONS.values()) {
    if (form !== undefined) continue;
    for (const [place, parameter] of parameters.entries()) {
      for (const [sample, type] of SAMPLES) {
        if (parameter.accepts(type)) continue;
        const before = parameters.slice(0, place).map(() => "empty(), ").join("");
        const after = parameters.slice(place + 1)
          .filter(({ presence }) => presence === "required").map(() => ", empty()").join("");
        const [issue, ...others] = issuesOf(`${name}(${before}${sample}${after})`);
        assertEquals(others, []);
        assertEquals(issue?.offset, name.length + 1 + before.length);
        const expected = `${name}() expects ${parameter.expects} as its ${place + 1}`;
        const message = issue?.message ?? "";
        assert(message.startsWith(expected), `${message} | ${expected}`);
        assert(message.endsWith(`argument, got ${typeName(type)}`), message);
        refused++;
      }
    }
  }
  assert(refused > 200, `${refused}`);
});

Deno.test("every function rejects too few and too many arguments", () => {
  for (const { name, parameters } of FUNCTIONS.values()) {
    const fewest = parameters.filter(({ presence }) => presence === "required").length;
    if (fewest > 0) {
      const message = issuesOf(`${name}()`)[0]?.message ?? "";
      assert(message.startsWith(`${name}() expects `), message);
      assert(message.endsWith("got 0"), message);
    }
    if (parameters.some(({ presence }) => presence === "rest")) continue;
    const many = Array.from({ length: parameters.length + 1 }, () => "1");
    const [issue] = issuesOf(`${name}(${many.join(", ")})`);
    assert(issue?.message.endsWith(`got ${many.length}`), issue?.message);
  }
});

Deno.test("forms and operators reject values of incompatible types", () => {
  const issues: readonly (readonly [string, string])[] = [
    ['if(true, 1, "a")', "13: if() expects values of one type, got number and text"],
    ['true ? now() : ""', "16: ? : expects values of one type, got date and text"],
    ['ifs(true, 1, true, "a", 2)', "20: ifs() expects values of one type, got number and text"],
    ["add(now(), 1)", "1: add() expects two numbers, or a text on one side, got date and number"],
    ["now() + 1", "1: + expects two numbers, or a text on one side, got date and number"],
    ['subtract("a", 1)', "1: subtract() expects two numbers, got text and number"],
    ['multiply(1, "a")', "1: multiply() expects two numbers, got number and text"],
    ["divide(true, 1)", "1: divide() expects two numbers, got boolean and number"],
    ["mod([1], 1)", "1: mod() expects two numbers, got list of number and number"],
    ["pow(1, now())", "1: pow() expects two numbers, got number and date"],
    ['equal(1, "1")', "1: equal() expects two values of one type, got number and text"],
    ['1 != "1"', "1: != expects two values of one type, got number and text"],
    [
      "[1] < [2]",
      "1: < expects two numbers, texts, dates or booleans, got list of number and list of number",
    ],
    ['-"a"', "1: - expects a number, got text"],
    ['+"a"', "1: + expects a number, got text"],
    [
      'concat([1], ["a"])',
      "1: concat() expects lists of one type, got list of number and list of text",
    ],
    [
      'includes([1], "a")',
      "1: includes() expects a value of its list's type, got list of number and text",
    ],
    ['[1, "a", true]', "5: A list holds values of one type, got number and text"],
    ["let(1, 2, 3)", "5: let() expects the name of a variable"],
    ["let(current, 2, 3)", "5: let() expects the name of a variable"],
    ["lets(a, 1, b, 2)", "1: lets() expects names and values in turn, and a result"],
    [
      'test("a", "(?=a)")',
      "11: test() expects a regular expression of at most 500 characters, or 800 with its repetitions and classes written out, without look-around and back-references, as its 2nd argument",
    ],
    [
      'dateAdd(now(), 1, "fortnights")',
      '19: dateAdd() expects a unit ("years", "quarters", "months", "weeks", "days", "hours", "minutes") as its 3rd argument',
    ],
  ];
  for (const [expression, issue] of issues) {
    assertEquals(issueTexts(expression)[0], issue, expression);
  }
});

Deno.test("commonType() is symmetric, and the empty type fits everywhere", () => {
  const types = SAMPLES.map(([, type]) => type);
  for (const a of types) {
    assertEquals(commonType(a, { kind: "empty" }), a);
    for (const b of types) assertEquals(commonType(a, b), commonType(b, a));
  }
});
