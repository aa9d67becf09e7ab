/**
 * Who may import whom, and how large a piece may grow.
 *
 * @module
 */
import { assert, assertEquals } from "./assert.ts";

/** Files straight in `src/` that every folder but `policy` may import. */
const COMMON = ["errors", "faults", "once", "std", "yaml"];
const EVERYTHING = "everything";

/** What a folder, or a file straight in `src/`, may import of `src/`; `type:` marks types alone. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | typeof EVERYTHING>> = {
  errors: [],
  issues: ["errors"],
  once: [],
  std: [],
  yaml: [],
  config: [],
  line_writer: [],
  repeated_errors: [],
  observe: ["line_writer", "repeated_errors"],
  policy: [],
  content: COMMON,
  auth: COMMON,
  search: [...COMMON, "content"],
  files: [...COMMON, "content", "type:store/port"],
  // It writes the terms of content in the transaction of the content.
  store: [...COMMON, "content", "search/text"],
  http: [...COMMON, "type:observe", "type:auth/principal", "type:policy/engine"],
  api: [
    ...COMMON,
    ...["content", "search", "http", "web"],
    ...["type:store/port", "type:files", "type:indexing/spaces", "type:auth/principal"],
  ],
  health: [
    ...[...COMMON, "observe", "auth/fetch_json", "type:authentication"],
    ...["type:store/port", "type:store/document_check"],
  ],
  indexing: [...COMMON, "content", "search", "type:store/port", "type:store/vector_port"],
  openapi: ["type:http/endpoint", "type:policy/schema", "policy/places"],
  live: ["line_writer", "policy", "openapi", "http", "type:observe", "type:auth/principal"],
  threads: [...COMMON, "content", "search", "http/compress"],
  web: [...COMMON, "http", "policy", "type:live/pair"],
  server: ["type:app", "type:observe"],
  welcome: ["type:config"],
  app: EVERYTHING,
  authentication: EVERYTHING,
  filing: EVERYTHING,
  boot: EVERYTHING,
  start: EVERYTHING,
  cli: EVERYTHING,
};
/** They alone may name an adapter of the store, or the configuration as a value. */
const ROOTS = new Set(["app", "authentication", "boot", "cli", "filing", "start"]);

const FILE_LIMIT = 350;
const FUNCTION_LIMIT = 80;
const TYPICAL_FUNCTION = 12;

interface Source {
  /** Path inside `src/`, without its ending. */
  readonly name: string;
  readonly text: string;
}

function* sources(folder = "src"): Generator<Source> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".ts")) {
      yield { name: path.slice("src/".length, -".ts".length), text: Deno.readTextFileSync(path) };
    }
  }
}

interface Import {
  /** Path inside `src/`, without its ending. */
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf({ name, text }: Source): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+([^"';]*?)\s*from\s+"(\.[^"]+)"/gm);
  const onDemand = text.matchAll(/\bimport\("(\.[^"]+)"\)/g);
  const targetOf = (path: string) =>
    new URL(path, `file:///${name}`).pathname.slice(1).replace(/\.ts$/, "");
  return [
    ...[...statements].map(([, clause = "", path = ""]) => ({
      target: targetOf(path),
      typeOnly: clause.startsWith("type ") || namesTypesAlone(clause),
    })),
    ...[...onDemand].map(([, path = ""]) => ({ target: targetOf(path), typeOnly: false })),
  ];
}

function namesTypesAlone(clause: string): boolean {
  const names = /^\{([\s\S]*)\}$/.exec(clause)?.[1]?.split(",").map((name) => name.trim());
  return names !== undefined && names.every((name) => name === "" || name.startsWith("type "));
}

function ownerOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function isAllowed(from: string, { target, typeOnly }: Import): boolean {
  const rules = MAY_IMPORT[ownerOf(from)];
  if (rules === EVERYTHING) return true;
  if (ownerOf(target) === ownerOf(from)) return true;
  return rules?.some((rule) => {
    const [path, types] = rule.startsWith("type:") ? [rule.slice(5), true] : [rule, false];
    return (target === path || target.startsWith(`${path}/`)) && (typeOnly || !types);
  }) ?? false;
}

Deno.test("every folder imports only what the architecture lets it", () => {
  const refused = [...sources()].flatMap((source) =>
    importsOf(source).filter((one) => !isAllowed(source.name, one))
      .map(({ target, typeOnly }) => `${source.name} -> ${typeOnly ? "type " : ""}${target}`)
  );
  assertEquals(refused, []);
});

Deno.test("only the composition root names an adapter of the store or reads the configuration", () => {
  const refused = [...sources()]
    .filter(({ name }) => !ROOTS.has(ownerOf(name)) && ownerOf(name) !== "store")
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target, typeOnly }) =>
          /^store\/(?:sqlite|postgres)\//.test(target) || (target === "config" && !typeOnly)
        )
        .map(({ target }) => `${source.name} -> ${target}`)
    );
  assertEquals(refused, []);
});

Deno.test("the environment is read by those who start the program alone", () => {
  const readers = [...sources()].filter(({ text }) => text.includes("Deno.env"))
    .map(({ name }) => name);
  assertEquals(readers.filter((name) => ownerOf(name) !== "cli"), []);
});

Deno.test("content is pure: no clock, no randomness, no input or output", () => {
  const impure = /\bDeno\.|Date\.now|new Date\(\)|Math\.random|crypto\.|fetch\(|performance\./;
  const refused = [...sources()].filter(({ name, text }) =>
    ownerOf(name) === "content" && impure.test(text)
  ).map(({ name }) => name);
  assertEquals(refused, []);
});

Deno.test("every folder of src/ stands in the table of who imports whom", () => {
  const owners = new Set([...sources()].map(({ name }) => ownerOf(name)));
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
