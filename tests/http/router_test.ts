import fc from "fast-check";
import { endpoints } from "../../src/api/endpoints.ts";
import { createRouter, isCanonical } from "../../src/http/router.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const router = createRouter(endpoints);
const patterns = [...new Set(endpoints.map(({ path }) => path))]
  .map((path) => ({ path, pattern: new URLPattern({ pathname: path }) }));

/** The slow, obvious reading: a URL that parses to itself, decoded once to the same shape. */
function isCanonicalSlowly(path: string): boolean {
  const url = URL.parse(`http://h${path}`);
  if (url === null || url.pathname !== path || url.search !== "" || url.hash !== "") return false;
  if (path !== "/" && path.slice(1).split("/").includes("")) return false;
  // RFC 3986 section 3.3: pchar.
  const chars = path.replaceAll(/%[0-9A-Fa-f]{2}/g, "").replaceAll("/", "");
  if (!/^[A-Za-z0-9._~!$&'()*+,;=:@-]*$/.test(chars)) return false;
  return (path.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []).every((escapes) => {
    try {
      const text = decodeURIComponent(escapes);
      return [...text].every((char) =>
        !/^[A-Za-z0-9._~\/\\-]$/.test(char) && char > "\x1f" && !(char >= "\x7f" && char <= "\x9f")
      );
    } catch {
      return false;
    }
  });
}

function matchSlowly(path: string): { path: string; params: Record<string, string> } | undefined {
  if (!isCanonicalSlowly(path)) return undefined;
  for (const { path: declared, pattern } of patterns) {
    const groups = pattern.exec({ pathname: path })?.pathname.groups;
    if (groups === undefined) continue;
    const params = Object.entries(groups).map(([k, v]) => [k, decodeURIComponent(v ?? "")]);
    return { path: declared, params: Object.fromEntries(params) };
  }
  return undefined;
}

function matchFast(path: string): { path: string; params: Record<string, string> } | undefined {
  const matched = router.match(path);
  return matched && { path: matched.entry.path, params: { ...matched.params } };
}

const segment = fc.oneof(
  fc.constantFrom("v2", "pages", "blocks", "users", "children", "properties", "openapi.json"),
  fc.constantFrom(
    "..",
    ".",
    "",
    "%2F",
    "%2e%2e",
    "%2E",
    "a%2Fb",
    "%5c",
    "%00",
    "%70ages",
    "%C3%A9",
  ),
  fc.constantFrom("%3AUpp", "%20", "a b", ";x=1", "%", "%zz", "%c0%af", "%252e", "pages;x", "V2"),
  fc.uuid(),
  fc.string({ unit: "grapheme-ascii", maxLength: 8 }).filter((text) => !/[?#]/.test(text)),
);
const template = fc.constantFrom(...patterns.map(({ path }) => path));
/** Paths near the declared ones, so that most of them come close to a match. */
const nearPath = fc.tuple(template, fc.array(segment, { minLength: 3, maxLength: 3 }), fc.nat(3))
  .map(([path, values, twist]) => {
    const filled = values.reduce((text, value) => text.replace(/:\w+/, () => value), path);
    return [filled, `${filled}/`, filled.replace("/", "//"), `/${filled}`][twist] ?? filled;
  });
const anyPath = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);

Deno.test("match() agrees with a scan over the URLPatterns for any path", () => {
  let matches = 0;
  fc.assert(
    fc.property(fc.oneof(nearPath, anyPath), (path) => {
      const fast = matchFast(path);
      if (fast !== undefined) matches++;
      assertEquals(fast, matchSlowly(path), path);
    }),
    { numRuns: 50_000 },
  );
  assert(matches > 100, `only ${matches} paths matched`);
});

Deno.test("match() agrees with the scan for any string of bytes", () => {
  const raw = fc.string({ unit: "binary-ascii", maxLength: 40 }).map((text) => `/${text}`);
  fc.assert(
    fc.property(raw, (path) => {
      fc.pre(!/[?#]/.test(path));
      assertEquals(matchFast(path), matchSlowly(path));
    }),
    { numRuns: 50_000 },
  );
});

Deno.test("isCanonical() accepts one spelling of each path", () => {
  for (const path of ["/", "/v2/pages", "/v2/pages/a.b", "/v2/pages/%3AUpp", "/a/%C3%A9"]) {
    assert(isCanonical(path), path);
  }
  const other = ["", "//", "/v2/", "/v2//pages", "/v2/../pages", "/v2/%2e%2e/pages", "/v2/%70ages"];
  for (const path of [...other, "/a%2Fb", "/a%5cb", "/a%00", "/a%0a", "/a b", "/%", "/%c0%af"]) {
    assertEquals(isCanonical(path), false, path);
  }
});

Deno.test("match() treats a segment like constructor or __proto__ as a segment", () => {
  assertEquals(router.match("/v2/constructor"), undefined);
  assertEquals(matchFast("/v2/pages/__proto__")?.params.page_id, "__proto__");
});

Deno.test("createRouter() throws for a route declared twice and for ambiguous paths", () => {
  const page = { method: "GET", path: "/v2/pages/:id" } as const;
  assertThrows(() => createRouter([page, page]), Error, "Declared twice");
  const mine = { method: "GET", path: "/v2/pages/mine" } as const;
  assertThrows(() => createRouter([page, mine]), Error, "ambiguous");
  assertThrows(() => createRouter([mine, page]), Error, "ambiguous");
});

Deno.test("match() returns the methods of a path as in Allow", () => {
  assertEquals(
    router.match("/v2/pages/x")?.entry.allow,
    "DELETE, GET, HEAD, OPTIONS, PATCH",
  );
  assertEquals(router.match("/v2/search")?.entry.allow, "OPTIONS, POST");
});
