/**
 * Who may import whom, and how large a piece may grow.
 *
 * @module
 */
import { assert, assertEquals } from "./assert.ts";
import { folderOf, importsIn, type SourceImport, sources } from "./support/sources.ts";

const ALL = "all";

/**
 * The imports that each folder may have of the others; `type:` marks types alone. `src/cli/` is
 * imported by nobody: it is in no row.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | typeof ALL>> = {
  shared: [],
  config: ["shared"],
  policy: ["shared"],
  content: ["shared"],
  auth: ["shared", "type:store/port"],
  search: ["shared", "content"],
  files: ["shared", "content", "type:store/port"],
  // It writes the terms of content in the transaction of the content.
  store: ["shared", "content", "search/text"],
  http: ["shared", "type:auth/principal", "type:policy/engine"],
  health: ["shared", "auth/fetch_json", "type:auth/token_verifier", "type:store"],
  indexing: ["shared", "content", "search", "type:store/port"],
  openapi: ["shared", "policy", "type:http/endpoint"],
  policy_runtime: ["shared", "policy", "openapi", "http", "type:auth/principal"],
  gateway: [
    "shared",
    "policy",
    "policy_runtime",
    "http",
    "workers/run_in_worker",
    "auth/principal",
    "type:auth/authenticator",
  ],
  // What processes of one service share with each other.
  processes: [
    ...["shared", "http", "auth/dpop/used_proofs"],
    ...["type:policy_runtime", "type:store"],
  ],
  maintenance: ["shared", "type:store/port"],
  telemetry: ["shared"],
  workers: ["shared", "content", "search", "http/compress"],
  web: [
    ...["shared", "http", "policy", "workers/run_in_worker"],
    "type:policy_runtime/policy_bundle",
  ],
  api: [
    ...["shared", "content", "search", "http", "web"],
    ...["type:store/port", "type:files", "type:indexing/spaces", "type:auth/principal"],
  ],
  notion: ["shared", "content", "http", "api", "type:store/port", "type:files"],
  app: ALL,
  cli: ALL,
};

/** Folders of `src/content/`, from the ground up: each imports only those before it. */
const CONTENT_FLOORS = [
  ["values"],
  ["schema"],
  ["properties"],
  ["query", "blocks", "formulas"],
  ["pages", "comments"],
  ["databases", "markdown"],
];

/** The type of a property follows from the registry: the one type taken from above. */
const TYPE_FROM_ABOVE = "schema/property -> properties/registry";

/** Folders of `src/api/` that may import others besides `shared`. */
const RESOURCE_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  pages: ["databases"],
  search: ["databases", "pages"],
};

/** They alone may name an adapter of the store or read the configuration. */
const ROOTS = new Set(["app", "cli"]);

/** A smell, not a law: a file beyond it has its reason in its first lines. */
const FILE_LIMIT = 500;
const FUNCTION_LIMIT = 80;
const TYPICAL_FUNCTION = 12;

function isAllowed(from: string, { target, typeOnly }: SourceImport): boolean {
  const rules = MAY_IMPORT[folderOf(from)];
  if (rules === ALL) return folderOf(from) === "cli" || folderOf(target) !== "cli";
  if (folderOf(target) === folderOf(from)) return true;
  return rules?.some((rule) => {
    const [path, types] = rule.startsWith("type:") ? [rule.slice(5), true] : [rule, false];
    return (target === path || target.startsWith(`${path}/`)) && (typeOnly || !types);
  }) ?? false;
}

Deno.test("every folder imports only what the architecture lets it", () => {
  const refused = [...sources()].flatMap((source) =>
    importsIn(source).filter((one) => !isAllowed(source.name, one))
      .map(({ target, typeOnly }) => `${source.name} -> ${typeOnly ? "type " : ""}${target}`)
  );
  assertEquals(refused, []);
});

Deno.test("only the composition root names an adapter of the store or reads the configuration", () => {
  const refused = [...sources()]
    .filter(({ name }) =>
      !ROOTS.has(folderOf(name)) && !["config", "store"].includes(folderOf(name))
    )
    .flatMap((source) =>
      importsIn(source)
        .filter(({ target, typeOnly }) =>
          /^store\/(?:sqlite|postgres)\//.test(target) ||
          (target.startsWith("config/") && !typeOnly)
        )
        .map(({ target }) => `${source.name} -> ${target}`)
    );
  assertEquals(refused, []);
});

/** The floor of a file in `src/content/`; undefined outside. */
function contentFloor(path: string): number | undefined {
  const [owner, folder = ""] = path.split("/");
  if (owner !== "content") return undefined;
  const floor = CONTENT_FLOORS.findIndex((folders) => folders.includes(folder));
  return floor < 0 ? undefined : floor;
}

Deno.test("content is built in floors: no folder imports one above it or beside it", () => {
  const refused = [...sources()].flatMap((source) => {
    const own = contentFloor(source.name);
    if (own === undefined) return [];
    return importsIn(source).filter(({ target, typeOnly }) => {
      const step = `${source.name} -> ${target}`.replaceAll("content/", "");
      if (typeOnly && step === TYPE_FROM_ABOVE) return false;
      const theirs = contentFloor(target);
      const isOwnFolder = target.split("/")[1] === source.name.split("/")[1];
      return theirs !== undefined && !isOwnFolder && theirs >= own;
    }).map(({ target }) => `${source.name} -> ${target}`);
  });
  assertEquals(refused, []);
});

Deno.test("a resource of the API imports no other one, but for rows, which are pages", () => {
  const refused = [...sources()].filter(({ name }) => /^api\/\w+\//.test(name)).flatMap(
    (source) => {
      const [, own = ""] = source.name.split("/");
      const allowed = ["shared", own, ...RESOURCE_IMPORTS[own] ?? []];
      return importsIn(source)
        .filter(({ target }) => /^api\/\w+\//.test(target))
        .filter(({ target }) => !allowed.includes(target.split("/")[1] ?? ""))
        .map(({ target }) => `${source.name} -> ${target}`);
    },
  );
  assertEquals(refused, []);
});

Deno.test("the environment is read by those who start the program alone", () => {
  const readers = [...sources()].filter(({ text }) => text.includes("Deno.env"))
    .map(({ name }) => name);
  assertEquals(readers.filter((name) => folderOf(name) !== "cli"), []);
});

Deno.test("content is pure: no clock, no randomness, no input or output", () => {
  const impure = /\bDeno\.|Date\.now|new Date\(\)|Math\.random|crypto\.|fetch\(|performance\./;
  const refused = [...sources()].filter(({ name, text }) =>
    folderOf(name) === "content" && impure.test(text)
  ).map(({ name }) => name);
  assertEquals(refused, []);
});

Deno.test("every folder of src/ stands in the table of who imports whom", () => {
  const owners = new Set([...sources()].map(({ name }) => folderOf(name)));
  assertEquals([...owners].filter((owner) => !(owner in MAY_IMPORT)), []);
});

Deno.test("no file outgrows the size that one idea needs", () => {
  const large = [...sources()].map(({ name, text }) => ({ name, lines: text.split("\n").length }))
    .filter(({ lines }) => lines > FILE_LIMIT);
  assertEquals(large, []);
});

/** Lines of each function that begins at the margin. */
function functionSizes(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, start) => {
    if (!/^(?:export )?(?:async )?function\b/.test(line)) return [];
    return [lines.indexOf("}", start) - start + 1];
  });
}

Deno.test("functions are short: none over the limit, most a few lines", () => {
  const sizes = [...sources()].flatMap(({ text }) => functionSizes(text)).sort((a, b) => a - b);
  assert(sizes.length > 100, "the measure finds functions");
  assert((sizes.at(-1) ?? 0) <= FUNCTION_LIMIT, `the longest has ${sizes.at(-1)} lines`);
  const median = sizes[sizes.length >> 1] ?? 0;
  assert(median <= TYPICAL_FUNCTION, `the median is ${median} lines`);
});
