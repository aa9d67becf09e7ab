import fc from "fast-check";
import { countPatterns } from "./count_patterns.ts";
import {
  createRouteTable,
  findOverlaps,
  pathIssue,
  routeTableIssues,
} from "../../src/policy/routes/route_table.ts";
import { haveCommonEnds } from "../../src/policy/routes/path_shape.ts";
import { withAsciiClasses } from "../../src/policy/routes/pathname_pattern.ts";
import { addShape, createShapeTree, sharedShapes } from "../../src/policy/routes/shape_tree.ts";
import { compilePattern, isPlain, plainExpression } from "../../src/policy/routes/route_pattern.ts";
import { findCommonPath, toAutomaton } from "../../src/policy/routes/overlap.ts";
import { isSafePath } from "../../src/policy/routes/safe_path.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";

const compiled = new Map<string, URLPattern>();

/** Returns the match of `URLPattern` itself. */
function matches(pathname: string, path: string): boolean {
  return compiled.getOrInsertComputed(pathname, () => new URLPattern({ pathname }))
    .test(`http://host${path}`);
}

const segment = fc.constantFrom(
  ...["a", "b", "ab", ":x", ":y", ":x(a|b)", ":x(a+b)", ":x([ab]+)", ":n(\\d{1,2})", "*", ":x.b"],
  ...[":x(\\w+)", ":x([\\w-]+)", ":x(\\D\\d)", ":x([ab]*)", "{/b}?", ":x+.b"],
  ...["a:x?", ":x([^a/][^/]*|a[^/]+)", ":x+", ":x*", "(?:a)?b".replace("(?:a)?", "{a}?"), "a\\*"],
);
const patterns = fc.array(segment, { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join("/")}`).filter((path) => pathIssue(path) === undefined);
const paths = fc.array(fc.constantFrom("a", "b", "ab", "ba", "aab", "1", "12", "a.b", "a*", "aa"), {
  minLength: 1,
  maxLength: 4,
}).chain((parts) => fc.constantFrom("", "/").map((end) => `/${parts.join("/")}${end}`));

/** All paths of up to three short segments. */
const ALL_PATHS = ((): string[] => {
  const words = ["a", "b", "ab", "ba", "aab", "1", "12", "123", "a.b", "b.b", "a*", "xb"];
  const two = words.flatMap((one) => words.map((other) => `/${one}/${other}`));
  const three = words.slice(0, 8).flatMap((one) => two.map((rest) => `/${one}${rest}`));
  return [...words.map((one) => `/${one}`), ...two, ...three];
})();

const routesOf = (paths: readonly string[]) => paths.map((path) => `GET ${path}`);

Deno.test("a route table finds exactly the routes that URLPattern matches", () => {
  fc.assert(
    fc.property(fc.uniqueArray(patterns, { minLength: 1, maxLength: 4 }), paths, (list, path) => {
      const found = createRouteTable(routesOf(list)).find("GET", path);
      const matching = list.filter((pattern) => matches(pattern, path));
      if (matching.length === 0) assertEquals(found, undefined);
      else assert(matching.includes(found?.slice(4) ?? ""), `${path}: ${found}, not ${matching}`);
    }),
    { numRuns: 1_500 },
  );
});

Deno.test("two patterns overlap exactly if some path matches both, and the path is shown", () => {
  let [overlapping, disjoint] = [0, 0];
  fc.assert(
    fc.property(patterns, patterns, (one, other) => {
      if (one === other) return;
      const [overlap] = findOverlaps(routesOf([one, other]));
      const shared = ALL_PATHS.find((path) => matches(one, path) && matches(other, path));
      if (overlap === undefined) {
        disjoint++;
        assertEquals(shared, undefined, `${one} and ${other}`);
      } else {
        overlapping++;
        const { path } = overlap;
        assert(matches(one, path) && matches(other, path), `${one}, ${other}: ${path}`);
        assert(shared === undefined || path.length <= shared.length, `${path} is not the shortest`);
      }
    }),
    { numRuns: 1_500 },
  );
  assert(overlapping > 300 && disjoint > 300, `${overlapping} ${disjoint}`);
});

Deno.test("a pattern is compiled once to check it, to compare it and to match paths", () => {
  using patterns = countPatterns();
  const paths = Array.from({ length: 20 }, (_, index) => `/once/:tenant/r${index}/:id(\\d+)`);
  for (const path of paths) assertEquals(pathIssue(path), undefined);
  assertEquals(routeTableIssues(routesOf(paths)), []);
  assertEquals(
    createRouteTable(routesOf(paths)).find("GET", "/once/a/r7/12"),
    "GET /once/:tenant/r7/:id(\\d+)",
  );
  assertEquals(patterns.count, paths.length);
});

Deno.test("patterns are told apart by their literal segments, and by how they begin and end", () => {
  const shapeOf = (path: string) => compilePattern(path).shape;
  const tree = createShapeTree<string>();
  for (const path of ["/:x/a/:id(\\d+)", "/f/a/:p*", "/f/*", "/g/a{/b}?", "/:x*/c"]) {
    addShape(tree, shapeOf(path), path);
  }
  const compared = (path: string) => [...sharedShapes(tree, shapeOf(path))].sort();
  assertEquals(compared("/:x/b/:id(\\d+)"), ["/:x*/c", "/f/*"]);
  assertEquals(compared("/g/a/:y(b)"), ["/:x*/c", "/:x/a/:id(\\d+)", "/g/a{/b}?"]);
  assertEquals(compared("/f/a"), ["/:x*/c", "/f/*", "/f/a/:p*"]);
  assert(!haveCommonEnds(shapeOf("/f/a-:id"), shapeOf("/f/b-:id")));
  assert(!haveCommonEnds(shapeOf("/f/:id.a"), shapeOf("/f/:id.b")));
  assert(haveCommonEnds(shapeOf("/f/a:id.b"), shapeOf("/f/:id")));
});

Deno.test("a pattern is as long as it is with its repetitions written out", () => {
  assertEquals(pathIssue("/:x(\\w{1,64})"), undefined);
  assertEquals(pathIssue("/:x((?:[a-y]{60}z){16})"), undefined);
  assertMatch(pathIssue("/:x((?:[a-y]{60}z){17})") ?? "", /longer than 1000 .* written out/);
  assertMatch(pathIssue("/:x((?:(?:[a-y]{64}){64}){64})") ?? "", /longer than 1000|URLPattern/);
});

Deno.test("classes of ASCII do not change what a pattern matches", () => {
  for (
    const path of ["/:x(\\w{2})\\d", "/:x([^\\w.]|\\W\\D\\d)", "/:x([\\w\\-]+)/\\w", "/:x(\\\\d)"]
  ) {
    const [raw, written] = [path, withAsciiClasses(path)].map((pathname) =>
      new URLPattern({ pathname })
    );
    for (const sign of [..."aZ_09-.~!", "\\"]) {
      for (const tail of ["", "d", "a", "ad", "9", "/w", "-9"]) {
        const url = `http://host/${sign}${tail}`;
        assertEquals(written?.test(url), raw?.test(url), `${path} ${url}`);
      }
    }
  }
  for (const path of ["/:x([!-\\d])", "/:x([\\d-\\w])"]) {
    assertMatch(pathIssue(path) ?? "", /URLPattern/, path);
  }
});

Deno.test("the automaton of a pattern matches what URLPattern matches", () => {
  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      const expression = isPlain(pattern)
        ? plainExpression(pattern)
        : compilePattern(pattern).expression;
      const common = findCommonPath(toAutomaton(expression), toAutomaton(plainExpression(path)));
      assertEquals(common === path, matches(pattern, path), `${pattern} ${path}`);
    }),
    { numRuns: 1_500 },
  );
});

Deno.test("plain routes of one method that overlap are found, as many as there are", () => {
  const found = findOverlaps(["GET /a/:id", "GET /a/me", "PUT /a/me", "GET /:x/me", "GET /b/c"]);
  assertEquals(found, [
    { route: "GET /a/me", other: "GET /a/:id", path: "/a/me" },
    { route: "GET /:x/me", other: "GET /a/me", path: "/a/me" },
  ]);
});

/** Patterns that take exponential or cubic time, or longer, on some path. */
const SLOW = [
  ...[
    "/((?:a+)+)b",
    "/((?:a|a)+)b",
    "/((?:a|ab)+)c",
    "/((?:a*)*)b",
    "/(.*)+x",
    "/((?:a?){30}a{30})",
  ],
  ...["/*a*b*c", "/:x-:y-:z-:w", "/([a-z]*[a-z]*[a-z]*)1", "/((?:[a-z]+\\d?)+)x"],
];

Deno.test("patterns that could take too long to match are refused", () => {
  for (const path of SLOW) assertMatch(pathIssue(path) ?? "", /too long/, path);
});

Deno.test("regular expressions that cannot be judged are refused, with what can be used", () => {
  for (
    const path of [
      "/:x(a\\b)",
      "/:x((?i)a)",
      "/:x(\\p{L}+)",
      "/:x((?<n>a))",
      "/:x([a&&b])",
      "/:x(a$)",
    ]
  ) {
    assert(pathIssue(path) !== undefined, path);
  }
  for (const path of ["/:x(a\\1)", "/:x((?!a).)", "/a(", "/{a", "/:x(a"]) {
    assertMatch(pathIssue(path) ?? "", /URLPattern|supported/, path);
  }
});

Deno.test("no accepted pattern takes long, whatever the path", () => {
  const hostile = ["a", "/", "/a", "-", "1", "ab", "/b", "a/", "x"].flatMap((unit) =>
    ["", "!", "/", "b"].map((end) => `/${unit.repeat(Math.floor(2_000 / unit.length))}${end}`)
  );
  const accepted = fc.sample(patterns, { numRuns: 150, seed: 5 })
    .concat(
      "/a/*/b/*/c",
      "/*-*",
      "/:x-:y",
      "/f/:p+/:q",
      "/:x([a-z]+)/*/z",
      "/:y(\\d{4})-:m(\\d\\d)",
    );
  for (const pattern of new Set(accepted)) {
    if (isPlain(pattern)) continue;
    assertEquals(pathIssue(pattern), undefined, pattern);
    const { test } = compilePattern(pattern);
    for (const path of hostile) {
      const started = performance.now();
      test(path);
      const time = performance.now() - started;
      // Refused patterns take seconds, so that a busy machine does not matter.
      assert(time < 400, `${pattern} took ${time} ms for ${path.slice(0, 20)}…`);
    }
  }
});

Deno.test("HEAD is decided like GET, unless a route names it", () => {
  const { find } = createRouteTable(["GET /a", "HEAD /b", "GET /b", "PROPFIND /c"]);
  assertEquals(find("HEAD", "/a"), "GET /a");
  assertEquals(find("HEAD", "/b"), "HEAD /b");
  assertEquals(find("HEAD", "/c"), undefined);
  assertEquals(find("PROPFIND", "/c"), "PROPFIND /c");
  assertEquals(find("get", "/a"), undefined);
});

Deno.test("a path that servers could read in two ways is not safe", () => {
  const unsafe = [
    ...[
      "",
      "a",
      "/a//b",
      "//a",
      "/./a",
      "/a/../b",
      "/a/..",
      "/a/.",
      "/..;/a",
      "/a/..;x=1/b",
      "/a/;x",
    ],
    ...["/a%2fb", "/a%5cb", "/%2e%2e/a", "/a%00", "/a%0a", "/%41", "/a%", "/a%zz", "/a%c3", "/a b"],
    ...["/a\\b", "/a?b", "/a#b", "/caf\u00e9", '/a"', "/a<", "/a%c0%af", "/a/%ed%a0%80"],
  ];
  for (const path of unsafe) assertEquals(isSafePath(path), false, path);
  const safe = [
    "/",
    "/a",
    "/a/",
    "/a/b.c",
    "/...",
    "/a;x=1/b",
    "/caf%C3%A9",
    "/a%20b",
    "/a%3Fb",
    "/a+b@c",
  ];
  for (const path of safe) assertEquals(isSafePath(path), true, path);
});
