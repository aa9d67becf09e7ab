/**
 * Requests beside what a client means: other values, other bytes, other paths, other fields.
 *
 * @module
 */
import fc from "fast-check";
import { breakOnce } from "../openapi/arbitrary.ts";
import type { Draft } from "./drafts.ts";
import type { Caller } from "./world.ts";

/** The request, with unfilled slots. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly caller: Caller;
  /** The template of the operation that was meant. */
  readonly template: string;
}

const CALLERS: readonly Caller[] = ["bob", "bob", "stranger", "reader", "nobody", "forger"];

/** A draft as it is, or with up to three changes. */
export function shotsFrom(drafts: fc.Arbitrary<Draft>): fc.Arbitrary<Shot> {
  const asMeant = drafts.map((draft) => toShot(draft));
  const broken = drafts.chain((draft) =>
    draft.body === undefined
      ? fc.constant(toShot(draft))
      : breakOnce(draft.body).map((body) => toShot({ ...draft, body }))
  );
  const mutated = fc.tuple(fc.oneof(asMeant, broken), fc.array(mutation, { maxLength: 3 }))
    .map(([shot, changes]) => changes.reduce((changed, change) => change(changed), shot));
  return fc.oneof({ weight: 5, arbitrary: asMeant }, { weight: 2, arbitrary: broken }, {
    weight: 3,
    arbitrary: mutated,
  });
}

function toShot({ operation, path, headers = {}, body }: Draft): Shot {
  const { method, template } = operation;
  const usual = { method, path, template, caller: "ann" as const };
  if (body === undefined) return { ...usual, headers, body: undefined };
  return {
    ...usual,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

type Mutation = (shot: Shot) => Shot;

const TEXTS: readonly ((body: string) => string)[] = [
  (body) => body.slice(0, body.length >> 1),
  (body) => body + body,
  (body) => `\uFEFF${body}`,
  (body) => body.replace("{", '{"parent":{},"parent":{},'),
  (body) => body.replace("{", '{"__proto__":{"admin":true},'),
  (body) => body.replace(/"[^"]*"\}/, '"\\ud800"}'),
  (body) => body.replace(/"[^"]*"\}/, '"\\u0000"}'),
  (body) => body.replace(/"[^"<]*"\}/, '"e\u0301\u202E\u200B\u{1F468}\u200D\u{1F469}ſ\u212A"}'),
  (body) => body.replace(/\d+/, "1e400"),
  (body) => body.replace(/\d+/, "9007199254740993"),
  (body) => body.replace(/\d+/, "-0"),
  (body) => body.replace(/"[^"]*"\}/, `"${"x".repeat(70_000)}"}`),
  (body) => body.replace(/"[^"]*"\}/, `"${"x".repeat(2_000_000)}"}`),
  () => "[".repeat(100_000),
  () => '{"filter":'.repeat(1_000),
  () => JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`m${i}`, i]))),
  ...["", "null", "[]", '"x"', "{}", "NaN", "{", "<html>"].map((text) => () => text),
];

const PATHS: readonly ((path: string) => string)[] = [
  ...["<foreign>", "<trashed>", "<user>", "<row>", "<block>", "<database>", "<property>", "..."]
    .map((slot) => (path: string) => path.replace(/<[^>]+>/, slot)),
  ...["0", "-", "__proto__", "%00", "%2e%2e", "a%2Fb", "x".repeat(2_000), "%F0%9F%98%80", "a b"]
    .map((id) => (path: string) => path.replace(/<[^>]+>/, id)),
  (path) => `${path}/`,
  (path) => path.replace(/^\/v\d\//, "$&/"),
  (path) => `${path};x=1`,
  (path) => path.toUpperCase(),
];

const QUERIES = [
  ...["0", "1", "2", "100", "101", "-1", "1.5", "", "abc", "1e9", "٣"].map((n) => `page_size=${n}`),
  ...["<cursor>", "<cursor>x", "x", "", "x".repeat(2_100)].map((cursor) =>
    `start_cursor=${cursor}`
  ),
  ...["title", "<property>", "none", ""].map((name) => `filter_properties=${name}`),
  ...[
    "filter_properties=a&filter_properties=a",
    "page_size=1&page_size=2",
    "unknown=1",
    "%",
    "=&&",
  ],
];

const FIELDS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["if-match", ["*", '"x"', 'W/"x"', "x", '"a", "b"', ""]],
  ["if-none-match", ["*", '"x"', 'W/"x"', "x", ""]],
  ["idempotency-key", ["one", "two", "k".repeat(300), "a b", "é", ""]],
  ["accept", ["*/*", "text/html", "text/markdown", "application/json;q=0", "a/b;q=2", ",", ""]],
  ["content-type", [
    "text/json",
    "application/json; charset=utf-16",
    "application/json;x",
    "",
    "a",
  ]],
  ["content-type", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]],
  ["content-encoding", ["gzip", "identity", "br", "x"]],
  ["accept-encoding", ["identity", "gzip", "*;q=0", "br;q=9", "x"]],
  ["notion-version", ["2022-06-28", "2099-01-01", "x", ""]],
  ["origin", ["null", "https://evil.test"]],
  ["range", ["bytes=0-1", "bytes=9-1", "x"]],
  ["x-request-id", ["mine", "a b", "x".repeat(300)]],
  ["x-http-method-override", ["DELETE"]],
  ["authorization", ["Basic YTpi", "Bearer", "Bearer a.b.c", "Bearer  x"]],
  ["cookie", ["a=b"]],
];

const METHODS = ["HEAD", "OPTIONS", "PUT", "GET", "POST", "PATCH", "QUERY"];

const text = fc.constantFrom(...TEXTS).map((change): Mutation => (shot) =>
  shot.body === undefined ? shot : { ...shot, body: change(shot.body) }
);
const path = fc.constantFrom(...PATHS).map((change): Mutation => (shot) => ({
  ...shot,
  path: change(shot.path),
}));
const query = fc.constantFrom(...QUERIES).map((added): Mutation => (shot) => ({
  ...shot,
  path: `${shot.path}${shot.path.includes("?") ? "&" : "?"}${added}`,
}));
const field = fc.constantFrom(...FIELDS).chain(([name, values]) =>
  fc.constantFrom(...values).map((value): Mutation => (shot) => ({
    ...shot,
    headers: { ...shot.headers, [name]: value },
  }))
);
const method = fc.constantFrom(...METHODS).map((method): Mutation => (shot) =>
  // A client cannot send a body with these.
  ["HEAD", "GET"].includes(method) ? { ...shot, method, body: undefined } : { ...shot, method }
);
const caller = fc.constantFrom(...CALLERS).map((caller): Mutation => (shot) => ({
  ...shot,
  caller,
}));
const mutation = fc.oneof(
  ...[{ weight: 4, arbitrary: text }, { weight: 2, arbitrary: path }, {
    weight: 3,
    arbitrary: query,
  }],
  ...[{ weight: 4, arbitrary: field }, { weight: 1, arbitrary: method }, {
    weight: 2,
    arbitrary: caller,
  }],
);
